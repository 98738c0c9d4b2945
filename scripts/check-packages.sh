#!/usr/bin/env bash
# Installs, starts, upgrades, removes and purges the packages of dist/ (scripts/release.sh) in fresh systems: Debian 11 and
# 12 made by debootstrap, the archive and the RPM in the latter, the images unpacked and started as their user, the one for
# aarch64 under qemu. Needs root, and: apt-get install debootstrap qemu-user-static rpm rpmlint lintian curl
#
# Nothing runs systemd here: the units are checked by systemd-analyze.
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

    # The same program with a higher version.
    rm -rf "$temporary/next" && dpkg-deb --raw-extract "$dist/$deb" "$temporary/next"
    sed -i "s/^Version: .*/Version: $version+next/" "$temporary/next/DEBIAN/control"
    echo '# The next release.' >>"$temporary/next/etc/lectern/config.toml"
    dpkg-deb --root-owner-group --build "$temporary/next" "$system/tmp/next.deb" >/dev/null
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
    local enter=(chroot --userspec="$user" "$system")
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

check_units() {
    section "units"
    local system=$temporary/units unit exposure
    mkdir -p "$system/usr/lib/systemd/system" "$system/usr/bin" "$system/bin"
    cp packaging/systemd/* /usr/lib/systemd/system/*.target /usr/lib/systemd/system/*.slice "$system/usr/lib/systemd/system/"
    for program in usr/bin/lectern bin/kill; do printf '#!/bin/sh\n' >"$system/$program" && chmod 755 "$system/$program"; done
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

check_units
check_deb bullseye
check_deb bookworm
check_tarball
check_rpm
check_image amd64
check_image arm64 "$(command -v qemu-aarch64-static || bad "qemu-user-static is missing")"
check_lint
section "all packages passed"
