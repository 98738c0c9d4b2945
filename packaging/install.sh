#!/bin/sh
# Installs lectern from this folder, as the packages do: the program, its user, its folders, its units. Run as root;
# again to upgrade. A configuration that exists is kept.
set -eu
cd "$(dirname "$0")"
[ "$(id -u)" = 0 ] || { echo "install.sh: run it as root, such as with sudo" >&2; exit 1; }

if ! getent passwd lectern >/dev/null; then
    useradd --system --user-group --home-dir /var/lib/lectern --no-create-home --shell /usr/sbin/nologin lectern
fi
# Renamed into place, because a program that runs can't be overwritten.
install -D -m 0755 bin/lectern /usr/bin/lectern.new
mv /usr/bin/lectern.new /usr/bin/lectern
install -d -o lectern -g lectern -m 0750 /var/lib/lectern
install -d -m 0755 /etc/lectern
[ -e /etc/lectern/config.toml ] || install -o root -g lectern -m 0640 config.toml /etc/lectern/config.toml
for unit in systemd/*; do install -D -m 0644 "$unit" "/usr/lib/systemd/system/${unit##*/}"; done
for page in man/*; do install -D -m 0644 "$page" "/usr/share/man/man1/${page##*/}"; done
install -D -m 0644 config.example.toml /usr/share/doc/lectern/config.example.toml
install -D -m 0644 completions/lectern.bash /usr/share/bash-completion/completions/lectern
install -D -m 0644 completions/lectern.fish /usr/share/fish/vendor_completions.d/lectern.fish
# Completions of packages are in another folder of zsh in Debian.
zsh=/usr/share/zsh/site-functions
[ ! -e /etc/debian_version ] || zsh=/usr/share/zsh/vendor-completions
install -D -m 0644 completions/_lectern "$zsh/_lectern"
if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    # The new version backs up the database before it migrates it.
    systemctl try-restart lectern.service
fi
echo "lectern is installed. Set it up with: sudo lectern setup"
