#!/usr/bin/env bash
# Checks HTTPS with Pebble, the test authority of Let's Encrypt, whose signatures and validations are real: issue, renew
# 60 days later, authority down, wrong domain, HTTP/2 by curl and Chromium, TLS by testssl.sh and sslscan, and speed.
# Debian: apt-get install pebble faketime nghttp2-client testssl.sh sslscan curl openssl
# LECTERN_BIN names the program; the default is target/release/lectern. Takes about five minutes, most of them testssl.sh.
# SKIP_SCANS=1 leaves out the last two, SKIP_SPEED=1 only prints what takes too long.
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
# Limits of time hold on an idle machine.
is_slow() { if [ -n "${SKIP_SPEED:-}" ]; then echo "Not judged: $1"; else fail "$1 is too slow"; fi; }
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
healthz() { ask --insecure --write-out '\n' "https://$domain:$https/healthz"; }
is_reported() { healthz | grep "$1" >/dev/null; }

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
before=$(date +%s%N)
start
head -n 1 "$folder/out"
wait_for "the certificate" trusted
echo "$((($(date +%s%N) - before) / 1000000)) ms"
healthz
first=$(serial)

step "HTTP/2, HTTP/1.1 and the redirect by curl"
over() {
    ask --cacert "$folder/issuer.pem" "--http$1" --output /dev/null --write-out '%{http_version} %{http_code}' "https://$domain:$https/"
}
expect() { echo "$2"; [ "$2" = "$3" ] || fail "$1: not $3"; }
expect "HTTP/2" "$(over 2)" "2 200"
expect "HTTP/1.1" "$(over 1.1)" "1.1 200"
expect "the redirect" "$(curl --silent --resolve "$domain:$http:127.0.0.1" --output /dev/null \
    --write-out '%{http_code} %{redirect_url}' "http://$domain:$http/events?a=b")" "301 https://$domain:$https/events?a=b"

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
grep -h "tls-alpn-01" "$folder"/lectern-demo.db.https/*/last-attempt.json
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
start env LD_PRELOAD="$faketime" FAKETIME=+80d
wait_for "the report" is_reported "can't be reached.*the current certificate is valid until"
healthz
trusted >/dev/null || fail "the current certificate"
start_authority 0
kill -HUP "$server"
recovered() { ! is_reported "can't be reached"; }
wait_for "the recovery" recovered
healthz
stop

step "From the start to the first /api/events over TLS, at most 50 ms; without TLS for comparison"
# The demo fills the database.
start
stop
printf '[server]\nlisten = "127.0.0.1:%s"\n' "$http" >"$folder/plain.toml"
cat >"$folder/start.py" <<'PYTHON'
import socket, ssl, statistics, subprocess, sys, time
program, folder, domain, https, http = sys.argv[1:]
context = ssl.create_default_context()
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE

def request(stream):
    stream.sendall(f"GET /api/events HTTP/1.1\r\nHost: {domain}\r\n\r\n".encode())
    return stream.recv(4096).startswith(b"HTTP/1.1 200")

def responds(with_tls):
    with socket.create_connection(("127.0.0.1", int(https if with_tls else http))) as plain:
        if not with_tls:
            return request(plain)
        with context.wrap_socket(plain, server_hostname=domain) as tls:
            return request(tls)

def start(with_tls):
    config = "config.toml" if with_tls else "plain.toml"
    # Without --demo, whose own work takes longer than the start.
    command = [program, "serve", "--config", config, "--database", "lectern-demo.db"]
    began = time.monotonic()
    with open(f"{folder}/log", "a") as log:
        server = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=log)
    while True:
        try:
            assert responds(with_tls), "no response with status 200"
            break
        except ConnectionRefusedError:
            assert server.poll() is None, "the server ended"
            time.sleep(0.0005)
    took = 1000 * (time.monotonic() - began)
    server.terminate()
    server.wait()
    return took

times = {True: [], False: []}
for _ in range(11):
    for with_tls in times:
        times[with_tls].append(start(with_tls))
for with_tls, name in [(False, "plain"), (True, "TLS")]:
    ms = sorted(times[with_tls])
    print(f"{name}, ms:", " ".join(f"{it:.1f}" for it in ms), f"median {statistics.median(ms):.1f}")
sys.exit(statistics.median(times[True]) > 50)
PYTHON
python3 "$folder/start.py" "$program" "$folder" "$domain" "$https" "$http" || is_slow "the start"

step "Reads with TLS (h2load): HTTP/2 with 10 streams a connection at least 0.6 of HTTP/1.1"
start
for round in 1 2 3; do
    for protocol in h1 h2; do
        if [ "$protocol" = h1 ]; then options=(--h1 -m 1); else options=(-m 10); fi
        h2load "${options[@]}" -n 40000 -c 20 "https://127.0.0.1:$https/api/events" >"$folder/h2load"
        grep -q '40000 succeeded, 0 failed' "$folder/h2load" || fail "$(cat "$folder/h2load")"
        rate=$(sed -n 's/^finished in .*, \([0-9.]*\) req\/s.*/\1/p' "$folder/h2load")
        echo "round $round, $protocol: $rate requests per second"
        echo "$protocol $rate" >>"$folder/rates"
    done
done
python3 - "$folder/rates" <<'PYTHON' || is_slow "HTTP/2"
import statistics, sys
rates = {"h1": [], "h2": []}
for line in open(sys.argv[1]):
    protocol, rate = line.split()
    rates[protocol].append(float(rate))
ratio = statistics.median(rates["h2"]) / statistics.median(rates["h1"])
print(f"HTTP/2: {ratio:.2f} of HTTP/1.1")
sys.exit(ratio < 0.6)
PYTHON

if [ -z "${SKIP_SCANS:-}" ]; then
    step "sslscan"
    sslscan --no-colour --sni-name="$domain" "127.0.0.1:$https" | grep -vE "^$|^Version|^OpenSSL" | tee "$folder/sslscan"
    for version in SSLv2 SSLv3 TLSv1.0 TLSv1.1; do
        grep -qE "^$version +disabled" "$folder/sslscan" || fail "sslscan: $version"
    done
    for version in TLSv1.2 TLSv1.3; do
        grep -qE "^$version +enabled" "$folder/sslscan" || fail "sslscan: $version"
    done
    if grep -E "^(Accepted|Preferred)" "$folder/sslscan" | grep -vE "TLSv1.3|ECDHE-.*(GCM|CHACHA20)"; then fail "sslscan: a weak cipher"; fi
    if grep -E " vulnerable to heartbleed|Compression enabled" "$folder/sslscan" | grep -v "not vulnerable"; then fail "sslscan"; fi
    step "testssl.sh: no finding above low"
    no_connection="failed because of connect problem"
    scan() {
        testssl --quiet --color 0 --warnings off --ip one --jsonfile "$1" "https://127.0.0.1:$https" \
            >>"$folder/testssl.log" 2>&1 || true
    }
    scan "$folder/testssl.json"
    # On a busy machine a connection of the scanner may time out, which says nothing about the server.
    if grep "$no_connection" "$folder/testssl.json"; then
        echo "Repeated once."
        scan "$folder/testssl-again.json"
    fi
    python3 - "$no_connection" "$folder"/testssl*.json <<'PYTHON' || fail "testssl.sh"
import json, sys
# Trust, revocation and validity are those of the test authority, and so is their part of the grade.
OF_THE_AUTHORITY = ("cert_chain_of_trust", "cert_trust", "cert_revocation", "cert_crlDistributionPoints", "cert_ocspURL",
    "cert_ocspRevoked", "OCSP_stapling", "cert_mustStapleExtension", "DNS_CAArecord", "cert_expirationStatus",
    "cert_notAfter", "cert_validityPeriod", "cert_extlifeSpan", "certificate_transparency", "overall_grade", "grade_cap_reason")
# Of the scanner's own library.
OF_THE_SCANNER = ("engine_problem",)
no_connection, *files = sys.argv[1:]
read = lambda file: {finding["id"]: finding for finding in json.load(open(file))}
checks = read(next(file for file in files if file.endswith("testssl.json")))
again = next((read(file) for file in files if file.endswith("again.json")), {})
findings = [again.get(id, check) if no_connection in check["finding"] else check for id, check in checks.items()]
assert len(findings) > 100, f"only {len(findings)} checks"
print(len(findings), "checks;", sum(f["severity"] in ("OK", "INFO") for f in findings), "without a finding")
too_severe = 0
for f in findings:
    if f["severity"] not in ("OK", "INFO"):
        print(f["severity"], f["id"], f["finding"], sep=" | ")
        is_excused = f["id"].split(" ")[0].startswith(OF_THE_AUTHORITY + OF_THE_SCANNER)
        too_severe += f["severity"] != "LOW" and not is_excused
sys.exit(too_severe > 0)
PYTHON
fi
stop
if grep panicked "$folder/log"; then fail "a panic"; fi
echo "All checks passed."
