#!/usr/bin/env bash
# Runs everything once on this machine: a beacon in a capture from a real radio, a station, a registry, an alert.
#
# Usage: scripts/demo.sh [--simulate FILE [--speed N]] [--partners] [--keep] [--like PAGE]
#   --simulate FILE  play a scenario from config/scenarios/ instead of the capture
#   --speed N        N times as fast
#   --partners       with two registries: a bike stolen in one city is heard in another
#   --keep           leave the registry running until Ctrl-C, and print how to sign in to its owner’s page
#   --like PAGE      fail unless PAGE, such as README.md, shows the same story; only times and the port may differ
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

"$here/scripts/prepare.sh" build demo
programs=$("$here/scripts/build.sh" findmybike findmybike-monitor findmybike-registry)
exec python3 "$here/scripts/demo/play.py" --programs "$programs" "$@"
