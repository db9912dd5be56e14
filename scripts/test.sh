#!/usr/bin/env bash
# Installs what the tests need, builds, and runs all of them. Arguments go to ‘swift test’: --filter MonitorTests
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

"$here/scripts/prepare.sh" build tests
exec swift test --package-path "$here" "$@"
