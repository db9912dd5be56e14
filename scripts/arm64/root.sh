#!/usr/bin/env bash
# Makes a root with a clean Debian for arm64 on a machine of another architecture, and prints its folder. As root. It is made
# once: copy it to change something in it.
#
# Usage: scripts/arm64/root.sh SUITE                  SUITE: trixie (Debian 13) or bookworm (Debian 12)
#        scripts/arm64/root.sh BASE NAME PACKAGE…     a copy of the root BASE, with these packages: names, or .deb files
set -euo pipefail
umask 022
here=$(cd "$(dirname "$0")/../.." && pwd)
[ $# -eq 1 ] || [ $# -ge 3 ] || { sed -n '/^# Usage/,/^set -/{/^set -/d; s/^# \{0,1\}//p}' "$0" >&2; exit 64; }
roots=$here/.build/arm64-roots base=$roots/$1 name=${2-$1} included=ca-certificates,curl,dbus
root=$roots/$name
packages=("${@:3}")

install_base() {
    local archive
    archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)
    debootstrap --force-check-gpg --foreign --arch=arm64 --variant=minbase --include="$included" "$name" "$root" "$archive"
    # What these make is this machine's, and a user namespace may not make it again.
    sed -i -E 's/^(check_sane_mount|setup_devices|setup_proc) ?\(\) ?\{/&\n\treturn 0/' "$root/debootstrap/functions"
    "$here/scripts/arm64/enter.py" "$root" /debootstrap/debootstrap --second-stage
}

install_packages() {
    local package installed=()
    cp -a "$base" "$root"
    for package in "${packages[@]}"; do
        case $package in
            *.deb) cp "$package" "$root/var/tmp/" && installed+=("/var/tmp/${package##*/}") ;;
            *) installed+=("$package") ;;
        esac
    done
    "$here/scripts/arm64/enter.py" "$root" apt-get update -q
    "$here/scripts/arm64/enter.py" "$root" apt-get install -q -y --no-install-recommends "${installed[@]}"
}

# What it is made of. Another edition is made again.
edition() {
    [ "${#packages[@]}" -gt 0 ] || { echo "$included"; return; }
    cat "$base.complete"
    echo "${packages[@]##*/}"
    for package in "${packages[@]}"; do
        [ ! -f "$package" ] || sha256sum <"$package"
    done
}

wanted=$(edition)
if [ "$(cat "$root.complete" 2>/dev/null)" != "$wanted" ]; then
    rm -rf "$root" "$root.complete"
    mkdir -p "$roots"
    echo "Installing Debian for arm64 in $root" >&2
    install=install_packages
    [ "${#packages[@]}" -gt 0 ] || install=install_base
    # In a shell of its own, because ‘||’ would switch ‘set -e’ off.
    (set -e; "$install") >"$root.log" 2>&1 &
    wait $! || { tail -n 20 "$root.log" >&2; exit 69; }
    echo "$wanted" >"$root.complete"
fi
echo "$root"
