#!/usr/bin/env bash
# Measures how long an alert takes from a station's POST to a webhook's receiver. Usage: Benchmarks/run-alerts.sh [SECONDS]
#   SECONDS        how long each of the two kinds of requests is sent, 20 unless told
#   CONFIGURATION  release (the default) or debug, which tries the script out
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
configuration=${CONFIGURATION:-release}

swift build --package-path "$here/.." --configuration "$configuration" --product findmybike-registry
programs=$(swift build --package-path "$here/.." --configuration "$configuration" --show-bin-path)
exec python3 "$here/alerts/latency.py" "$programs" "${1:-20}"
