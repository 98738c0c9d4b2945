#!/usr/bin/env bash
# Compiles lectern for scripts/test.sh and checks it at the same time: with clippy, and the documentation of the library
# with rustdoc. Any warning is an error. Clippy checks the library when it is compiled with its tests, and not without them
# once more. Called by cargo as RUSTC_WORKSPACE_WRAPPER. `cargo clippy` and `cargo doc` find the same, but analyze all
# dependencies once more for it, which takes longer than lectern's own code. What clippy compiles is less optimized, so it
# is for tests only.
set -euo pipefail
rustc=$1
shift

# Cargo also calls this to ask for rustc's version and for programs, tests and build scripts.
case " $* " in
    *" --crate-name lectern "*" --crate-type lib "*) "$rustc" "$@" -D warnings ;;
    *) exec clippy-driver "$rustc" "$@" -D warnings ;;
esac
arguments=(--document-private-items -D warnings)
while (($#)); do
    case "$1" in
        # The kinds of output and their folder are those of rustc.
        --emit=*) ;;
        --out-dir)
            arguments+=(--out-dir "$2/../../doc")
            shift
            ;;
        *) arguments+=("$1") ;;
    esac
    shift
done
exec rustdoc "${arguments[@]}"
