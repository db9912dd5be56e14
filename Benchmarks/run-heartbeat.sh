#!/usr/bin/env bash
# Measures a heartbeat that says what was heard in a quarter of an hour, beside one that does not.
# Usage: Benchmarks/run-heartbeat.sh [ROUNDS]
#   ROUNDS         10 by default; 180 heartbeats of each kind in each
#   CONFIGURATION  release (the default), or debug to try the script
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
programs=$("$here/build.sh" findmybike-registry)
python3 "$here/heartbeat_rounds.py" "$programs" "${1:-10}"
