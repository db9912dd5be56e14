#!/usr/bin/env bash
# Installs what the tests need, builds, and runs all of them. Arguments go to ‘swift test’: --filter MonitorTests
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

"$here/scripts/prepare.sh" build tests
# Tests start programs and open databases: a handful at a time keeps descriptors few and slow machines fair.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-6}"
swift test --package-path "$here" "$@"
