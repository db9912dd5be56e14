#!/usr/bin/env bash
# Makes a clean Debian for arm64 on a machine of another architecture, by qemu-user. Needs root.
#
# Usage: scripts/arm64/root.sh FOLDER SUITE PACKAGE…
#   FOLDER   the new root; kept if it was made before with the same packages
#   SUITE    trixie (Debian 13) or bookworm (Debian 12)
#   PACKAGE  packages besides the essential ones
#
# Debian's archive is the one in this machine's apt settings.
set -euo pipefail
umask 022
here=$(cd "$(dirname "$0")/../.." && pwd)
[ $# -ge 2 ] || { sed -n '/^# Usage/,/^#$/{/^#$/d; s/^# \{0,1\}//p}' "$0" >&2; exit 64; }
[ "$(id -u)" -eq 0 ] || { echo "root.sh: run it as root, which roots for other architectures need" >&2; exit 77; }
root=$1 suite=$2
shift 2
included=$(IFS=,; echo "$*")
[ "$(cat "$root.complete" 2>/dev/null)" != "$suite:$included" ] || exit 0
"$here/scripts/prepare.sh" package cross
rm -rf "$root"
mkdir -p "${root%/*}"
echo "Installing a clean Debian ($suite, arm64) in $root"
archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)
{
    debootstrap --foreign --arch=arm64 --variant=minbase ${included:+"--include=$included"} "$suite" "$root" "$archive"
    # What these make is this machine's, and a user namespace may not make it again.
    sed -i -E 's/^(check_sane_mount|setup_devices|setup_proc) ?\(\) ?\{/&\n\treturn 0/' "$root/debootstrap/functions"
    "$here/scripts/arm64/enter.py" "$root" /debootstrap/debootstrap --second-stage
} >"$root.log" 2>&1 || { tail -n 20 "$root.log" >&2; exit 69; }
echo "$suite:$included" >"$root.complete"
