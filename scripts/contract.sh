#!/usr/bin/env bash
# Checks the contract that the registry serves, with openapi-spec-validator, and tests the running registry against it,
# with schemathesis.
# Usage: scripts/contract.sh [SECONDS [EXAMPLES]]
#   SECONDS   the run fails if it takes longer; 900 if not given
#   EXAMPLES  generated requests for each operation; as in scripts/contract/schemathesis.toml if not given
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

"$here/scripts/prepare.sh" tests
programs=$("$here/scripts/build.sh" findmybike-registry)
exec "$here/.build/venv/bin/python" "$here/scripts/contract/check.py" \
    --program "$programs/findmybike-registry" --seconds "${1:-900}" \
    ${2:+-- --max-examples "$2"}
