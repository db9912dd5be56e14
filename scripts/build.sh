#!/usr/bin/env bash
# Builds the programs for the checks, and prints their folder: each module is compiled as a whole, without optimization and
# without debug information, which is the quickest way from a clean clone. They have a folder of their own, .build/whole,
# because a plain ‘swift build’ has other flags and would rebuild everything.
#
# Usage: scripts/build.sh [--tests | PRODUCT …]
#   --tests   also build the tests
#   PRODUCT   only these programs; all if none is named
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

# The gate has built everything. Its checks run side by side, and would wait for each other to find that out.
if [ -n "${FINDMYBIKE_BUILT-}" ]; then
    echo "$FINDMYBIKE_BUILT"
    exit
fi
"$here/scripts/prepare.sh" build >&2
# SwiftPM would take its plan from the cache while no file is added or removed, and then not bundle the web pages again.
flags=(
    --disable-build-manifest-caching --package-path "$here" --scratch-path "$here/.build/whole"
    --configuration release -debug-info-format none -Xswiftc -Onone -Xswiftc -enable-testing
    # Otherwise the driver reads and type-checks each module twice, at the same time: once for its interface.
    -Xswiftc -no-emit-module-separately-wmo
    # Most of BoringSSL's hot functions are assembly.
    -Xcc -O0
)
[ -d "$here/.build/whole" ] || echo "Building in .build/whole; from a clean clone this takes about ten minutes." >&2
# Set for a room, it would leave out the others.
unset FINDMYBIKE_TARGETS
build() { swift build "${flags[@]}" --quiet "$@" >&2; }
case $* in
    '') build ;;
    --tests) build --build-tests ;;
    *-\-*) sed -n '/^# Usage/,/^set -/{/^set -/d; s/^# \{0,1\}//p}' "$0" >&2; exit 64 ;;
    # One build for all of them: with one for each, a processor would have nothing to do at the end of each.
    *) FINDMYBIKE_TARGETS=$(IFS=,; echo "$*") build ;;
esac
swift build "${flags[@]}" --show-bin-path
