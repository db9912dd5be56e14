#!/usr/bin/env bash
# Builds and runs the tests of some rooms, and builds nothing else: ‘swift test’ builds all tests and programs first.
# Uses a plain debug build, in which a changed file is compiled alone.
#
# Usage: scripts/room.sh ROOM… [-- OPTION…]
#   ROOM     a room, all of whose tests run, or a folder in Tests: RegistryAPI, ProgramTests
#   OPTION   an option of ‘swift test’: --filter PatchTests
set -euo pipefail
cd "$(dirname "$0")/.."

tests=()
while [ "$#" -gt 0 ] && [ "$1" != -- ]; do
    if compgen -G "Tests/*/${1}Tests" >/dev/null; then
        tests+=("${1}Tests")
    elif [[ $1 = *Tests ]] && compgen -G "Tests/*/$1" >/dev/null; then
        tests+=("$1")
    else
        echo "room.sh: ‘$1’ has no tests: there is no folder Tests/…/${1}Tests. Options go after --." >&2
        exit 64
    fi
    shift
done
if [ "${#tests[@]}" -eq 0 ]; then
    sed -n '5,7s/^# *//p' "$0" >&2
    exit 64
fi
if [ "${1-}" = -- ]; then shift; fi
scripts/prepare.sh build tests
FINDMYBIKE_TARGETS=$(IFS=,; echo "${tests[*]}")
export FINDMYBIKE_TARGETS SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-6}"
mkdir -p .build
exec python3 scripts/test/run.py .build/test.log swift test "$@"
