#!/usr/bin/env bash
# Checks HTTPS with Pebble, the test authority of Let's Encrypt, whose signatures and validations are real: issue, renew
# 60 days later, authority down, wrong domain, HTTP/2 by curl and Chromium, TLS by testssl.sh and sslscan, and speed.
# Debian: apt-get install pebble faketime nghttp2-client testssl.sh sslscan curl openssl
# LECTERN_BIN names the program; the default is target/release/lectern. Takes about five minutes, most of them testssl.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${LECTERN_BIN:-target/release/lectern}")
unset LECTERN_BIN
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
domain=events.example.com
https=5001 http=5002 acme=14000

# Prints a heading.
step() { printf '\n== %s\n' "$*"; }
fail() { echo "FAILED: $*" >&2; tail -n 30 "$folder/log" >&2; exit 1; }
# Waits until a command succeeds.
wait_for() {
    local what=$1
    shift
    for _ in $(seq 600); do
        if "$@" >/dev/null 2>&1; then return; fi
        sleep 0.1
    done
    fail "$what"
}
ask() { curl --silent --show-error --resolve "$domain:$https:127.0.0.1" "$@"; }
trusted() { ask --cacert "$folder/issuer.pem" --fail "https://$domain:$https/healthz"; }
serial() {
    openssl s_client -connect "127.0.0.1:$https" -servername "$domain" </dev/null 2>/dev/null |
        openssl x509 -noout -serial
}
healthz() { ask --insecure "https://$domain:$https/healthz"; }
is_reported() { healthz | grep -q "$1"; }

# The authority's own certificate, for its API.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj /CN=pebble \
    -addext subjectAltName=IP:127.0.0.1 -keyout "$folder/pebble.key" -out "$folder/pebble.pem" 2>/dev/null
cat >"$folder/pebble.json" <<JSON
{ "pebble": { "listenAddress": "127.0.0.1:$acme", "managementListenAddress": "127.0.0.1:15000",
  "certificate": "$folder/pebble.pem", "privateKey": "$folder/pebble.key", "httpPort": $http, "tlsPort": $https,
  "ocspResponderURL": "", "externalAccountBindingRequired": false, "domainBlocklist": ["blocked.example.com"],
  "certificateValidityPeriod": 7776000 } }
JSON
pebble-challtestsrv -defaultIPv4 127.0.0.1 -defaultIPv6 "" -http01 "" -https01 "" -tlsalpn01 "" \
    -dns01 127.0.0.1:8053 -management 127.0.0.1:8055 >"$folder/dns.log" 2>&1 &
# Five of a hundred nonces are rejected, as by default.
start_authority() {
    PEBBLE_VA_NOSLEEP=1 PEBBLE_WFE_NONCEREJECT=${1:-5} pebble -config "$folder/pebble.json" -dnsserver 127.0.0.1:8053 \
        >"$folder/pebble.log" 2>&1 &
    authority=$!
    wait_for "Pebble" curl --silent --cacert "$folder/pebble.pem" --fail "https://127.0.0.1:15000/roots/0" \
        --output "$folder/issuer.pem"
}
configure() {
    cat >"$folder/config.toml" <<TOML
[server]
base_url = "https://$domain:$https"
[https]
domains = [$1]
email = "ada@example.com"
listen = "127.0.0.1:$https"
redirect_listen = "127.0.0.1:$http"
directory_url = "https://127.0.0.1:$acme/dir"
ca_file = "$folder/pebble.pem"
TOML
}
start() {
    (cd "$folder" && exec "$@" "$program" serve --demo --config config.toml --database lectern-demo.db >"$folder/out" 2>>"$folder/log") &
    server=$!
    wait_for "the start" grep -q listening "$folder/out"
}
stop() {
    kill "$server"
    wait "$server" || true
    : >"$folder/out"
}

step "Issue: from the start to a trusted certificate"
start_authority
configure "\"$domain\""
before=$(date +%s.%N)
start
head -n 1 "$folder/out"
wait_for "the certificate" trusted
echo "$(echo "$(date +%s.%N) - $before" | bc) s"
healthz
first=$(serial)

step "HTTP/2, HTTP/1.1 and the redirect by curl"
ask --cacert "$folder/issuer.pem" --http2 --output /dev/null --write-out '%{http_version} %{http_code}\n' "https://$domain:$https/" |
    tee /dev/stderr | grep -q '^2 200' || fail "HTTP/2"
ask --cacert "$folder/issuer.pem" --http1.1 --output /dev/null --write-out '%{http_version} %{http_code}\n' "https://$domain:$https/"
curl --silent --resolve "$domain:$http:127.0.0.1" --output /dev/null --write-out '%{http_code} %{redirect_url}\n' \
    "http://$domain:$http/events?a=b" | tee /dev/stderr | grep -q "^301 https://$domain:$https/events?a=b" || fail "redirect"

step "HTTP/2 by Chromium"
cat >"$folder/browser.mjs" <<'JS'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
const require = createRequire(process.cwd() + '/web/')
const { chromium } = require('@playwright/test')
const [domain, port, pin] = process.argv.slice(2)
process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs20.x'
const packaged = async () => (await import(require.resolve('@sparticuz/chromium'))).default.executablePath()
const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync) ?? (await packaged())
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-quic',
  `--host-resolver-rules=MAP ${domain} 127.0.0.1`, `--ignore-certificate-errors-spki-list=${pin}`] })
const page = await browser.newPage()
const errors = []
page.on('pageerror', (error) => errors.push(error.message))
page.on('requestfailed', (request) => errors.push(`${request.url()} ${request.failure()?.errorText}`))
await page.goto(`https://${domain}:${port}/`, { waitUntil: 'networkidle' })
const protocols = await page.evaluate(() => [...new Set(performance.getEntries().map((e) => e.nextHopProtocol).filter(Boolean))])
console.log(await page.title(), protocols, errors.length ? errors : 'no errors')
await browser.close()
process.exit(protocols.join() === 'h2' && errors.length === 0 ? 0 : 1)
JS
pin=$(openssl s_client -connect "127.0.0.1:$https" -servername "$domain" </dev/null 2>/dev/null |
    openssl x509 -noout -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64)
node "$folder/browser.mjs" "$domain" "$https" "$pin" || fail "Chromium"

step "Another domain, without a restart; TLS-ALPN-01 if port 80 is closed"
configure "\"$domain\", \"www.example.com\""
kill -HUP "$server"
covers_www() { ask --cacert "$folder/issuer.pem" --fail --resolve "www.example.com:$https:127.0.0.1" "https://www.example.com:$https/healthz"; }
wait_for "the second domain" covers_www
stop
sed -i 's/^redirect_listen.*/redirect_listen = ""/' "$folder/config.toml"
rm -r "$folder/lectern-demo.db.https"
start
wait_for "TLS-ALPN-01" trusted
grep -h "tls-alpn-01" "$folder"/lectern-demo.db.https/*/status.json
stop

step "A domain that the authority rejects: the previous certificate goes on"
configure "\"$domain\", \"blocked.example.com\""
start
wait_for "the report" is_reported "issues no certificate for one of the domains .*blocked.example.com"
healthz
trusted >/dev/null || fail "the previous certificate"
stop

step "The clock of lectern moves on 60 days: the certificate is renewed"
configure "\"$domain\", \"www.example.com\""
first=$(openssl x509 -noout -serial -in "$folder"/lectern-demo.db.https/*/certificate.pem)
# Only the wall clock: timers run as usual.
export FAKETIME_DONT_FAKE_MONOTONIC=1
# Not the program faketime, which starts another process and keeps signals from it.
faketime=$(dpkg -L libfaketime | grep '/libfaketime.so.1$')
start env LD_PRELOAD="$faketime" FAKETIME=+61d
renewed() { [ "$(serial)" != "$first" ] && [ -n "$(serial)" ]; }
wait_for "the renewal" renewed
echo "$first, then $(serial)"
stop

step "The authority is down and the clock moves on: the certificate goes on"
kill "$authority"
wait "$authority" 2>/dev/null || true
start env LD_PRELOAD="$faketime" FAKETIME=+125d
wait_for "the report" is_reported "can't be reached"
healthz
start_authority 0
kill -HUP "$server"
recovered() { ! is_reported "can't be reached"; }
wait_for "the recovery" recovered
healthz
stop

step "From the start to the first /api/events over TLS"
start
stop
for _ in 1 2 3 4 5; do
    before=$(date +%s%N)
    (cd "$folder" && exec "$program" serve --demo --config config.toml --database lectern-demo.db >"$folder/out" 2>>"$folder/log") &
    server=$!
    until curl --silent --insecure --resolve "$domain:$https:127.0.0.1" --output /dev/null "https://$domain:$https/api/events"; do :; done
    echo "$((($(date +%s%N) - before) / 1000000)) ms, with the start of curl"
    stop
done

step "Reads over HTTP/1.1 and HTTP/2 with TLS (h2load)"
start
for round in 1 2 3; do
    for protocol in --h1 ""; do
        streams=$([ -n "$protocol" ] && echo 1 || echo 10)
        result=$(h2load $protocol -n 40000 -c 20 -m "$streams" "https://127.0.0.1:$https/api/events" |
            grep -E "^finished|^requests:" | tr '\n' ' ')
        echo "round $round, ${protocol:---h2}: $result"
    done
done

if [ -z "${SKIP_SCANS:-}" ]; then
    step "sslscan"
    sslscan --no-colour --sni-name="$domain" "127.0.0.1:$https" | grep -vE "^$|^Version|^OpenSSL" || true
    step "testssl.sh: findings above low"
    testssl --quiet --color 0 --warnings off --ip one --jsonfile "$folder/testssl.json" \
        "https://127.0.0.1:$https" >"$folder/testssl.log" 2>&1 || true
    python3 - "$folder/testssl.json" <<'PYTHON'
import json, sys
findings = json.load(open(sys.argv[1]))
print(len(findings), "checks;", sum(f["severity"] in ("OK", "INFO") for f in findings), "without a finding")
for f in findings:
    if f["severity"] not in ("OK", "INFO"):
        print(f["severity"], f["id"], f["finding"], sep=" | ")
PYTHON
fi
stop
grep -c panicked "$folder/log" && fail "a panic"
echo "All checks passed."
