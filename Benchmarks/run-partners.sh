#!/usr/bin/env bash
# Measures registries that are partners: how long an alert takes from a station of one to an owner of the other, and what
# fifty partners with 100,000 missing bikes each cost. Usage: Benchmarks/run-partners.sh [SECONDS]
#   SECONDS        how long the load lasts; 30 by default
#   REALTIME=1     as root: nothing else runs on the processors meanwhile; for machines that are busy with other work
#   CONFIGURATION  release (the default), or debug to try the script
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
"$here/../scripts/prepare.sh" partners
programs=$("$here/build.sh" findmybike-registry findmybike-monitor)
echo "== from a station of one registry to an owner of another, both under load"
first=(${REALTIME:+chrt --rr 5})
"${first[@]}" python3 -B "$here/partners/latency.py" "$programs" "${1:-30}"
echo "== fifty partners"
"${first[@]}" python3 -B "$here/partners/many.py" "$programs"
