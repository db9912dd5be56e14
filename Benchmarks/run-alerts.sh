#!/usr/bin/env bash
# Measures how long an alert takes from a station's POST to a webhook's receiver. Usage: Benchmarks/run-alerts.sh [SECONDS]
#   SECONDS        how long to send each of the two kinds of requests; 20 by default
#   CONFIGURATION  release (the default), or debug to try the script
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
programs=$("$here/build.sh" findmybike-registry)
exec python3 "$here/alerts/latency.py" "$programs" "${1:-20}"
