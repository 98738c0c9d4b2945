#!/usr/bin/env bash
# Installs, starts, upgrades, removes and purges the packages of dist/ (scripts/release.sh) in fresh systems: Debian 11 and
# 12 made by debootstrap, the archive and the RPM in the latter, the images unpacked and started as their user, the one for
# aarch64 under qemu. The Debian package is also used in a booted system, whose systemd runs its units.
# Needs root, and: apt-get install debootstrap qemu-user-static systemd-container runc rpm rpmlint lintian curl
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
    echo "$password" | chroot "$system" lectern setup --yes --domain events.example.com --behind-proxy --name "Harbor & Vale" \
        --email "$email" --timezone America/Denver --password-stdin | sed 's/^/       /'
    expect "the configuration is 0640 root:lectern" \
        "[ \"\$(chroot '$system' stat -c '%a %U:%G' /etc/lectern/config.toml)\" = '640 root:lectern' ]"
    expect "the database is 0600 lectern:lectern" \
        "[ \"\$(chroot '$system' stat -c '%a %U:%G' /var/lib/lectern/lectern.db)\" = '600 lectern:lectern' ]"
    serve_installed "$system"
    # The server has made one; the name of a backup has its second.
    sleep 1
    chroot "$system" lectern backup >/dev/null
    chroot "$system" lectern check | sed 's/^/       /'
    expect "a backup of root belongs to lectern" \
        "[ \"\$(chroot '$system' sh -c 'stat -c %U /var/lib/lectern/backups/*')\" = lectern ]"
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
    expect "the page has the company's name" "curl --silent 'http://127.0.0.1:$port/' | grep -q 'Harbor &amp; Vale'"
    grep 'root has started' "$temporary/log" | sed 's/^/       /'
    stop "$pid"
}

# The same program in a package with a higher version and another default configuration.
make_next_deb() {
    local to=$temporary/next
    rm -rf "$to" && dpkg-deb --raw-extract "$dist/lectern_${version}_amd64.deb" "$to"
    sed -i "s/^Version: .*/Version: $version+next/" "$to/DEBIAN/control"
    echo '# The next release.' >>"$to/etc/lectern/config.toml"
    dpkg-deb --root-owner-group --build "$to" "$1" >/dev/null
}

check_deb() {
    local release=$1 system=$temporary/$1 deb=lectern_${version}_amd64.deb
    section "$deb on $release"
    new_system "$release" "$system"
    cp "$dist/$deb" "$system/tmp/"
    chroot "$system" dpkg --install "/tmp/$deb" | sed 's/^/       /'
    expect "glibc there is $(chroot "$system" dpkg-query -f '${Version}' -W libc6)" true
    expect "/var/lib/lectern is 0750 lectern:lectern" \
        "[ \"\$(chroot '$system' stat -c '%a %U:%G' /var/lib/lectern)\" = '750 lectern:lectern' ]"
    use_installed "$system"

    make_next_deb "$system/tmp/next.deb"
    cp "$system/etc/lectern/config.toml" "$temporary/config-before"
    chroot "$system" env DEBIAN_FRONTEND=noninteractive dpkg --force-confdef --force-confold --install /tmp/next.deb >/dev/null 2>&1
    expect "an upgrade keeps the configuration" "cmp --silent '$temporary/config-before' '$system/etc/lectern/config.toml'"
    expect "and its mode" "[ \"\$(chroot '$system' stat -c '%a %U:%G' /etc/lectern/config.toml)\" = '640 root:lectern' ]"
    serve_installed "$system"

    chroot "$system" dpkg --remove lectern >/dev/null 2>&1
    expect "removal keeps data and configuration" "[ -f '$system/var/lib/lectern/lectern.db' ] && [ -f '$system/etc/lectern/config.toml' ]"
    expect "removal removes the program" "[ ! -e '$system/usr/bin/lectern' ]"
    chroot "$system" dpkg --purge lectern >/dev/null 2>&1
    expect "purge removes data, configuration and user" \
        "[ ! -e '$system/var/lib/lectern' ] && [ ! -e '$system/etc/lectern' ] && ! grep -q '^lectern:' '$system/etc/passwd'"
}

# A release with systemd, as tar.
booting_system() {
    local system=$systems/booting
    [ -f "$systems/bookworm-systemd.tar" ] && return
    rm -rf "$system" && new_system bookworm "$system"
    cp /etc/resolv.conf "$system/etc/"
    chroot "$system" sh -c 'apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
        --no-install-recommends systemd systemd-sysv sudo curl ca-certificates' >"$systems/booting.log" 2>&1
    umount "$system/proc"
    rm "$system/etc/resolv.conf"
    tar --create --file "$systems/bookworm-systemd.tar" --directory "$system" --numeric-owner .
    rm -rf "$system"
}

# Boots a container, in which the lines of README.md are run as they stand.
check_booted() {
    local system=$temporary/booted deb=lectern_${version}_amd64.deb
    section "$deb in a booted system (bookworm, systemd-nspawn)"
    booting_system
    mkdir "$system" && tar --extract --file "$systems/bookworm-systemd.tar" --directory "$system" --numeric-owner
    cp "$dist/$deb" "$system/root/"
    make_next_deb "$system/root/next.deb"
    sed -n '/^### Debian and Ubuntu/,/^###/p' README.md | sed -n '/^```sh/,/^```/p' | sed '/^```/d' |
        sed "s/VERSION/$version/" >"$system/root/lines"
    [ -s "$system/root/lines" ] || bad "README.md has no lines for Debian"
    # The questions are answered on a terminal.
    sed -i 's/^sudo lectern setup$/script --quiet --return --command "sudo lectern setup" \/dev\/null <\/root\/answers/' "$system/root/lines"
    printf '%s\n' events.example.com y 'Harbor & Vale' '' "$email" "$password" "$password" >"$system/root/answers"
    python3 -c 'import struct, sys, zlib
chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
rows = b"".join(b"\0" + bytes(range(96)) for _ in range(32))
sys.stdout.buffer.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 32, 32, 8, 2, 0, 0, 0))
    + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))' >"$system/root/image.png"
    cat >"$system/root/run" <<RUN
exec >/root/result 2>&1
cd /root
. ./lines
request() { curl --silent --output /dev/null --write-out "\$1 %{http_code}\n" --cookie-jar jar --cookie jar "\${@:2}"; }
request healthz http://127.0.0.1:8080/healthz
echo "health: \$(curl --silent http://127.0.0.1:8080/healthz)"
echo "unit: \$(systemctl show lectern --property=NRestarts,ActiveState --value | tr '\n' ' ')"
echo "timer: \$(systemctl is-enabled lectern-sync.timer)"
origin='Origin: https://events.example.com'
curl --silent --dump-header headers --output /dev/null --header "\$origin" --header 'Content-Type: application/json' \\
    --data '{"email": "$email", "password": "$password"}' http://127.0.0.1:8080/api/auth/login
cookie=\$(sed -n 's/^set-cookie: \(__Host-lectern_session=[^;]*\);.*/\1/ip' headers)
curl --silent --output /dev/null --write-out 'upload %{http_code}\n' --header "Cookie: \$cookie" --header "\$origin" \\
    --header 'Content-Type: image/png' --data-binary @image.png http://127.0.0.1:8080/api/pictures
systemctl reload lectern; echo "reload \$?"
sudo lectern backup; echo "backup \$?"
sudo lectern check
before=\$(systemctl show lectern --property=MainPID --value)
DEBIAN_FRONTEND=noninteractive apt-get install --yes --option Dpkg::Options::=--force-confold ./next.deb >/dev/null
after=\$(systemctl show lectern --property=MainPID --value)
[ "\$before" != "\$after" ] && echo "upgraded: \$(systemctl is-active lectern)"
request healthz-after http://127.0.0.1:8080/healthz
systemctl start lectern-sync.service; echo "sync \$(systemctl show lectern-sync --property=ExecMainStatus --value)"
apt-get remove --yes lectern >/dev/null
echo "removed: \$(systemctl is-active lectern) \$(ls /var/lib/lectern | grep -c 'lectern.db\$')"
apt-get purge --yes lectern >/dev/null
echo "purged: \$(ls -d /var/lib/lectern /etc/lectern 2>&1 | grep -c 'No such file')"
echo done
RUN
    cat >"$system/etc/systemd/system/run.service" <<'UNIT'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/bin/bash /root/run
ExecStopPost=/bin/systemctl --no-block poweroff
UNIT
    mkdir -p "$system/etc/systemd/system/default.target.wants"
    ln -s ../run.service "$system/etc/systemd/system/default.target.wants/run.service"
    timeout 300 systemd-nspawn --quiet --directory "$system" --boot --register=no --keep-unit --private-network --hostname=localhost \
        --link-journal=no >"$temporary/boot" 2>&1 || true
    sed 's/^/       /' "$system/root/result"
    expect "the lines of README.md work" "grep -q '^healthz 200' '$system/root/result'"
    expect "systemd waits until the server is ready" "grep -q '^unit: 0 active' '$system/root/result'"
    expect "the timer of the import is off" "grep -q '^timer: disabled' '$system/root/result'"
    expect "images are decoded in the sandbox of the unit" "grep -q '^upload 201' '$system/root/result'"
    expect "reload and backup work" "grep -q '^reload 0' '$system/root/result' && grep -q '^backup 0' '$system/root/result'"
    expect "an upgrade restarts the server" \
        "grep -q '^upgraded: active' '$system/root/result' && grep -q '^healthz-after 200' '$system/root/result'"
    expect "the import without a key exits with 2" "grep -q '^sync 2' '$system/root/result'"
    expect "removal stops it and keeps data" "grep -q '^removed: inactive 1' '$system/root/result'"
    expect "purge removes data and configuration" "grep -q '^purged: 2' '$system/root/result'"
}

check_tarball() {
    local system=$temporary/tarball name=lectern-$version-x86_64-linux
    section "$name.tar.gz on bookworm"
    new_system bookworm "$system"
    tar --extract --gzip --file "$dist/$name.tar.gz" --directory "$system/root"
    chroot "$system" "/root/$name/install.sh" | sed 's/^/       /'
    use_installed "$system"
    chroot "$system" "/root/$name/install.sh" >/dev/null
    expect "installing it again keeps the configuration" "grep -q 'events.example.com' '$system/etc/lectern/config.toml'"
    serve_installed "$system"
}

check_rpm() {
    local system=$temporary/rpm rpm=lectern-$version-1.x86_64.rpm
    section "$rpm"
    rpm --query --package "$dist/$rpm" --info | sed -n '1,4p;/^License/p;/^Summary/p' | sed 's/^/       /'
    expect "it requires glibc 2.28" "rpm --query --package '$dist/$rpm' --requires | grep -q 'glibc >= 2.28'"
    new_system bookworm "$system"
    # Debian has no glibc in RPM's database.
    rpm --root "$system" --install --nodeps "$dist/$rpm"
    use_installed "$system"
    echo '# edited' >>"$system/etc/lectern/config.toml"
    rpm --root "$system" --upgrade --nodeps --force "$dist/$rpm"
    expect "installing it again keeps the configuration" "grep -q '# edited' '$system/etc/lectern/config.toml'"
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
    expect "settings come from the environment" "curl --silent 'http://127.0.0.1:$port/' | grep -q 'Harbor &amp; Vale'"
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
        "runc exec '$name' /usr/bin/lectern --version --verbose | grep -q 'user  *lectern' && \
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

"$@"
