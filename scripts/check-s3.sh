#!/usr/bin/env bash
# Checks backups in S3 against s3s-fs, an implementation that checks signatures, which is compiled once (some minutes)
# into target/s3s, and against moto (a Python package), whose XML differs.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT

# Waits until a server logs its address, and sets S3_ENDPOINT.
wait_for_address() {
    for _ in $(seq 100); do
        S3_ENDPOINT=$(sed 's/\x1b\[[0-9;]*m//g' "$1" | grep -oE 'http://127\.0\.0\.1:[0-9]+' | head -n 1 || true)
        if [ -n "$S3_ENDPOINT" ]; then
            export S3_ENDPOINT
            return
        fi
        sleep 0.1
    done
    echo "The server did not start:" >&2
    cat "$1" >&2
    exit 1
}

test_with_profile() {
    cargo test --release --quiet "$@"
}

cargo install --quiet --root target/s3s --version 0.14.1 --locked --features binary s3s-fs
cargo build --release --quiet
mkdir -p "$folder/root/copies"
RUST_LOG=info target/s3s/bin/s3s-fs --host 127.0.0.1 --port 0 --access-key AKIDLECTERNTEST \
    --secret-key 'hush/4711+secret=key' "$folder/root" >"$folder/s3s.log" 2>&1 &
wait_for_address "$folder/s3s.log"
echo "== s3s-fs at $S3_ENDPOINT"
test_with_profile s3::real

python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet 'moto[server,s3]==5.2.5'
"$folder/venv/bin/moto_server" --host 127.0.0.1 --port 0 >"$folder/moto.log" 2>&1 &
wait_for_address "$folder/moto.log"
"$folder/venv/bin/python" - <<PYTHON
import urllib.request
urllib.request.urlopen(urllib.request.Request("$S3_ENDPOINT/copies", method="PUT"))
PYTHON
echo "== moto at $S3_ENDPOINT, which checks no signatures"
test_with_profile s3::real -- --skip keys_and_buckets_that_are_wrong
