#!/usr/bin/env bash
# Installs the packages in a clean Debian container with a real systemd, by typing the commands in README.md and the guides
# for operators and venues, and checks them: installed, started, upgraded, purged. Needs root (systemd-nspawn).
#
# Usage: scripts/installation.sh [FOLDER]   the packages from scripts/package.sh; without a folder it makes them
set -euo pipefail
umask 022
here=$(cd "$(dirname "$0")/.." && pwd)
[ "$(id -u)" -eq 0 ] || { echo "installation.sh: run it as root, which containers need" >&2; exit 77; }
"$here/scripts/prepare.sh" build package repository
PYTHONPATH=$here/Tests/Installation:$here/Tests/Programs/ProgramTests/Fixtures python3 -B -m unittest --quiet test_pages test_repository
packages=${1-}
if [ -z "$packages" ]; then
    packages=$here/.build/package
    rm -rf "$packages"
    "$here/scripts/package.sh" --output "$packages"
fi

# The clean system is made once and copied for each run. Python is for the fake bluetoothd.
base=$here/.build/installation/base
included=adduser,ca-certificates,curl,dbus,python3,python3-dbus,python3-gi,sudo,systemd,systemd-sysv
if [ "$(cat "$base.complete" 2>/dev/null)" != "$included" ]; then
    rm -rf "$base"
    mkdir -p "${base%/*}"
    echo "Installing a clean Debian in $base"
    debootstrap --variant=minbase --include="$included" bookworm "$base" >"$base.log" 2>&1 ||
        { tail -n 20 "$base.log" >&2; exit 69; }
    env -u TMPDIR chroot "$base" apt-get clean
    echo "$included" >"$base.complete"
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/findmybike-installation.XXXXXX")
trap 'rm -rf "$work"' EXIT
cp -a "$base" "$work/root"
mkdir "$work/root/packages"
cp "$here"/Tests/Installation/*.py "$here/Tests/Programs/ProgramTests/Fixtures/guide.py" \
    "$here/Tests/Radio/BlueZTests/Fixtures/fake_bluez.py" "$here/scripts/demo/receiver.py" "$work/root/packages/"
mkdir -p "$work/root/packages/pages/docs/guide"
cp "$here/README.md" "$work/root/packages/pages/"
cp "$here"/docs/guide/*.md "$work/root/packages/pages/docs/guide/"
cp -r "$here/Tests/Installation/root/." "$work/root/"

# An authority that the system trusts like a public one, from which Caddy gets its certificates, and a certificate whose
# key only root may read.
certificate() { openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "$@" 2>/dev/null; }
certificate -subj "/CN=Authority of the installation" -keyout "$work/root/packages/authority.key" \
    -out "$work/root/usr/local/share/ca-certificates/authority.crt"
chmod 644 "$work/root/packages/authority.key"
certificate -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout "$work/root/packages/key.pem" \
    -out "$work/root/packages/certificate.pem"

# The operator's source of the packages, and what it becomes when a new version is added.
url=https://registry.example.org/apt architecture=$(dpkg --print-architecture)
"$here/scripts/repository.sh" --new-key "$work/packages.key" "Packages of the installation"
"$here/scripts/repository.sh" "$work/root/srv/findmybike" "$work/packages.key" "$url" "$packages"/*_"$architecture".deb
"$here/scripts/package/next.sh" "$work/next" "$packages"/*_"$architecture".deb
cp -a "$work/root/srv/findmybike" "$work/root/packages/source"
"$here/scripts/repository.sh" "$work/root/packages/source" "$work/packages.key" "$url" "$work"/next/*.deb

# Download before the container loses the network: apt then uses its cache.
env -u TMPDIR chroot "$work/root" sh -e >"$work/prepared.log" 2>&1 <<'PREPARE' || { cat "$work/prepared.log" >&2; exit 1; }
update-ca-certificates
for person in anna ben cleo; do
    adduser --disabled-password --gecos "" $person
done
apt-get update -qq
apt-get install -qq -y --download-only /srv/findmybike/pool/*.deb caddy rsync
PREPARE

# The container ends even if the checks fail.
ln -s /etc/systemd/system/installation.service "$work/root/etc/systemd/system/multi-user.target.wants/"
timeout 3600 systemd-nspawn --quiet --directory "$work/root" --boot --register=no --keep-unit --private-network \
    --console=pipe </dev/null >"$work/console.log" 2>&1 || true
cat "$work/root/packages/result.log" 2>/dev/null || tail -n 50 "$work/console.log" >&2
status=$(cat "$work/root/packages/status" 2>/dev/null || echo 70)
[ "$status" = 0 ] && echo "The packages install, start, upgrade and purge."
exit "$status"
