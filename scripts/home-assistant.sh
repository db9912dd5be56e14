#!/usr/bin/env bash
# Listens through a real Home Assistant with Bluetooth proxies. Needs root (chroot), and the network, from which Home
# Assistant installs itself and what its integrations need in a Debian of its own.
#
# Usage: scripts/home-assistant.sh [--minutes NUMBER] [PROGRAMS]
#        scripts/home-assistant.sh passes [PROGRAMS]
#   PROGRAMS   the folder of the built programs; without one it builds them
#   --minutes  how long two proxies forward many adverts; 2 if not given, none if 0. Home Assistant counts each of them
#   passes     the share of bikes that ride past which are reported through Home Assistant, BlueZ, and a proxy
# Without “passes”, it checks: heard, many adverts, restarted, proxy lost, token revoked.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
script=check minutes=2
if [ "${1-}" = passes ]; then script=passes; shift; fi
if [ "${1-}" = --minutes ] && [ $# -ge 2 ]; then minutes=$2; shift 2; fi
if [[ ${1-} == -* || ! $minutes =~ ^[0-9]+$ ]]; then sed -n '/^# Usage/,/^set -/{/^set -/d; s/^# \{0,1\}//p}' "$0" >&2; exit 64; fi
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
exec '$here/.build/venv/bin/python' -B '$here/Tests/HomeAssistant/$script.py' '$root' '$programs' '$minutes'"
