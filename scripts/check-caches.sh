#!/usr/bin/env bash
# Proves what docs/scale.md promises of shared caches: starts lectern alone, behind Varnish and behind nginx, with the
# configurations in packaging/caches/, and sends a day of visitors in a few minutes. Prints the table of docs/scale.md.
#
#   scripts/check-caches.sh                                          # a million visitors in five minutes, three times
#   scripts/check-caches.sh --visitors 60000 --seconds 90 --outage 15 varnish
#
# LECTERN_BIN names the program; the default is the one that cargo builds for the benchmark, with the profile in PROFILE
# (release). On Debian as root it installs Varnish and nginx if they are missing; neither is started as a service.
set -euo pipefail
cd "$(dirname "$0")/.."
missing=()
command -v varnishd >/dev/null || missing+=(varnish)
command -v nginx >/dev/null || missing+=(nginx)
if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "Installing ${missing[*]}"
        # Their packages would start them.
        RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends "${missing[@]}" >/dev/null
    else
        echo "check-caches.sh: install first: ${missing[*]}" >&2
        exit 1
    fi
fi
[ -z "${LECTERN_BIN:-}" ] || LECTERN_BIN=$(realpath "$LECTERN_BIN")
export LECTERN_BIN
[ -n "$LECTERN_BIN" ] || unset LECTERN_BIN
case " $* " in
*" none "* | *" varnish "* | *" nginx "*) ;;
*) set -- "$@" none varnish nginx ;;
esac
echo "Building the benchmark with the profile ${PROFILE:-release}, unless it is up to date" >&2
cargo bench --quiet --profile "${PROFILE:-release}" --bench shared_caches -- "$@"
