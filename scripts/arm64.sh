#!/usr/bin/env bash
# Tests the packages for arm64 on a machine of another architecture: with the emulator qemu-user, in a clean Debian for
# arm64, they are installed from a signed apt source, run, upgraded and purged. Needs root.
#
# Usage: scripts/arm64.sh [SUITE [FOLDER]]
#   SUITE   trixie (Debian 13, if not given) or bookworm (Debian 12)
#   FOLDER  the packages from scripts/package.sh --architecture arm64; without it, the script makes them
set -euo pipefail
umask 022
here=$(cd "$(dirname "$0")/.." && pwd)
suite=${1-trixie} packages=${2-}
[ $# -le 2 ] && [[ $suite =~ ^(trixie|bookworm)$ ]] ||
    { sed -n '/^# Usage/,/^set -/{/^set -/d; s/^# \{0,1\}//p}' "$0" >&2; exit 64; }
[ "$(id -u)" -eq 0 ] || { echo "arm64.sh: run this with sudo: it sets up an arm64 file system" >&2; exit 77; }
"$here/scripts/prepare.sh" demo package cross repository
if [ -z "$packages" ]; then
    packages=$here/.build/package-arm64
    rm -rf "$packages"
    "$here/scripts/package.sh" --architecture arm64 --output "$packages"
fi

base=$("$here/scripts/arm64/root.sh" "$suite")
work=$(mktemp -d "${TMPDIR:-/tmp}/findmybike-arm64.XXXXXX")
trap 'rm -rf "$work"' EXIT
cp -a "$base" "$work/root"
programs=$("$here/scripts/build.sh" findmybike-registry)
python3 -B "$here/Tests/Arm64/check.py" --work "$work" --packages "$packages" --programs "$programs"
