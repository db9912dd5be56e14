#!/usr/bin/env bash
# Measures the monitor while it listens through 20 Bluetooth proxies of 200 advertisements a second each, and
# aioesphomeapi in turn, three times. Needs the tests' virtual environment (scripts/prepare.sh tests).
# Usage: Benchmarks/run-receivers.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=$here/../.build/venv/bin/python

programs=$("$here/build.sh" findmybike-monitor)
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
strip -o "$stripped" "$programs/findmybike-monitor"
chmod +x "$stripped"

for _ in 1 2 3; do
    "$python" "$here/receivers.py" monitor "$stripped"
    "$python" "$here/receivers.py" peer
done
