#!/usr/bin/env bash
# Measures the monitor while it listens through 20 Bluetooth proxies of 200 advertisements a second each, linked statically
# as in a release, and aioesphomeapi beside it. Needs the tests' virtual environment (scripts/prepare.sh tests).
# Usage: Benchmarks/run-receivers.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=(swift build --package-path "$here/.." --configuration release --static-swift-stdlib)
python=$here/../.build/venv/bin/python

"${build[@]}" --product findmybike-monitor
programs=$("${build[@]}" --show-bin-path)
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
strip -o "$stripped" "$programs/findmybike-monitor"
chmod +x "$stripped"

"$python" "$here/receivers.py" monitor "$stripped"
"$python" "$here/receivers.py" peer
