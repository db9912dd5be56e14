#!/usr/bin/env bash
# Checks the programs with a real kernel and a real bluetoothd, in a virtual machine with virtual controllers.
#
# Usage: scripts/laboratory.sh prepare              install and download missing packages
#        scripts/laboratory.sh check [NAME …]       build, then run all checks, or the checks whose names contain NAME
#        scripts/laboratory.sh run [OPTION …] -- COMMAND [ARGUMENT …]   (see Tests/Laboratory/run.sh)
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
laboratory=$here/Tests/Laboratory

prepare() {
    "$here/scripts/prepare.sh" build laboratory
    "$laboratory/prepare.sh" >/dev/null
}

check() {
    local programs product names=()
    for name in "$@"; do names+=(-k "$name"); done
    for product in findmybike findmybike-monitor findmybike-registry; do
        swift build --package-path "$here" --quiet --product "$product"
    done
    programs=$(swift build --package-path "$here" --show-bin-path)
    work=$(mktemp -d "${TMPDIR:-/tmp}/findmybike-laboratory.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    cc -std=gnu11 -O2 -Wall -Wextra -Werror -o "$work/virtual-controller" "$laboratory/virtual-controller.c"
    "$laboratory/run.sh" --limit 900 --share "$work" -- \
        env FINDMYBIKE_PROGRAMS="$programs" FINDMYBIKE_VIRTUAL_CONTROLLER="$work/virtual-controller" \
        python3 -B -u -m unittest discover -v -s "$laboratory/checks" -p 'check_*.py' "${names[@]}"
}

case ${1-} in
    prepare) prepare ;;
    check) shift; prepare; check "$@" ;;
    run) shift; prepare; exec "$laboratory/run.sh" "$@" ;;
    *) sed -n '/^# Usage/,/^set -/{s/^# \{0,1\}//p}' "$0" >&2; exit 64 ;;
esac
