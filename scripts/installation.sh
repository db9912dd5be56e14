#!/usr/bin/env bash
# Installs the packages in a clean Debian with a real systemd in a container, and checks them there: installed, started,
# upgraded, purged. Needs root (systemd-nspawn).
#
# Usage: scripts/installation.sh [FOLDER]   packages that scripts/package.sh has made; made now if no folder is given
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
[ "$(id -u)" -eq 0 ] || { echo "installation.sh: run it as root: a container needs it" >&2; exit 77; }
"$here/scripts/prepare.sh" build package
packages=${1-}
if [ -z "$packages" ]; then
    packages=$here/.build/package
    rm -rf "$packages"
    "$here/scripts/package.sh" --output "$packages"
fi

# A clean system is made once and copied for each run.
base=$here/.build/installation/base
if [ ! -f "$base.complete" ]; then
    rm -rf "$base"
    mkdir -p "${base%/*}"
    echo "Installing a clean Debian in $base"
    debootstrap --variant=minbase --include=adduser,ca-certificates,curl,dbus,python3,sudo,systemd,systemd-sysv \
        bookworm "$base" >"$base.log" 2>&1 || { tail -n 20 "$base.log" >&2; exit 69; }
    touch "$base.complete"
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/findmybike-installation.XXXXXX")
trap 'rm -rf "$work"' EXIT
cp -a "$base" "$work/root"
mkdir "$work/root/packages"
cp "$packages"/*.deb "$work/root/packages/"
cp "$here"/Tests/Installation/*.py "$here/scripts/demo/receiver.py" "$work/root/packages/"

# A certificate whose key only root may read.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost -keyout "$work/root/packages/key.pem" \
    -out "$work/root/packages/certificate.pem" 2>/dev/null

# The same packages with a higher version, for the upgrade.
mkdir "$work/root/packages/next"
for package in "$packages"/*.deb; do
    dpkg-deb --raw-extract "$package" "$work/next"
    sed -i 's/^Version: .*/&+next/' "$work/next/DEBIAN/control"
    dpkg-deb --root-owner-group --build "$work/next" "$work/root/packages/next/" >/dev/null
    rm -rf "$work/next"
done

# Downloads come before the container has a network of its own.
chroot "$work/root" sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y \
    --no-install-recommends /packages/*.deb' >"$work/install.log" 2>&1 || { cat "$work/install.log" >&2; exit 1; }
cp "$work/install.log" "$work/root/packages/install.log"

# Whatever the checks say, the container ends.
cat >"$work/root/etc/systemd/system/installation.service" <<'UNIT'
[Unit]
Description=Checks of an installation
After=multi-user.target dbus.service
[Service]
Type=oneshot
ExecStart=/bin/sh -c '/usr/bin/python3 -B /packages/check.py > /packages/result.log 2>&1; echo $? > /packages/status'
ExecStopPost=/usr/bin/systemctl --no-block poweroff
TimeoutStartSec=300
[Install]
WantedBy=default.target
UNIT
ln -s /etc/systemd/system/installation.service "$work/root/etc/systemd/system/multi-user.target.wants/"
timeout 420 systemd-nspawn --quiet --directory "$work/root" --boot --register=no --keep-unit --private-network \
    --console=pipe </dev/null >"$work/console.log" 2>&1 || true
cat "$work/root/packages/result.log" 2>/dev/null || tail -n 50 "$work/console.log" >&2
status=$(cat "$work/root/packages/status" 2>/dev/null || echo 70)
[ "$status" = 0 ] && echo "The packages install, start, upgrade and purge."
exit "$status"
