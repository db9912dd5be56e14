#!/usr/bin/env bash
# Measures the monitor's resident memory over an hour of a busy street. Usage: Benchmarks/run-busy-street.sh [--static]
# --static: programs that carry the Swift libraries inside, as they are released.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scenario=$here/../config/scenarios/dense-street.yaml
build=(swift build --package-path "$here" --configuration release)
if [ "${1:-}" = --static ]; then build+=(--static-swift-stdlib --scratch-path "$here/.build/static"); fi

"${build[@]}" --product busy-street
"${build[@]}" --product findmybike-monitor
programs=$("${build[@]}" --show-bin-path)

echo "== scanner to outbox, the scenario's own missing bikes"
"$programs/busy-street" "$scenario" 0 | tail -n 1
echo "== scanner to outbox, and 1,000,000 identities"
"$programs/busy-street" "$scenario" 1000000 | tail -n 1
echo "== findmybike-monitor against a registry"
python3 "$here/monitor_memory.py" "$programs/findmybike-monitor" "$scenario"
