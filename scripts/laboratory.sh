#!/usr/bin/env bash
# Checks the programs with a real kernel and a real bluetoothd, in a virtual machine with virtual controllers.
#
# Usage: scripts/laboratory.sh prepare              install and download missing packages
#        scripts/laboratory.sh check [OPTION …] [NAME …]
#                                                   build, then run all checks, or the checks whose names contain NAME
#        scripts/laboratory.sh run [OPTION …] -- COMMAND [ARGUMENT …]   (see Tests/Laboratory/run.sh)
# Options of check, with sudo:
#   --architecture arm64   in a virtual machine like a Raspberry Pi 5: a kernel with 16 kB pages, Debian 13's bluetoothd,
#                          and the packages, installed
#   --packages FOLDER      the packages from scripts/package.sh --architecture arm64; without it, the script makes them
#
# Both machines run the same checks. Debian's kernels for arm64 have no /dev/vhci: there, the virtual controllers are at
# the ends of serial cables, as a Pi's own controller is. They speak plain H4, without a Pi's firmware, and there are two
# cables at most.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
laboratory=$here/Tests/Laboratory

prepare() {
    "$here/scripts/prepare.sh" laboratory
    "$laboratory/prepare.sh" >/dev/null
}

compile_controller() { # COMPILER [OPTION …]
    "$@" -std=gnu11 -O2 -Wall -Wextra -Werror -o "$work/virtual-controller" "$laboratory/virtual-controller.c"
}

prepare_arm64() {
    [ "$(id -u)" -eq 0 ] || { echo "laboratory.sh: run this with sudo: it sets up an arm64 file system" >&2; exit 77; }
    "$here/scripts/prepare.sh" build package cross laboratory-arm64
    if [ -z "$packages" ]; then
        packages=$here/.build/package-arm64
        rm -rf "$packages"
        "$here/scripts/package.sh" --architecture arm64 --output "$packages" findmybike
    fi
    # Without the packages, so that newer ones need not install Python again.
    "$here/scripts/arm64/root.sh" trixie >/dev/null
    "$here/scripts/arm64/root.sh" trixie laboratory bluez dbus-daemon python3 python3-dbus python3-gi socat >/dev/null
    root=$("$here/scripts/arm64/root.sh" laboratory laboratory-programs "$packages"/findmybike{,-monitor}_*_arm64.deb)
}

# Starts the registry's program outside the guest, where it listens on loopback, which is 10.0.2.2 in the guest.
start_outside() { # PROGRAMS
    mkfifo "$work/address"
    python3 -B "$laboratory/checks/registry.py" "$1" >"$work/address" 2>"$work/outside.log" &
    outside=$!
    read -r port <"$work/address" || { cat "$work/outside.log" >&2; exit 69; }
    settings+=("FINDMYBIKE_REGISTRY_OUTSIDE=10.0.2.2:$port")
}

clean_up() {
    [ -z "$outside" ] || { kill "$outside" && wait "$outside"; } || true
    rm -rf "$work"
}

check() {
    local architecture=amd64 packages='' root='' programs limit=900 names=() machine=() settings=()
    while [[ ${1-} == --* ]]; do
        [ $# -ge 2 ] || usage
        case "$1" in
            --architecture) architecture=$2 ;;
            --packages) packages=$(realpath "$2") ;;
            *) usage ;;
        esac
        shift 2
    done
    for name in "$@"; do
        # Python before 3.12 ends with 0 if no check has the name.
        grep -hE '^ *(class|def test)' "$laboratory"/checks/check_*.py | grep -qF -- "$name" ||
            { echo "laboratory.sh: no check's name contains ‘$name’" >&2; exit 64; }
        names+=(-k "$name")
    done
    outside=
    work=$(mktemp -d "${TMPDIR:-/tmp}/findmybike-laboratory.XXXXXX")
    trap clean_up EXIT
    case $architecture in
        amd64)
            prepare
            programs=$("$here/scripts/build.sh" findmybike findmybike-monitor findmybike-registry)
            start_outside "$programs"
            compile_controller cc
            ;;
        arm64)
            prepare_arm64
            start_outside "$("$here/scripts/build.sh" findmybike findmybike-registry)"
            compile_controller aarch64-linux-gnu-gcc -static
            programs=/usr/bin limit=3600 machine=(--arm64 "$root")
            # An emulated arm64 is slower still.
            settings+=(FINDMYBIKE_PATIENCE=3)
            ;;
        *) usage ;;
    esac
    "$laboratory/run.sh" "${machine[@]}" --limit "$limit" --share "$work" -- \
        env FINDMYBIKE_PROGRAMS="$programs" FINDMYBIKE_VIRTUAL_CONTROLLER="$work/virtual-controller" "${settings[@]}" \
        python3 -B -u -m unittest discover -v -s "$laboratory/checks" -p 'check_*.py' "${names[@]}"
}

usage() {
    sed -n '/^# Usage/,/^#$/{/^#$/d; s/^# \{0,1\}//p}' "$0" >&2
    exit 64
}

case ${1-} in
    prepare) prepare ;;
    check) shift; check "$@" ;;
    run) shift; prepare; exec "$laboratory/run.sh" "$@" ;;
    *) usage ;;
esac
