#!/usr/bin/env bash
# Runs everything once on this machine: a beacon in a capture from a real radio, a station, a registry, an alert.
#
# Usage: scripts/demo.sh [--simulate FILE [--speed N]] [--keep]
#   --simulate FILE  play a scenario from config/scenarios/ instead of the capture
#   --speed N        N times as fast
#   --keep           leave the registry running until Ctrl-C, and print how to sign in to its owner’s page
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

"$here/scripts/prepare.sh" build demo
echo "Building; the first time takes some minutes."
swift build --package-path "$here" --quiet
exec python3 "$here/scripts/demo/play.py" --programs "$(swift build --package-path "$here" --show-bin-path)" "$@"
