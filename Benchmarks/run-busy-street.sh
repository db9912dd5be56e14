#!/usr/bin/env bash
# Measures the monitor's resident memory over an hour of a busy street.
# Usage: Benchmarks/run-busy-street.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scenario=$here/../config/scenarios/dense-street.yaml
programs=$("$here/build.sh" findmybike-monitor)
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
strip -o "$stripped" "$programs/findmybike-monitor"
chmod +x "$stripped"

echo "== the scenario's own missing bikes"
python3 "$here/monitor_memory.py" "$stripped" "$scenario"
echo "== and 1,000,000 others"
python3 "$here/monitor_memory.py" "$stripped" "$scenario" 1000000
