#!/usr/bin/env bash
# Runs all checks: formatting, lints, types, documentation, component tests, Rust tests and browser tests.
# Needs Rust and Node.js; on Debian it installs a missing C compiler.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s (%ss)\n' "$1" "$SECONDS"; }

# Starts a command in its own process group, which ends with this script. `wait "$job"` returns its status.
start() {
    set -m
    "$@" &
    job=$!
    set +m
    trap 'kill -- "-$job" 2>/dev/null || true' EXIT
}

require() {
    command -v "$1" >/dev/null 2>&1 || { echo "$1 is missing: install $2 first." >&2; exit 1; }
}
require cargo "Rust 1.95 (rustup.rs)"
require node "Node.js 20 or later"
require npm "Node.js 20 or later"
if ! command -v cc >/dev/null 2>&1; then
    step "installing a C compiler for SQLite"
    apt-get update -qq && apt-get install -y -qq gcc libc6-dev
fi

step "rust: formatting"
cargo fmt --check

# Every cargo command uses the release profile: dependencies are compiled once. Lectern itself is not optimized, which
# takes a third of the time and costs the tests none: what they wait for is in the dependencies.
settings=(--config 'profile.release.package.lectern.opt-level=0')
# The build script uses QuickJS and Brotli as well. With the same settings they are not compiled for it once more.
settings+=(--config 'profile.release.build-override.codegen-units=1')
for package in rquickjs-sys brotli-decompressor alloc-no-stdlib alloc-stdlib; do
    settings+=(--config "profile.release.package.$package.opt-level=1")
done
# Lints and documentation are checked while lectern is compiled.
export RUSTC_WORKSPACE_WRAPPER="$PWD/scripts/rustc-with-lints.sh"

step "web: packages; rust: downloads, SQLite and QuickJS"
# The build of lectern needs the packages; what is in C takes about as long as they do.
start cargo build --release --quiet "${settings[@]}" --package libsqlite3-sys --package rquickjs-sys
# They include a browser, for machines without Chromium.
(cd web && npm ci --no-audit --no-fund)
wait "$job"

# The tests are compiled as soon as the program is, so that no processor waits. The program, for which the browser tests
# wait, has priority over the web checks, and they over the tests.
program_is_built=target/release/.built-by-test-script
build() {
    cargo build --release --quiet "${settings[@]}"
    touch "$program_is_built"
    renice -n 10 "$BASHPID" >/dev/null
    cargo test --release --no-run --quiet --lib "${settings[@]}"
    cargo build --release --quiet --benches "${settings[@]}"
}
step "rust: release and test build, lints, documentation; web: types, lints, formatting"
rm -f "$program_is_built"
start build
(cd web && nice -n 5 npm run --silent check)
step "web: component tests"
(cd web && nice -n 5 npm run --silent test)
step "rust: rest of the release build"
until [ -e "$program_is_built" ]; do
    kill -0 "$job" 2>/dev/null || wait "$job"
    sleep 0.5
done

# The browser has priority; the compiler uses the time in which it waits. A third worker does so once that is done: some
# tests wait for timeouts and for slow connections.
step "browser tests; rust: test build with lints"
export LECTERN_BIN="$PWD/target/release/lectern"
(cd web && npm run --silent e2e -- --grep-invert @speed --workers 3)
step "rust: rest of the test build"
wait "$job"

step "rust: tests"
# Most of them wait for servers, clients and timeouts, not for a processor. Those that start the program start the one
# that is built above.
RUST_TEST_THREADS="${RUST_TEST_THREADS:-8}" cargo test --release --quiet --lib "${settings[@]}"

step "browser tests with time limits, one at a time"
(cd web && npm run --silent e2e -- --grep @speed --workers 1)

step "all checks passed"
