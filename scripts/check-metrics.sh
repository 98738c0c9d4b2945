#!/usr/bin/env bash
# Checks /metrics with Prometheus' own parser and its rules for names. Needs Debian, or a promtool on the PATH.
set -euo pipefail
cd "$(dirname "$0")/.."
PROMTOOL=$(command -v promtool || true)
if [ -z "$PROMTOOL" ]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    chmod 755 "$folder"
    (cd "$folder" && apt-get download -qq prometheus && dpkg -x prometheus_*.deb .)
    PROMTOOL="$folder/usr/bin/promtool"
fi
export PROMTOOL
cargo build --quiet
cargo test --quiet metrics_count_what_the_server_does
