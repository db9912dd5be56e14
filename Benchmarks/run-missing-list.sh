#!/usr/bin/env bash
# Measures the missing list: its bytes at 10^6 bikes, and 10,000 stations that wait for a change of it.
# Usage: Benchmarks/run-missing-list.sh [STATIONS]. Needs as many open files as stations.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
programs=$("$here/build.sh" findmybike-registry missing-list)
ulimit -n "$(ulimit -Hn)"

echo "== 1,000,000 bikes"
"$programs/missing-list" codec
echo "== rotating beacons"
for bikes in 1000 10000; do
    folder=$(mktemp -d)
    "$programs/missing-list" rotation "$folder/registry.sqlite" "$bikes"
    rm -r "$folder"
done
echo "== waiting stations"
python3 "$here/waiting_stations.py" "$programs/findmybike-registry" "$programs/missing-list" "${1:-10000}"
