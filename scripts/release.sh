#!/usr/bin/env bash
# Makes a release in dist/: programs for x86_64 and aarch64 that run on every Linux with glibc 2.28 or later, as archives,
# Debian and RPM packages and container images, the source with the built page, a bill of materials, and checksums.
# The same commit results in the same bytes with the same Rust, Node.js and Debian.
#
# Needs Rust (rustup), Node.js, Python 3.11 with venv, and on Debian: apt-get install rpm dpkg-dev binutils.
# Images contain glibc from Debian, which apt-get downloads; without apt-get no images are made.
#
#   scripts/release.sh pack          makes the packages again from the programs and the page that the last run has built
#   LECTERN_PROFILE=release          quick to build, to try the script out; shipped is "dist"
#   LECTERN_ARCHITECTURES="x86_64"   only these
set -euo pipefail
cd "$(dirname "$0")/.."

readonly glibc=2.28
# The largest program and image, in bytes.
readonly max_program=24000000 max_image=40000000
# The glibc in the images. A version that Debian has replaced since: take the newest of bookworm.
readonly image_libc=2.36-9+deb12u14
command=${1:-build}
too_large=()
profile=${LECTERN_PROFILE:-dist}
architectures=${LECTERN_ARCHITECTURES:-x86_64 aarch64}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
root=$PWD
tools=$root/target/release-tools
work=$root/target/release-files
dist=$root/dist
if [ -f .source-date-epoch ]; then
    SOURCE_DATE_EPOCH=$(cat .source-date-epoch)
else
    SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
    git diff --quiet HEAD || echo "Note: the work tree differs from the commit; this is no release." >&2
fi
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C.UTF-8
umask 022

step() { printf '\n== %s (%ss)\n' "$1" "$SECONDS"; }
die() { echo "release.sh: $1" >&2; exit 1; }

deb_architecture() { case $1 in x86_64) echo amd64 ;; aarch64) echo arm64 ;; *) die "unknown architecture $1" ;; esac; }
target_of() { echo "$1-unknown-linux-gnu"; }
program_of() { echo "target/$(target_of "$1")/$profile/lectern"; }

# Sorted, without owners and with one time, so that an archive depends on its files only.
archive() {
    tar --create --directory "$2" --sort=name --owner=0 --group=0 --numeric-owner --format=ustar \
        --mtime="@$SOURCE_DATE_EPOCH" "$3" | gzip --no-name --best >"$1"
}

install_tools() {
    step "tools: zig"
    [ -x "$tools/venv/bin/python" ] || python3 -m venv "$tools/venv"
    "$tools/venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r packaging/requirements.txt
    for architecture in $architectures; do
        local library
        library=$(rustc --print sysroot)/lib/rustlib/$(target_of "$architecture")
        [ -d "$library/lib" ] || rustup target add "$(target_of "$architecture")"
    done
}

# The page is built with the first program. In the folder of a source archive it is there, and Node.js is not needed.
clean_page() {
    [ -f .source-date-epoch ] || rm -rf web/dist web/dist-server
}

has_sources_of_page() {
    [ ! -f .source-date-epoch ]
}

build_program() {
    local target cargo_home prefix
    target=$(target_of "$1")
    cargo_home=${CARGO_HOME:-$HOME/.cargo}
    step "program for $1"
    # No path of this machine in the program, from Rust or from the C of SQLite, QuickJS and ring.
    prefix="-ffile-prefix-map=$root=/lectern -ffile-prefix-map=$cargo_home=/cargo"
    # Without unwind tables, as in .cargo/config.toml.
    PATH="$tools/venv/bin:$PATH" CFLAGS="$prefix -fno-asynchronous-unwind-tables" \
        RUSTFLAGS="--remap-path-prefix=$root=/lectern --remap-path-prefix=$cargo_home=/cargo" \
        cargo zigbuild --locked --profile "$profile" --target "$target.$glibc" --bin lectern
    check_program "$1"
}

# The newest version of glibc whose symbols the program needs, the libraries, and paths of this machine.
check_program() {
    local program newest needed
    program=$(program_of "$1")
    newest=$(readelf --wide --dyn-syms "$program" | grep -o '@GLIBC_[0-9.]*' | sed 's/@GLIBC_//' | sort -uV | tail -n 1)
    [ "$(printf '%s\n%s\n' "$newest" "$glibc" | sort -V | tail -n 1)" = "$glibc" ] ||
        die "$program needs glibc $newest, which is newer than $glibc"
    needed=$(readelf --dynamic --wide "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | tr '\n' ' ')
    for library in $needed; do
        case $library in
            libc.so.6 | libm.so.6 | libdl.so.2 | libpthread.so.0 | librt.so.1 | ld-linux-*) ;;
            *) die "$program needs $library, which is not part of glibc" ;;
        esac
    done
    ! grep --quiet --fixed-strings "$root/" "$program" || die "$program contains the path $root"
    limit_size "$program" "$max_program"
    echo "$1: $(stat -c %s "$program") bytes, glibc $newest, $needed"
}

# A file that is too large fails the script at its end, so that the rest is seen, too.
limit_size() {
    local bytes
    bytes=$(stat -c %s "$1")
    if [ "$profile" = dist ] && [ "$bytes" -gt "$2" ]; then too_large+=("$1 has $bytes bytes, more than $2"); fi
}

# What all packages install, from the program that runs on this machine.
write_pages() {
    local lectern=$work/lectern pages=$work/pages
    step "man pages and completions"
    rm -rf "$pages" && mkdir -p "$pages/man" "$pages/completions"
    "$lectern" completions man | gzip --no-name --best >"$pages/man/lectern.1.gz"
    for name in $("$lectern" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p'); do
        [ "$name" = help ] || "$lectern" completions man "$name" | gzip --no-name --best >"$pages/man/lectern-$name.1.gz"
    done
    "$lectern" completions bash >"$pages/completions/lectern.bash"
    "$lectern" completions fish >"$pages/completions/lectern.fish"
    "$lectern" completions zsh >"$pages/completions/_lectern"
}

# The files of a package below $2; completions of zsh are in folder $3 of /usr/share/zsh. The configuration is in $4.
stage() {
    local to=$2 pages=$work/pages doc=$2/usr/share/doc/lectern
    rm -rf "$to"
    install -D -m 0755 "$(program_of "$1")" "$to/usr/bin/lectern"
    install -D -m 0644 packaging/config.toml "$to/$4/config.toml"
    for unit in packaging/systemd/*; do install -D -m 0644 "$unit" "$to/usr/lib/systemd/system/${unit##*/}"; done
    for page in "$pages"/man/*; do install -D -m 0644 "$page" "$to/usr/share/man/man1/${page##*/}"; done
    install -D -m 0644 "$pages/completions/lectern.bash" "$to/usr/share/bash-completion/completions/lectern"
    install -D -m 0644 "$pages/completions/lectern.fish" "$to/usr/share/fish/vendor_completions.d/lectern.fish"
    install -D -m 0644 "$pages/completions/_lectern" "$to/usr/share/zsh/$3/_lectern"
    for file in config.example.toml CHANGELOG.md docs/{install,upgrade,https,proxies,backups,caching-varnish-nginx,scale}.md; do
        install -D -m 0644 "$file" "$doc/${file##*/}"
    done
    install -D -m 0644 -t "$doc/caches" packaging/caches/*
    install -D -m 0644 LICENSE "$doc/copyright"
}

make_tarball() {
    local name=lectern-$version-$1-linux
    local to=$work/tarball/$name
    rm -rf "$work/tarball"
    install -D -m 0755 "$(program_of "$1")" "$to/bin/lectern"
    install -D -m 0755 packaging/install.sh "$to/install.sh"
    install -D -m 0644 -t "$to" LICENSE README.md CHANGELOG.md config.example.toml packaging/config.toml
    install -D -m 0644 -t "$to/systemd" packaging/systemd/*
    install -D -m 0644 -t "$to/man" "$work"/pages/man/*
    install -D -m 0644 -t "$to/completions" "$work"/pages/completions/*
    install -D -m 0644 -t "$to/docs" docs/*.md
    install -D -m 0644 -t "$to/caches" packaging/caches/*
    archive "$dist/$name.tar.gz" "$work/tarball" "$name"
}

make_deb() {
    local to=$work/deb architecture
    architecture=$(deb_architecture "$1")
    # Copied to /etc/lectern by postinst: a conffile that "lectern setup" edits would stop upgrades with a question.
    stage "$1" "$to" vendor-completions usr/share/lectern
    mkdir -m 0755 "$to/DEBIAN"
    sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@SIZE@/$(du -sk "$to" | cut -f 1)/" \
        packaging/deb/control.in >"$to/DEBIAN/control"
    install -m 0755 -t "$to/DEBIAN" packaging/deb/{preinst,postinst,prerm,postrm}
    printf 'lectern (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md in this folder.\n\n -- %s  %s\n' "$version" \
        'The lectern authors <lectern@example.com>' "$(date --rfc-email --date="@$SOURCE_DATE_EPOCH")" |
        gzip --no-name --best >"$to/usr/share/doc/lectern/changelog.gz"
    (cd "$to" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$to/DEBIAN/md5sums"
    chmod 0644 "$to"/DEBIAN/{control,md5sums}
    # dpkg-deb takes the times of files that are older than the epoch.
    find "$to" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zxz --build "$to" "$dist/lectern_${version}_$architecture.deb" >/dev/null
}

make_rpm() {
    local to=$work/rpm
    command -v rpmbuild >/dev/null || { echo "No RPM: rpmbuild is missing (apt-get install rpm)." >&2; return; }
    stage "$1" "$to" site-functions etc/lectern
    mkdir -p "$to/var/lib/lectern"
    find "$to" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    rpmbuild -bb --quiet --target "$1-linux" --define "_topdir $work/rpmbuild" --define "version_ $version" \
        --define "stage $to" --define "_rpmdir $work/rpmbuild/out" packaging/rpm/lectern.spec
    cp "$work/rpmbuild/out/$1/lectern-$version-1.$1.rpm" "$dist/"
}

# glibc of Debian for an architecture, checked by apt with Debian's keys.
fetch_libc() {
    local folder=$tools/apt-$1
    local apt=(apt-get -qq -o "APT::Architecture=$1" -o "APT::Architectures=$1" -o "Dir::State=$folder/state"
        -o "Dir::State::status=$folder/status" -o "Dir::Cache=$folder/cache" -o "Dir::Etc::SourceList=$folder/sources.list"
        -o Dir::Etc::SourceParts=- -o APT::Sandbox::User=root)
    mkdir -p "$folder/state/lists/partial" "$folder/cache/archives/partial"
    : >"$folder/status"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main" \
        >"$folder/sources.list"
    libc=$tools/libc6_${image_libc}_$1.deb
    [ -f "$libc" ] || { "${apt[@]}" update && (cd "$tools" && "${apt[@]}" download "libc6=$image_libc"); }
    [ -f "$libc" ] || die "libc6 $image_libc can't be downloaded"
}

make_image() {
    local architecture libc image
    command -v apt-get >/dev/null || { echo "No image: apt-get is missing, which downloads glibc." >&2; return; }
    architecture=$(deb_architecture "$1")
    fetch_libc "$architecture"
    image=$dist/lectern-$version-$architecture.oci.tar
    python3 packaging/oci/image.py --binary "$(program_of "$1")" --libc "$libc" --architecture "$architecture" \
        --version "$version" --output "$image"
    limit_size "$image" "$max_image"
}

# The source of the commit with the built page, which needs no Node.js.
make_source() {
    local name=lectern-$version-source
    step "source"
    rm -rf "$work/source" && mkdir -p "$work/source/$name"
    if [ -f .source-date-epoch ]; then
        echo "This is a source archive; it is not made again." && return
    fi
    git archive HEAD | tar --extract --directory "$work/source/$name"
    cp -r web/dist web/dist-server "$work/source/$name/web/"
    echo "$SOURCE_DATE_EPOCH" >"$work/source/$name/.source-date-epoch"
    archive "$dist/$name.tar.gz" "$work/source" "$name"
}

main() {
    rm -rf "$dist" && mkdir -p "$dist" "$work"
    case $command in
        build)
            install_tools
            clean_page
            for architecture in $architectures; do build_program "$architecture"; done
            ;;
        pack) for architecture in $architectures; do check_program "$architecture"; done ;;
        *) die "unknown argument $command; there is \"pack\"" ;;
    esac
    if has_sources_of_page; then packaging/third-party.py --check; fi
    case " $architectures " in
        *" $(uname -m) "*) cp "$(program_of "$(uname -m)")" "$work/lectern" ;;
        *) cargo build --quiet --release --locked && cp target/release/lectern "$work/lectern" ;;
    esac
    write_pages
    for architecture in $architectures; do
        step "packages for $architecture"
        make_tarball "$architecture"
        make_deb "$architecture"
        make_rpm "$architecture"
        make_image "$architecture"
    done
    make_source
    step "bill of materials, checksums"
    if has_sources_of_page; then
        packaging/third-party.py --sbom "$dist/lectern-$version.cdx.json"
    else
        echo "No bill of materials: it is made from the packages of npm, which a source archive does not need." >&2
    fi
    sed "s/@VERSION@/$version/" packaging/compose.yaml >"$dist/compose.yaml"
    (cd "$dist" && sha256sum -- * >../target/SHA256SUMS && mv ../target/SHA256SUMS .)
    step "dist/"
    (cd "$dist" && stat --format '%10s  %n' -- *)
    [ "${#too_large[@]}" = 0 ] || die "$(printf '%s; ' "${too_large[@]}")the files are in dist/"
}

main
