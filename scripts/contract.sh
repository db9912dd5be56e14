#!/usr/bin/env bash
# Tests the running registry against the contract that it serves, with schemathesis. Usage: scripts/contract.sh [SECONDS]
#   SECONDS  the run fails if it takes longer; 900 if not given
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

"$here/scripts/prepare.sh" build tests
swift build --package-path "$here" --quiet --product findmybike-registry
exec "$here/.build/venv/bin/python" "$here/scripts/contract/check.py" \
    --program "$(swift build --package-path "$here" --show-bin-path)/findmybike-registry" --seconds "${1:-900}"
