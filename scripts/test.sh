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
unoptimized=(--config 'profile.release.package.lectern.opt-level=0')
# Lints and documentation are checked while lectern is compiled.
export RUSTC_WORKSPACE_WRAPPER="$PWD/scripts/rustc-with-lints.sh"

step "web: packages; rust: downloads, SQLite and QuickJS"
# The build of lectern needs the packages; what is in C takes about as long as they do.
start cargo build --release --quiet "${unoptimized[@]}" --package libsqlite3-sys --package rquickjs-sys
# They include a browser, for machines without Chromium.
(cd web && npm ci --no-audit --no-fund)
wait "$job"

step "rust: release build, lints, documentation; web: types, lints, formatting"
start cargo build --release --quiet "${unoptimized[@]}"
# The build has priority: its end, the compilation of lectern, uses one processor only.
(cd web && nice -n 5 npm run --silent check)
step "web: component tests"
(cd web && npm run --silent test)
step "rust: rest of the release build"
wait "$job"

# The browser has priority; the compiler uses the time in which it waits. A third worker does so once that is done: some
# tests wait for timeouts and for slow connections.
step "browser tests; rust: test build with lints"
build_tests() {
    renice -n 10 "$BASHPID" >/dev/null
    cargo test --release --no-run --quiet --lib "${unoptimized[@]}" &&
        cargo build --release --quiet --benches "${unoptimized[@]}"
}
start build_tests
export LECTERN_BIN="$PWD/target/release/lectern"
(cd web && npm run --silent e2e -- --grep-invert @speed --workers 3)
step "rust: rest of the test build"
wait "$job"

step "rust: tests"
# Most of them wait for servers, clients and timeouts, not for a processor. Those that start the program start the one
# that is built above.
RUST_TEST_THREADS="${RUST_TEST_THREADS:-8}" cargo test --release --quiet --lib "${unoptimized[@]}"

step "browser tests with time limits, one at a time"
(cd web && npm run --silent e2e -- --grep @speed --workers 1)

step "all checks passed"
