#!/usr/bin/env bash
# Runs everything: formatting, lints, types, unit tests, the real program, the real browser.
# Installs what it needs on a Debian machine that has Rust and Node.js.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '\n== %s (%ss)\n' "$1" "$SECONDS"; }

need() {
    command -v "$1" >/dev/null 2>&1 || { echo "$1 is missing: install $2 first." >&2; exit 1; }
}
need cargo "Rust 1.95 (rustup.rs)"
need node "Node.js 20 or later"
need npm "Node.js 20 or later"
if ! command -v cc >/dev/null 2>&1; then
    say "installing a C compiler, which SQLite is built with"
    apt-get update -qq && apt-get install -y -qq gcc libc6-dev
fi

say "web: installing"
# The browser comes with the packages; a system Chromium is used where there is one.
(cd web && npm ci --no-audit --no-fund)

say "web: types, lints, formatting, while the program is built as it is released"
# Its last step takes one core for minutes.
cargo build --release --quiet &
release=$!
trap 'kill "$release" 2>/dev/null || true' EXIT
(cd web && npm run --silent check)

say "web: component tests"
(cd web && npm run --silent test)

say "rust: formatting, lints, documentation"
cargo fmt --check
# The release makes the page; once it has left its stamp, nothing makes it a second time.
until [ -e web/dist/.sources ] || ! kill -0 "$release" 2>/dev/null; do
    sleep 1
done
LECTERN_WEB=build cargo clippy --all-targets --quiet -- -D warnings
RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --lib --document-private-items --quiet

say "rust: tests"
# Some of them run the program itself.
cargo build --quiet
cargo test --quiet

say "the program as it is released"
wait "$release"
trap - EXIT

say "web: the real program in a real browser"
export LECTERN_BIN="$PWD/target/release/lectern"
(cd web && npm run --silent e2e -- --grep-invert @speed --workers 2)
# What is timed runs alone.
(cd web && npm run --silent e2e -- --grep @speed --workers 1)

say "all is well"
