#!/usr/bin/env bash
# Listens through a real Home Assistant with two Bluetooth proxies: heard, restarted, proxy lost, token revoked. Needs root
# (chroot), and the network, from which Home Assistant installs itself and what its integrations need in a Debian of its
# own.
#
# Usage: scripts/home-assistant.sh [PROGRAMS]   the folder of the built programs; without one it builds them
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
[ "$(id -u)" -eq 0 ] || { echo "home-assistant.sh: run it as root, which chroot needs" >&2; exit 77; }
"$here/scripts/prepare.sh" home-assistant tests
programs=${1-}
if [ -z "$programs" ]; then programs=$("$here/scripts/build.sh" findmybike findmybike-monitor); fi

# Python 3.13 takes Home Assistant up to 2026.2. Compilers are for what has no wheel.
version=2026.2.3
root=$here/.build/home-assistant/root
included=ca-certificates,g++,gcc,libffi-dev,libpcap0.8t64,libturbojpeg0,python3,python3-dev,python3-venv
if [ "$(cat "$root.complete" 2>/dev/null)" != "$version $included" ]; then
    rm -rf "$root"
    mkdir -p "${root%/*}"
    echo "Installing Home Assistant $version in $root"
    debootstrap --variant=minbase --include="$included" trixie "$root" >"$root.log" 2>&1 ||
        { tail -n 20 "$root.log" >&2; exit 69; }
    # This machine's way to the packages: its authorities, and pip's settings.
    cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
    if [ -e /etc/pip.conf ]; then cp /etc/pip.conf "$root/etc/"; fi
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    unshare --mount sh -e >>"$root.log" 2>&1 <<INSTALL || { tail -n 20 "$root.log" >&2; exit 69; }
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
chroot "$root" python3 -m venv /srv/ha
chroot "$root" /srv/ha/bin/pip install --quiet "homeassistant==$version"
INSTALL
    echo "$version $included" >"$root.complete"
fi
cp /etc/resolv.conf /etc/hosts "$root/etc/"
rm -rf "$root/srv/config"
mkdir "$root/srv/config"
exec unshare --mount sh -ec "
mount -t proc proc '$root/proc'
mount --bind /dev '$root/dev'
mount --bind /sys '$root/sys'
exec '$here/.build/venv/bin/python' -B '$here/Tests/HomeAssistant/check.py' '$root' '$programs'"
