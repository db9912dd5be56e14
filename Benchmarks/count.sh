#!/usr/bin/env bash
# Counts the instructions of requests to the registry and of adverts at the monitor, with callgrind: the counts do not depend
# on how busy the machine is. The release build is that of scripts/package.sh.
#
# Usage: Benchmarks/count.sh show [NAME…]           count, and print
#        Benchmarks/count.sh check [NAME…]          count, and fail if one is more than 3 % above Benchmarks/instructions.tsv
#        Benchmarks/count.sh update [NAME…]         count, and write that file
#        Benchmarks/count.sh profile NAME           print the functions with the most instructions
#        sudo Benchmarks/count.sh arm64 [FOLDER]    count an advert on arm64, in the emulator qemu-user
#   NAME    of a count, as in that file; all if not given
#   FOLDER  the packages from scripts/package.sh --architecture arm64; without it, the script makes them
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scripts=$here/../scripts

usage() {
    sed -n '/^# Usage/,/^set -/{/^set -/d; s/^# \{0,1\}//p}' "$0" >&2
    exit 64
}

# Builds the programs. As in the packages, the monitor is a second name of findmybike.
build() {
    local built
    built=$("$here/build.sh" findmybike findmybike-registry hci-stream)
    ln -s "$built"/{findmybike,findmybike-registry,hci-stream} "$work/"
    ln -s findmybike "$work/findmybike-monitor"
}

# Compiles a library for the programs or the emulator: NAME
compile() { cc -Wall -Wextra -Werror -shared -fPIC -O2 -D_GNU_SOURCE -o "$work/$1.so" "$here/instructions/$1.c"; }

arm64() {
    local packages=${1-$here/../.build/package-arm64} root
    "$scripts/prepare.sh" build package cross instructions
    [ -e "$packages" ] || "$scripts/package.sh" --architecture arm64 --output "$packages" findmybike
    "$scripts/arm64/root.sh" trixie >/dev/null
    root=$("$scripts/arm64/root.sh" trixie programs "$(realpath "$packages")"/findmybike{,-monitor}_*_arm64.deb)
    build
    compile qemu_plugin
    python3 -B "$here/instructions/arm64.py" "$work" "$root"
}

[ $# -gt 0 ] || usage
command=$1
shift
work=$(mktemp -d "${TMPDIR:-/tmp}/findmybike-instructions.XXXXXX")
trap 'rm -rf "$work"' EXIT
case $command in
    show | check | update | profile)
        "$scripts/prepare.sh" build tests instructions
        build
        compile sigsuspend
        python3 -B "$here/instructions/counts.py" "$work" "$command" "$@"
        ;;
    arm64) arm64 "$@" ;;
    *) usage ;;
esac
