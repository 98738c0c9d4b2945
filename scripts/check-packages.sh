#!/usr/bin/env bash
# Installs, starts, upgrades, removes and purges the packages of dist/ (scripts/release.sh) in fresh systems: Debian 11 and
# 12 made by debootstrap, the archive and the RPM in the latter, the images unpacked and started as their user, the one for
# aarch64 under qemu. The lines of README.md are run as they stand: in booted systems, whose systemd runs the units, and with
# Podman instead of Docker. One of these systems gets its certificate from Pebble, a test authority.
# Needs root, and: apt-get install debootstrap qemu-user-static systemd-container runc rpm rpmlint lintian curl podman \
#   podman-compose iptables iproute2 pebble openssl cpio
# Arguments are the checks to run, such as "bookworm booted"; without any, all are run, in about ten minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

[ "$(id -u)" = 0 ] || { echo "check-packages.sh needs root" >&2; exit 1; }
root=$PWD
dist=$root/dist
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
systems=$root/target/systems
temporary=$(mktemp -d)
jobs_to_stop=()
mounts=()
readonly email=ada@example.com password='a fine password'

cleanup() {
    for job in "${jobs_to_stop[@]:-}"; do [ -z "$job" ] || kill "$job" 2>/dev/null || true; done
    for mount in "${mounts[@]:-}"; do [ -z "$mount" ] || umount --lazy "$mount" 2>/dev/null || true; done
    rm -rf --one-file-system "$temporary"
}
trap cleanup EXIT

section() { printf '\n== %s (%ss)\n' "$1" "$SECONDS"; }
good() { printf '   ok  %s\n' "$1"; }
bad() { printf 'check-packages.sh: %s\n' "$1" >&2; exit 1; }
expect() { if eval "$2"; then good "$1"; else bad "not so: $1 ($2)"; fi; }

# A fresh copy of a Debian release, with /proc and /dev/null.
new_system() {
    local release=$1 to=$2
    if [ ! -f "$systems/$release.tar" ]; then
        mkdir -p "$systems"
        debootstrap --variant=minbase "$release" "$systems/$release" http://deb.debian.org/debian >"$systems/$release.log" 2>&1 ||
            bad "debootstrap failed; see $systems/$release.log"
        tar --create --file "$systems/$release.tar" --directory "$systems/$release" --numeric-owner .
        rm -rf "${systems:?}/$release"
    fi
    mkdir -p "$to"
    tar --extract --file "$systems/$release.tar" --directory "$to" --numeric-owner
    mount_proc "$to"
}

mount_proc() {
    mkdir -p "$1/proc" "$1/dev"
    mount -t proc proc "$1/proc"
    mounts+=("$1/proc")
    [ -e "$1/dev/null" ] || mknod -m 666 "$1/dev/null" c 1 3
    [ -e "$1/dev/urandom" ] || mknod -m 444 "$1/dev/urandom" c 1 9
}

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# Starts a command in the background and waits until it listens on $port.
start() {
    "$@" >"$temporary/out" 2>"$temporary/log" &
    server=$!
    jobs_to_stop+=("$server")
    for _ in $(seq 600); do
        if curl --silent --fail --max-time 5 "http://127.0.0.1:$port/healthz" >"$temporary/health" 2>/dev/null; then return; fi
        kill -0 "$server" 2>/dev/null || { cat "$temporary/log" >&2; bad "the server ended"; }
        sleep 0.1
    done
    cat "$temporary/log" >&2
    bad "the server does not respond"
}

stop() {
    kill "$1"
    wait "$server" 2>/dev/null || true
}

sign_in() {
    curl --silent --output "$temporary/signed-in" --write-out '%{http_code}' --header 'Content-Type: application/json' \
        --header 'Host: events.example.com' \
        --data "{\"email\": \"$email\", \"password\": \"$password\"}" "http://127.0.0.1:$port/api/auth/login"
}

# Sets up, starts and uses the program in a system where it is installed.
use_installed() {
    local system=$1
    expect "lectern --version --verbose names the configuration and the user" \
        "chroot '$system' lectern --version --verbose >'$temporary/version' &&
         grep -q 'configuration  /etc/lectern/config.toml' '$temporary/version' && grep -q 'user  *lectern' '$temporary/version'"
    expect "setup without root writes nothing into its folder" \
        "! chroot --userspec=nobody '$system' sh -c 'cd /tmp && lectern setup --yes --name A --email $email' 2>'$temporary/refused' &&
         grep -q 'run sudo lectern setup' '$temporary/refused' && [ ! -e '$system/tmp/config.toml' ]"
    expect "lectern check says what to do before the setup" \
        "! chroot '$system' lectern check >'$temporary/check' && grep -q 'run: sudo lectern setup' '$temporary/check' &&
         ! grep -q '^PROBLEM *backups' '$temporary/check'"
    echo "$password" | chroot "$system" lectern setup --yes --domain events.example.com --behind-proxy --name "Harbor & Vale" \
        --email "$email" --timezone America/Denver --password-stdin | sed 's/^/       /'
    expect "the configuration is 0640 root:lectern" \
        "[ \"\$(chroot '$system' stat -c '%a %U:%G' /etc/lectern/config.toml)\" = '640 root:lectern' ]"
    expect "the database is 0600 lectern:lectern" \
        "[ \"\$(chroot '$system' stat -c '%a %U:%G' /var/lib/lectern/lectern.db)\" = '600 lectern:lectern' ]"
    serve_installed "$system"
    # The server has made one, perhaps in the same second.
    chroot "$system" lectern backup >/dev/null
    chroot "$system" lectern check | sed 's/^/       /'
    expect "a backup of root belongs to lectern" \
        "[ \"\$(chroot '$system' sh -c 'stat -c %U /var/lib/lectern/backups/* | sort -u')\" = lectern ]"
}

# Starts the server by hand as root, signs in, and stops it.
serve_installed() {
    local system=$1 pid
    port=$(free_port)
    start chroot "$system" lectern serve --listen "127.0.0.1:$port"
    pid=$server
    expect "the server runs as lectern" \
        "[ \"\$(awk '/^Uid:/ { print \$2, \$3, \$4, \$5 }' /proc/$pid/status)\" = \"\$(chroot '$system' id -u lectern | sed 's/.*/& & & &/')\" ]"
    expect "its only capability is CAP_NET_BIND_SERVICE" "grep -q '^CapEff:.*0000000000000400\$' /proc/$pid/status"
    expect "an admin signs in" "[ \"\$(sign_in)\" = 200 ]"
    expect "the page has the company's name" "curl --silent 'http://127.0.0.1:$port/' | grep 'Harbor &amp; Vale' >/dev/null"
    grep 'started by root' "$temporary/log" | sed 's/^/       /'
    stop "$pid"
}

# Replaces a database by one of the previous schema with the same accounts.
make_older_database() {
    python3 - "$1" <<'PY'
import os, re, sqlite3, sys
from pathlib import Path
database = Path(sys.argv[1])
scripts = sorted(Path("migrations").glob("V*.sql"), key=lambda it: int(re.match(r"V(\d+)", it.name)[1]))
older = sqlite3.connect(f"{database}.older", isolation_level=None)
for script in scripts[:-1]:
    older.executescript(script.read_text())
older.execute("ATTACH ? AS newer", [str(database)])
history = "refinery_schema_history"
older.execute(older.execute("SELECT sql FROM newer.sqlite_master WHERE name = ?", [history]).fetchone()[0])
older.execute(f"INSERT INTO main.{history} SELECT * FROM newer.{history} WHERE version < ?", [len(scripts)])
columns = ", ".join(row[1] for row in older.execute("PRAGMA main.table_info(users)"))
older.execute(f"INSERT INTO main.users ({columns}) SELECT {columns} FROM newer.users")
older.close()
status = database.stat()
os.chown(f"{database}.older", status.st_uid, status.st_gid)
os.chmod(f"{database}.older", 0o600)
for end in ["-wal", "-shm"]:
    Path(f"{database}{end}").unlink(missing_ok=True)
os.replace(f"{database}.older", database)
PY
}

# The number of the newest migration.
newest_schema() {
    local scripts=(migrations/V*.sql)
    echo "${#scripts[@]}"
}

# The same program in a package with a higher version and another default configuration.
make_next_deb() {
    local to=$temporary/next
    rm -rf "$to" && dpkg-deb --raw-extract "$dist/lectern_${version}_amd64.deb" "$to"
    sed -i "s/^Version: .*/Version: $version+next/" "$to/DEBIAN/control"
    echo '# The next release.' >>"$to/usr/share/lectern/config.toml"
    dpkg-deb --root-owner-group --build "$to" "$1" >/dev/null
}

# The same program in a package with a lower version whose configuration is another, and a conffile as in the first builds.
make_older_deb() {
    local to=$temporary/older
    rm -rf "$to" && dpkg-deb --raw-extract "$dist/lectern_${version}_amd64.deb" "$to"
    sed -i "s/^Version: .*/Version: $version~older/" "$to/DEBIAN/control"
    rm "$to/DEBIAN/preinst"
    mkdir -p "$to/etc/lectern"
    mv "$to/usr/share/lectern/config.toml" "$to/etc/lectern/config.toml"
    rmdir "$to/usr/share/lectern"
    echo '# An older release.' >>"$to/etc/lectern/config.toml"
    echo /etc/lectern/config.toml >"$to/DEBIAN/conffiles"
    dpkg-deb --root-owner-group --build "$to" "$1" >/dev/null
}

# Installs a package non-interactively.
install_deb() {
    chroot "$1" apt-get install --yes "$2" </dev/null >"$temporary/apt" 2>&1 || { cat "$temporary/apt" >&2; bad "$2 fails"; }
}

check_deb() {
    local release=$1 system=$temporary/$1 deb=lectern_${version}_amd64.deb
    section "$deb on $release"
    new_system "$release" "$system"
    cp "$dist/$deb" "$system/tmp/"
    chroot "$system" apt-get install --yes "/tmp/$deb" 2>&1 | grep '^lectern' | sed 's/^/       /'
    good "glibc there is $(chroot "$system" dpkg-query --show libc6 | cut -f 2)"
    expect "/var/lib/lectern is 0750 lectern:lectern" \
        "[ \"\$(chroot '$system' stat -c '%a %U:%G' /var/lib/lectern)\" = '750 lectern:lectern' ]"
    use_installed "$system"

    make_next_deb "$system/tmp/next.deb"
    cp "$system/etc/lectern/config.toml" "$temporary/config-before"
    install_deb "$system" /tmp/next.deb
    expect "an upgrade keeps the configuration" "cmp --silent '$temporary/config-before' '$system/etc/lectern/config.toml'"
    expect "and its mode" "[ \"\$(chroot '$system' stat -c '%a %U:%G' /etc/lectern/config.toml)\" = '640 root:lectern' ]"
    serve_installed "$system"

    make_older_database "$system/var/lib/lectern/lectern.db"
    expect "the database has the schema of an older release" "chroot '$system' lectern migrate --status | grep pending >/dev/null"
    port=$(free_port)
    start chroot "$system" lectern serve --listen "127.0.0.1:$port"
    expect "its accounts stay" "[ \"\$(sign_in)\" = 200 ]"
    stop "$server"
    expect "it is migrated" "! chroot '$system' lectern migrate --status | grep pending >/dev/null"
    expect "after a copy, which belongs to lectern" \
        "[ \"\$(chroot '$system' stat -c '%a %U:%G' '/var/lib/lectern/lectern.db.before-v$(newest_schema)')\" = '600 lectern:lectern' ]"

    chroot "$system" dpkg --remove lectern >/dev/null 2>&1
    expect "removal keeps data and configuration" "[ -f '$system/var/lib/lectern/lectern.db' ] && [ -f '$system/etc/lectern/config.toml' ]"
    expect "removal removes the program" "[ ! -e '$system/usr/bin/lectern' ]"
    chroot "$system" dpkg --purge lectern >/dev/null 2>&1
    expect "purge removes data, configuration and user" \
        "[ ! -e '$system/var/lib/lectern' ] && [ ! -e '$system/etc/lectern' ] && ! grep -q '^lectern:' '$system/etc/passwd'"
    upgrade_configurations "$system" "/tmp/$deb"
}

# Upgrades of an unedited configuration, and of one that was a conffile.
upgrade_configurations() {
    local system=$1 deb=$2 config=$1/etc/lectern/config.toml
    install_deb "$system" "$deb"
    install_deb "$system" /tmp/next.deb
    expect "an upgrade replaces an unedited configuration" \
        "grep -q '^# The next release' '$config' && [ ! -e '$config.unedited' ]"
    expect "with its mode" "[ \"\$(chroot '$system' stat -c '%a %U:%G' /etc/lectern/config.toml)\" = '640 root:lectern' ]"
    chroot "$system" dpkg --purge lectern >/dev/null 2>&1

    make_older_deb "$system/tmp/older.deb"
    install_deb "$system" /tmp/older.deb
    expect "an older package has a conffile" "chroot '$system' dpkg-query --show --showformat '\${Conffiles}' lectern | grep config.toml >/dev/null"
    echo '# edited' >>"$config"
    cp "$config" "$temporary/config-before"
    install_deb "$system" "$deb"
    expect "an upgrade keeps it" "cmp --silent '$temporary/config-before' '$config'"
    install_deb "$system" /tmp/next.deb
    expect "and so does the next" "cmp --silent '$temporary/config-before' '$config'"
    chroot "$system" dpkg --remove lectern >/dev/null 2>&1
    expect "removal keeps it" "cmp --silent '$temporary/config-before' '$config'"
    chroot "$system" dpkg --purge lectern >/dev/null 2>&1
    expect "purge removes it" "[ ! -e '$system/etc/lectern' ]"
}

# Debian 12 with systemd, and dnf with a repository that has what the RPM requires, as tar.
booting_system() {
    local system=$systems/booting
    [ -f "$systems/bookworm-systemd.tar" ] && return
    rm -rf "$system" && new_system bookworm "$system"
    cp /etc/resolv.conf "$system/etc/"
    chroot "$system" sh -c 'apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
        --no-install-recommends systemd systemd-sysv sudo curl ca-certificates dnf createrepo-c' >"$systems/booting.log" 2>&1
    cat >"$temporary/base.spec" <<'SPEC'
Name: base
Version: 1
Release: 1
Summary: What the package requires of a system
License: MIT
BuildArch: noarch
Provides: glibc = 2.28, shadow-utils, /bin/sh
%description
For a test.
%files
SPEC
    rpmbuild -bb --quiet --define "_topdir $temporary/rpmbuild" --define "_rpmdir $system/srv/repository" "$temporary/base.spec"
    chroot "$system" createrepo_c --quiet /srv/repository
    mkdir -p "$system/etc/yum.repos.d"
    printf '[base]\nname=base\nbaseurl=file:///srv/repository\ngpgcheck=0\n' >"$system/etc/yum.repos.d/base.repo"
    # sudo looks it up.
    echo localhost >"$system/etc/hostname"
    echo 127.0.0.1 localhost >"$system/etc/hosts"
    umount "$system/proc"
    rm "$system/etc/resolv.conf"
    tar --create --file "$systems/bookworm-systemd.tar" --directory "$system" --numeric-owner .
    rm -rf "$system"
}

# Extracts it.
new_booting_system() {
    booting_system
    mkdir "$1" && tar --extract --file "$systems/bookworm-systemd.tar" --directory "$1" --numeric-owner
}

# Boots a container that runs /root/run, and shows what it printed.
boot() {
    local system=$1
    cat >"$system/etc/systemd/system/run.service" <<'UNIT'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/bin/bash -c "cd /root && exec bash run >result 2>&1"
ExecStopPost=/bin/systemctl --no-block poweroff
UNIT
    mkdir -p "$system/etc/systemd/system/default.target.wants"
    ln -s ../run.service "$system/etc/systemd/system/default.target.wants/run.service"
    timeout 300 systemd-nspawn --quiet --directory "$system" --boot --register=no --keep-unit --private-network \
        --hostname=localhost --link-journal=no >"$temporary/boot" 2>&1 || true
    [ -f "$system/root/result" ] || { cat "$temporary/boot" >&2; bad "the system does not boot"; }
    result=$system/root/result
    sed 's/^/       /' "$result"
    expect "the script ran to its end" "grep -q '^done\$' '$result'"
}

# The lines of a section of README.md with the version.
# shellcheck disable=SC2016 # The backquotes are those of Markdown.
readme_lines() {
    sed -n "/^### $1/,/^##/p" README.md | sed -n '/^```sh/,/^```/p' | sed '/^```/d' | sed "s/VERSION/$version/g"
}

# The same, in which questions are answered on a terminal.
readme_lines_with_answers() {
    readme_lines "$1" >"$2/root/lines"
    [ -s "$2/root/lines" ] || bad "README.md has no lines for $1"
    sed -i -e 's/^sudo lectern setup$/script --quiet --return --command "sudo lectern setup" \/dev\/null <\/root\/answers/' \
        -e 's/^\(sudo dnf .*\)$/script --quiet --return --command "\1" \/dev\/null <<<y/' "$2/root/lines"
    printf '%s\n' events.example.com y 'Harbor & Vale' '' "$email" "$password" "$password" >"$2/root/answers"
    sed 's/^/       $ /' "$2/root/lines"
}

# Boots a container in which the lines of a section of README.md are run as they stand, in a folder with these files, and
# then the commands on stdin.
run_lines() {
    local system=$1 section=$2
    new_booting_system "$system"
    cp "${@:3}" "$system/root/"
    readme_lines_with_answers "$section" "$system"
    {
        cat <<'RUN'
. ./lines
request() { curl --silent --output /dev/null --write-out "$1 %{http_code}\n" "${@:2}"; }
request healthz http://127.0.0.1:8080/healthz
echo "health: $(curl --silent http://127.0.0.1:8080/healthz)"
echo "unit: $(systemctl show lectern --property=NRestarts,ActiveState --value | tr '\n' ' ')"
echo "off: $(systemctl is-enabled lectern-sync.timer lectern-https.socket lectern-http.socket | sort -u | tr '\n' ' ')"
RUN
        cat
        echo 'echo done'
    } >"$system/root/run"
    boot "$system"
    expect "the lines of README.md work" "grep -q '^healthz 200' '$result'"
    expect "systemd waits until the server is ready" "grep -q '^unit: 0 active' '$result'"
    expect "the timer of the sync and the sockets are off" "grep -q '^off: disabled \$' '$result'"
}

check_booted() {
    local system=$temporary/booted deb=lectern_${version}_amd64.deb
    section "$deb in a booted system (bookworm, systemd-nspawn)"
    make_next_deb "$temporary/next.deb"
    python3 -c 'import struct, sys, zlib
chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
rows = b"".join(b"\0" + bytes(range(96)) for _ in range(32))
sys.stdout.buffer.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 32, 32, 8, 2, 0, 0, 0))
    + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))' >"$temporary/image.png"
    run_lines "$system" 'Debian and Ubuntu' "$dist/$deb" "$temporary/next.deb" <<RUN
base64 --decode >image.png <<<'$(base64 --wrap=0 "$temporary/image.png")'
origin='Origin: https://events.example.com'
curl --silent --dump-header headers --output /dev/null --header "\$origin" --header 'Content-Type: application/json' \\
    --data '{"email": "$email", "password": "$password"}' http://127.0.0.1:8080/api/auth/login
cookie=\$(sed -n 's/^set-cookie: \(__Host-lectern_session=[^;]*\);.*/\1/ip' headers)
request upload --header "Cookie: \$cookie" --header "\$origin" --header 'Content-Type: image/png' --data-binary @image.png \\
    http://127.0.0.1:8080/api/pictures
before=\$(systemctl show lectern --property=MainPID --value)
systemctl reload lectern; echo "reload \$?"
sleep 1
[ "\$before" = "\$(systemctl show lectern --property=MainPID --value)" ] && journalctl --unit lectern | grep -i 'configuration'
sudo lectern backup; echo "backup \$?"
sudo lectern check
apt-get install --yes ./next.deb </dev/null >/dev/null
after=\$(systemctl show lectern --property=MainPID --value)
[ "\$before" != "\$after" ] && echo "upgraded: \$(systemctl is-active lectern)"
request healthz-after http://127.0.0.1:8080/healthz
systemctl start lectern-sync.service; echo "sync \$(systemctl show lectern-sync --property=ExecMainStatus --value)"
apt-get remove --yes lectern >/dev/null
echo "removed: \$(systemctl is-active lectern) \$(ls /var/lib/lectern | grep -c 'lectern.db\$')"
apt-get purge --yes lectern >/dev/null
echo "purged: \$(ls -d /var/lib/lectern /etc/lectern 2>&1 | grep -c 'No such file')"
# An upgrade that was interrupted: the package is unpacked, but not configured.
apt-get install --yes ./$deb >/dev/null
echo '$password' | lectern setup --yes --name Harbor --email $email --password-stdin
systemctl enable --now lectern lectern-sync.timer
dpkg --unpack next.deb >/dev/null
echo "before: \$(systemctl is-active lectern lectern-sync.timer | tr '\\n' ' ')"
apt-get remove --yes lectern </dev/null >/dev/null
echo "removed unpacked: \$(systemctl is-active lectern lectern-sync.timer | tr '\\n' ' ')"
echo "links: \$(find /etc/systemd/system -name 'lectern*' | wc --lines)"
RUN
    expect "images are decoded in the sandbox of the unit" "grep -q '^upload 201' '$result'"
    expect "reload and backup work" "grep -q '^reload 0' '$result' && grep -q '^backup 0' '$result'"
    expect "the reload reads the configuration in the same process" "grep -q 'configuration was reloaded' '$result'"
    expect "an upgrade restarts the server" \
        "grep -q '^upgraded: active' '$result' && grep -q '^healthz-after 200' '$result'"
    expect "the sync without a key exits with 2" "grep -q '^sync 2' '$result'"
    expect "removal stops it and keeps data" "grep -q '^removed: inactive 1' '$result'"
    expect "purge removes data and configuration" "grep -q '^purged: 2' '$result'"
    expect "removal stops it after an interrupted upgrade, too" \
        "grep -q '^before: active active' '$result' && grep -q '^removed unpacked: inactive inactive' '$result'"
    expect "and disables it" "grep -q '^links: 0\$' '$result'"
}

# The lines for the other packages.
check_lines() {
    section "the RPM by dnf in a booted system (bookworm with dnf)"
    run_lines "$temporary/booted-rpm" 'Fedora, RHEL, SUSE' "$dist/lectern-$version-1.x86_64.rpm" <<RUN
sudo dnf remove --assumeyes lectern
echo "removed: \$(systemctl is-active lectern) \$(ls /var/lib/lectern | grep -c 'lectern.db\$')"
RUN
    expect "removal stops it and keeps data" "grep -q '^removed: inactive 1' '$result'"
    section "the archive in a booted system (bookworm)"
    run_lines "$temporary/booted-archive" 'Every Linux with glibc 2.28 or later' "$dist/lectern-$version-x86_64-linux.tar.gz" <<'RUN'
before=$(systemctl show lectern --property=MainPID --value)
lectern-*/install.sh
[ "$before" != "$(systemctl show lectern --property=MainPID --value)" ] && echo "upgraded: $(systemctl is-active lectern)"
RUN
    expect "installing it again restarts the server" "grep -q '^upgraded: active' '$result'"
}

# The files of Pebble in a folder, with a certificate for the host under this name.
prepare_authority() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=pebble \
        -addext "subjectAltName=IP:127.0.0.1,DNS:$2" -keyout "$1/pebble.key" -out "$1/pebble.pem" 2>/dev/null
    cat >"$1/pebble.json" <<'JSON'
{ "pebble": { "listenAddress": "0.0.0.0:14000", "managementListenAddress": "127.0.0.1:15000",
  "certificate": "pebble.pem", "privateKey": "pebble.key", "httpPort": 80, "tlsPort": 443,
  "ocspResponderURL": "", "externalAccountBindingRequired": false } }
JSON
    cat >"$1/start-authority" <<'SH'
pebble-challtestsrv -defaultIPv4 127.0.0.1 -defaultIPv6 "" -http01 "" -https01 "" -tlsalpn01 "" -dns01 127.0.0.1:8053 \
    -management 127.0.0.1:8055 >dns.log 2>&1 &
pebble -config pebble.json -dnsserver 127.0.0.1:8053 >pebble.log 2>&1 &
until curl --silent --fail --cacert pebble.pem --output issuer.pem https://127.0.0.1:15000/roots/0; do sleep 0.1; done
ask() { curl --silent --cacert issuer.pem --resolve events.example.com:443:127.0.0.1 "$@"; }
wait_for_certificate() {
    for _ in $(seq 1200); do ask --fail --output /dev/null https://events.example.com/healthz && break; sleep 0.05; done
}
SH
}

# From the downloaded file to a certificate: three commands, on the ports 80 and 443. Differing from the real thing, a
# drop-in names the test authority and its certificate.
check_certificate() {
    local system=$temporary/certificate deb=lectern_${version}_amd64.deb seconds
    section "from $deb to a certificate (bookworm, systemd-nspawn, Pebble)"
    new_booting_system "$system"
    cp "$dist/$deb" "$system/root/"
    install -m 0755 -t "$system/usr/local/bin" "$(command -v pebble)" "$(command -v pebble-challtestsrv)"
    prepare_authority "$system/root" localhost
    install -m 0644 "$system/root/pebble.pem" "$system/etc/pebble.pem"
    mkdir -p "$system/etc/systemd/system/lectern.service.d"
    cat >"$system/etc/systemd/system/lectern.service.d/authority.conf" <<'UNIT'
[Service]
Environment=LECTERN_HTTPS__DIRECTORY_URL=https://127.0.0.1:14000/dir LECTERN_HTTPS__CA_FILE=/etc/pebble.pem
UNIT
    echo "$password" >"$system/root/first-password"
    cat >"$system/root/run" <<RUN
. ./start-authority
began=\$(date +%s%N)
sudo apt-get install --yes ./$deb
sudo lectern setup --yes --domain events.example.com --name "Harbor & Vale" --email $email --timezone America/Denver \\
    --password-file /root/first-password
sudo systemctl enable --now lectern
wait_for_certificate
echo "certificate after \$(((\$(date +%s%N) - began) / 1000000)) ms"
ask --write-out 'health %{http_code} %{http_version}\n' --output health https://events.example.com/healthz
cat health; echo
curl --silent --output /dev/null --write-out 'redirect %{http_code} %{redirect_url}\n' \\
    --resolve events.example.com:80:127.0.0.1 http://events.example.com/calendar
systemctl show lectern --property=MainPID --value | xargs -I PID grep -E '^(Uid|CapEff)' /proc/PID/status
stat --format='%a %U %n' /var/lib/lectern/lectern.db.https /var/lib/lectern/lectern.db.https/*/*
systemctl reload lectern; echo "reload \$?"
systemctl stop lectern
systemctl enable --now lectern-https.socket lectern-http.socket
systemctl start lectern
ask --write-out 'sockets %{http_code}\n' --output /dev/null https://events.example.com/healthz
# Connections wait while the server restarts.
(for _ in \$(seq 40); do ask --output /dev/null --write-out 'during %{http_code}\n' https://events.example.com/healthz; done) >during &
systemctl restart lectern; echo "restart \$?"
wait %3
sort during | uniq --count
echo done
RUN
    boot "$system"
    seconds=$(sed -n 's/^certificate after \([0-9]*\) ms/\1/p' "$result")
    expect "three commands and $seconds ms, at most 60 s" "[ '$seconds' -le 60000 ]"
    expect "it is served over HTTP/2 on port 443" "grep -q '^health 200 2' '$result'"
    expect "port 80 redirects" "grep -q '^redirect 301 https://events.example.com/calendar' '$result'"
    expect "the key can be read by lectern only" "! grep '/var/lib/lectern/lectern.db.https/.*/' '$result' | grep -v '^600 lectern '"
    expect "the reload succeeds" "grep -q '^reload 0' '$result'"
    expect "systemd can open the ports" "grep -q '^sockets 200' '$result'"
    expect "no request fails during a restart then" "grep -q '^ *40 during 200' '$result'"
}

# The lines of README.md for containers, with Podman instead of Docker in a network of its own.
check_compose() {
    local folder=$temporary/compose
    section "the container lines of README.md (Podman)"
    mkdir -p "$folder/bin"
    cp "$dist/lectern-$version-amd64.oci.tar" "$dist/compose.yaml" "$folder/"
    prepare_authority "$folder" host.containers.internal
    cat >"$folder/bin/podman" <<SH
#!/bin/sh
CONTAINERS_CONF=$folder/containers.conf exec $(command -v podman) --root $folder/storage --runroot $folder/run --cgroup-manager cgroupfs "\$@"
SH
    cat >"$folder/bin/docker" <<'SH'
#!/bin/sh
[ "$1" != compose ] || { shift; exec podman-compose "$@"; }
exec podman "$@"
SH
    chmod +x "$folder/bin/"*
    # The default is more than a machine may allow.
    printf '[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n' >"$folder/containers.conf"
    readme_lines Container | tee "$folder/lines" | sed 's/^/       $ /'
    sed -i 's/^\(docker compose exec .*\)$/script --quiet --return --command "\1" \/dev\/null <answers/' "$folder/lines"
    printf '%s\n' "$password" "$password" >"$folder/answers"
    cat >"$folder/run-lines" <<RUN
PATH=$folder/bin:\$PATH
cd $folder
ip link set lo up
# crun does not support both versions of cgroups at once.
if mountpoint --quiet /sys/fs/cgroup/unified; then umount /sys/fs/cgroup/unified; fi
. ./lines
for _ in \$(seq 100); do curl --silent --fail --output health http://127.0.0.1:8080/healthz && break; sleep 0.1; done
echo "health: \$(cat health)"
curl --silent --output /dev/null --write-out 'sign-in %{http_code}\n' --header 'Content-Type: application/json' \\
    --header 'Host: events.example.com' --data '{"email": "you@example.com", "password": "$password"}' http://127.0.0.1:8080/api/auth/login
container=\$(podman ps --quiet)
podman exec \$container /usr/bin/lectern healthcheck; echo "healthcheck \$?"
podman inspect --format '{{.State.Status}} {{.HostConfig.ReadonlyRootfs}} {{.Config.User}}' \$container
docker compose down
podman volume ls --quiet
# As the comment in compose.yaml says, with the test authority.
sed -i -e 's/ports: .*/ports: ["80:80", "443:443"]/' -e '/TRUSTED_PROXIES/d' \\
    -e 's/LECTERN_BASE_URL: .*/LECTERN_HTTPS__DOMAINS: events.example.com\n      LECTERN_HTTPS__CA_FILE: \/pebble.pem/' \\
    -e 's/LECTERN_BACKUP__DIR/LECTERN_HTTPS__DIRECTORY_URL: https:\/\/host.containers.internal:14000\/dir\n      &/' \\
    -e 's/volumes: .*/volumes: ["data:\/data", ".\/pebble.pem:\/pebble.pem:ro"]/' compose.yaml
cat compose.yaml
. ./start-authority
docker compose up --detach
wait_for_certificate
ask --write-out 'https %{http_code} %{http_version}\n' --output /dev/null https://events.example.com/healthz
podman exec \$(podman ps --quiet) /usr/bin/lectern healthcheck; echo "healthcheck with https \$?"
docker compose logs
docker compose down
kill \$(jobs -p)
podman run --detach --name direct --health-cmd '["/usr/bin/lectern", "healthcheck"]' lectern:$version
for _ in \$(seq 100); do podman healthcheck run direct && break; sleep 0.1; done
podman healthcheck run direct; echo "health-cmd \$?"
podman stop direct
echo done
RUN
    unshare --net --mount --ipc bash "$folder/run-lines" >"$temporary/compose.log" 2>&1 || true
    sed 's/^/       /' "$temporary/compose.log"
    expect "the lines work" "grep -q '^sign-in 200' '$temporary/compose.log' && grep -q '^done' '$temporary/compose.log'"
    expect "the health check succeeds" "grep -q '^healthcheck 0' '$temporary/compose.log'"
    expect "it is read-only and runs as its user" "grep -q '^running true 10001:10001' '$temporary/compose.log'"
    expect "a container gets a certificate" "grep -q '^https 200 2' '$temporary/compose.log'"
    expect "and says nothing about settings" "! grep -q ' WARN ' '$temporary/compose.log'"
    expect "Podman runs the health check that docs/install.md names" "grep -q '^health-cmd 0' '$temporary/compose.log'"
    expect "and is healthy" "grep -q '^healthcheck with https 0' '$temporary/compose.log'"
    expect "the data stay" "grep -q '_data\$' '$temporary/compose.log'"
}

check_tarball() {
    local system=$temporary/tarball name=lectern-$version-x86_64-linux
    section "$name.tar.gz on bookworm"
    new_system bookworm "$system"
    tar --extract --gzip --file "$dist/$name.tar.gz" --directory "$system/root"
    chroot "$system" "/root/$name/install.sh" | sed 's/^/       /'
    use_installed "$system"
    expect "it has the example that the configuration names, and completions" \
        "ls '$system/usr/share/doc/lectern/config.example.toml' '$system/usr/share/fish/vendor_completions.d/lectern.fish' \
            '$system/usr/share/zsh/vendor-completions/_lectern' >/dev/null"
    chroot "$system" "/root/$name/install.sh" >/dev/null
    expect "installing it again keeps the configuration" "grep -q 'events.example.com' '$system/etc/lectern/config.toml'"
    serve_installed "$system"
    # No systemd runs there.
    sed -n '/^To remove what/,/^## /p' docs/install.md | sed -n '/^```sh/,/^```/p' | sed -e '/^```/d' -e '/systemctl/d' \
        -e 's/^sudo //' >"$system/root/remove"
    chroot "$system" sh -eu /root/remove
    expect "the lines of docs/install.md remove it and keep data" \
        "[ -f '$system/var/lib/lectern/lectern.db' ] && [ -f '$system/etc/lectern/config.toml' ] &&
         ! find '$system/usr' -name '*lectern*' | grep ."
}

# The same program in a package with another default configuration.
make_next_rpm() {
    local to=$temporary/next-rpm
    mkdir -p "$to"
    (cd "$to" && rpm2cpio "$dist/lectern-$version-1.x86_64.rpm" | cpio --extract --make-directories --quiet)
    echo '# The next release.' >>"$to/etc/lectern/config.toml"
    rpmbuild -bb --quiet --target x86_64-linux --define "_topdir $temporary/rpmbuild" --define "version_ $version+next" \
        --define "stage $to" --define "_rpmdir $temporary/rpmbuild/out" packaging/rpm/lectern.spec 2>/dev/null
    cp "$temporary/rpmbuild/out/x86_64/lectern-$version+next-1.x86_64.rpm" "$1"
}

check_rpm() {
    local system=$temporary/rpm rpm=lectern-$version-1.x86_64.rpm
    section "$rpm"
    rpm --query --package "$dist/$rpm" --info | sed -n '1,4p;/^License/p;/^Summary/p' | sed 's/^/       /'
    expect "it requires glibc 2.28" "rpm --query --package '$dist/$rpm' --requires | grep 'glibc >= 2.28' >/dev/null"
    new_system bookworm "$system"
    # Debian has no glibc in RPM's database.
    rpm --root "$system" --install --nodeps "$dist/$rpm"
    use_installed "$system"
    echo '# edited' >>"$system/etc/lectern/config.toml"
    make_next_rpm "$temporary/next.rpm"
    rpm --root "$system" --upgrade --nodeps "$temporary/next.rpm" 2>"$temporary/upgrade" </dev/null
    expect "an upgrade keeps the configuration" "grep -q '# edited' '$system/etc/lectern/config.toml'"
    expect "and its mode" "[ \"\$(chroot '$system' stat -c '%a %U:%G' /etc/lectern/config.toml)\" = '640 root:lectern' ]"
    expect "the one of the next release is beside it" "grep -q '# The next release' '$system/etc/lectern/config.toml.rpmnew'"
    serve_installed "$system"
    rpm --root "$system" --erase lectern 2>"$temporary/erase" || bad "the removal failed: $(cat "$temporary/erase")"
    expect "removal keeps data" "[ -f '$system/var/lib/lectern/lectern.db' ]"
    expect "removal keeps an edited configuration as .rpmsave" "[ -f '$system/etc/lectern/config.toml.rpmsave' ]"
}

# Unpacks the layers of an image.
unpack_image() {
    python3 - "$1" "$2" <<'PY'
import json, sys, tarfile
archive, to = tarfile.open(sys.argv[1]), sys.argv[2]
read = lambda descriptor: archive.extractfile("blobs/sha256/" + descriptor["digest"].removeprefix("sha256:"))
index = json.load(archive.extractfile("index.json"))
manifest = json.load(read(index["manifests"][0]))
for layer in manifest["layers"]:
    tarfile.open(fileobj=read(layer), mode="r:gz").extractall(to, numeric_owner=True)
config = json.load(read(manifest["config"]))["config"]
print(config["User"], *config["Env"], "LECTERN_HEALTH=" + " ".join(config["Healthcheck"]["Test"][1:]), sep="\n")
PY
}

check_image() {
    local architecture=$1 emulator=${2:-} image=$dist/lectern-$version-$1.oci.tar system=$temporary/image-$1
    section "image for $architecture${emulator:+ under ${emulator##*/}}"
    mkdir -p "$system"
    unpack_image "$image" "$system" >"$temporary/config"
    expect "it has at most 40 MB" "[ \$(stat -c %s '$image') -le 40000000 ]"
    expect "it has no shell" "[ -z \"\$(find '$system' -name sh -o -name bash -o -name busybox)\" ]"
    local user variables
    user=$(head -n 1 "$temporary/config")
    mapfile -t variables < <(sed -n '2,$p' "$temporary/config" | grep -v '^LECTERN_LISTEN\|^LECTERN_HEALTH')
    mount_proc "$system"
    local enter=("$(command -v chroot)" --userspec="$user" "$system")
    local program=(/usr/bin/lectern)
    if [ -n "$emulator" ]; then
        install -m 0755 "$emulator" "$system/usr/bin/qemu"
        program=(/usr/bin/qemu /usr/bin/lectern)
    fi
    port=$(free_port)
    local environment=(env -i "${variables[@]}" "LECTERN_LISTEN=127.0.0.1:$port" "LECTERN_SITE__NAME=Harbor & Vale")
    echo "$password" | "${environment[@]}" "${enter[@]}" "${program[@]}" create-admin --email "$email" --password-stdin |
        sed 's/^/       /'
    start "${environment[@]}" "${enter[@]}" "${program[@]}" serve
    expect "an admin signs in" "[ \"\$(sign_in)\" = 200 ]"
    expect "settings come from the environment" "curl --silent 'http://127.0.0.1:$port/' | grep 'Harbor &amp; Vale' >/dev/null"
    expect "lectern healthcheck says $("${environment[@]}" "${enter[@]}" "${program[@]}" healthcheck)" true
    expect "it runs as $user" "[ \"\$(awk '/^Uid:/ { print \$2 }' /proc/$server/status)\" = '${user%%:*}' ]"
    stop "$server"
    expect "the database is in /data" "[ -f '$system/data/lectern.db' ]"
}

# The image in a real runtime: read-only, without capabilities, with /data as the only place to write.
check_runtime() {
    local bundle=$temporary/bundle name=lectern-check-$$
    section "image for amd64 in runc"
    mkdir -p "$bundle/rootfs" "$bundle/data"
    unpack_image "$dist/lectern-$version-amd64.oci.tar" "$bundle/rootfs" >"$temporary/config"
    chown 10001:10001 "$bundle/data"
    port=$(free_port)
    (cd "$bundle" && runc spec && python3 - "$port" "$temporary/config" <<'PY'
import json, sys
user, *variables = open(sys.argv[2]).read().splitlines()
spec = json.load(open("config.json"))
spec["process"].update(
    terminal=False, cwd="/data", noNewPrivileges=True, args=["/usr/bin/lectern", "serve"],
    user=dict(zip(["uid", "gid"], map(int, user.split(":")))),
    env=[it for it in variables if "LISTEN" not in it] + [f"LECTERN_LISTEN=127.0.0.1:{sys.argv[1]}"],
    capabilities={kind: [] for kind in spec["process"]["capabilities"]},
)
spec["root"]["readonly"] = True
spec["linux"]["namespaces"] = [it for it in spec["linux"]["namespaces"] if it["type"] not in ("network", "cgroup")]
spec["linux"]["resources"] = {}
spec["mounts"] = [it for it in spec["mounts"] if it["destination"] != "/sys/fs/cgroup"]
spec["mounts"].append({"destination": "/data", "type": "bind", "source": "data", "options": ["rbind", "rw"]})
json.dump(spec, open("config.json", "w"))
PY
    )
    start runc run --bundle "$bundle" "$name"
    expect "its health check says $(runc exec "$name" /usr/bin/lectern healthcheck)" true
    expect "it runs as 10001 without capabilities" \
        "runc exec '$name' /usr/bin/lectern --version --verbose | grep 'user  *lectern' >/dev/null && \
         grep -q '^CapEff:.*0000000000000000\$' /proc/\$(runc state '$name' | python3 -c 'import json, sys; print(json.load(sys.stdin)[\"pid\"])')/status"
    runc kill "$name" TERM
    wait "$server" || true
    expect "SIGTERM stops it" "grep -q 'stopped' '$temporary/log'"
    runc delete --force "$name" 2>/dev/null || true
}

check_units() {
    section "units"
    local system=$temporary/units unit exposure
    mkdir -p "$system/usr/lib/systemd/system" "$system/usr/bin" "$system/bin"
    cp packaging/systemd/* /usr/lib/systemd/system/*.target /usr/lib/systemd/system/*.slice "$system/usr/lib/systemd/system/"
    for program in usr/bin/lectern bin/sh; do printf '#!/bin/sh\n' >"$system/$program" && chmod 755 "$system/$program"; done
    systemd-analyze verify --man=no --root="$system" lectern.service lectern-sync.service lectern-sync.timer \
        lectern-https.socket lectern-http.socket \
        >"$temporary/verify" 2>&1 || true
    expect "systemd-analyze verify finds nothing" "! grep lectern '$temporary/verify'"
    for unit in lectern.service lectern-sync.service; do
        exposure=$(systemd-analyze security --offline=true "packaging/systemd/$unit" | sed -n 's/.*: \([0-9.]*\) .*/\1/p' | tail -n 1)
        expect "the exposure of $unit is $exposure, at most 2.5" "[ \"\$(echo '$exposure' | tr -d .)\" -le 25 ]"
    done
}

check_lint() {
    section "lintian, rpmlint"
    lintian --fail-on none --no-tag-display-limit "$dist/lectern_${version}_amd64.deb" | sed 's/^/       /' || true
    rpmlint "$dist/lectern-$version-1.x86_64.rpm" 2>&1 | tail -n 20 | sed 's/^/       /' || true
}

all=(units bullseye bookworm booted lines certificate tarball rpm image runtime compose aarch64 lint)
[ "$#" -gt 0 ] || set -- "${all[@]}"
for check in "$@"; do
    case $check in
        bullseye | bookworm) check_deb "$check" ;;
        image) check_image amd64 ;;
        aarch64) check_image arm64 "$(command -v qemu-aarch64-static || bad "qemu-user-static is missing")" ;;
        units | booted | lines | certificate | tarball | rpm | runtime | compose | lint) "check_$check" ;;
        *) bad "there is no check $check; there are: ${all[*]}" ;;
    esac
done
section "passed: $*"
