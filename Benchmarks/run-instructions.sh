#!/usr/bin/env bash
# Counts the instructions that the monitor needs for an advert, on arm64 and on amd64, in the emulator qemu-user. Needs root.
# Usage: Benchmarks/run-instructions.sh [FOLDER]     FOLDER: the packages from scripts/package.sh --architecture arm64
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scripts=$here/../scripts
packages=${1-$here/../.build/package-arm64}

"$scripts/prepare.sh" build package cross instructions
[ -e "$packages" ] || "$scripts/package.sh" --architecture arm64 --output "$packages" findmybike
"$scripts/arm64/root.sh" trixie >/dev/null
root=$("$scripts/arm64/root.sh" trixie programs "$(realpath "$packages")"/findmybike{,-monitor}_*_arm64.deb)

build=(swift build --package-path "$here/.." --configuration release --static-swift-stdlib)
"${build[@]}" --product findmybike
work=$(mktemp -d "${TMPDIR:-/tmp}/findmybike-instructions.XXXXXX")
trap 'rm -rf "$work"' EXIT
# As in the package, the monitor is a second name of findmybike.
ln -s "$("${build[@]}" --show-bin-path)/findmybike" "$work/"
ln -s findmybike "$work/findmybike-monitor"
cc -Wall -Wextra -Werror -shared -fPIC -O2 -o "$work/count-instructions.so" "$here/count-instructions.c"
python3 -B "$here/instruction_rounds.py" "$work" "$root" "$work/findmybike-monitor"
