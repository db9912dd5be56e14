#!/usr/bin/env bash
# Builds programs and benchmarks, and prints their folder. A release build has the folder and the flags of
# scripts/package.sh, so that packages and benchmarks come from one build.
# Usage: Benchmarks/build.sh PRODUCT…
#   CONFIGURATION  release (the default), or debug to try a benchmark with the build of scripts/room.sh
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
configuration=${CONFIGURATION:-release}
[ $# -gt 0 ] || { sed -n '/^# .*Usage/,/^set -/{/^set -/d; s/^# \{0,1\}//p}' "$0" >&2; exit 64; }

build=(swift build --package-path "$here" --configuration "$configuration")
[ "$configuration" != release ] ||
    build+=(--static-swift-stdlib -debug-info-format none --scratch-path "$here/.build/$(dpkg --print-architecture)")
export FINDMYBIKE_BENCHMARKS=1
for product in "$@"; do "${build[@]}" --product "$product" >&2; done
exec "${build[@]}" --show-bin-path
