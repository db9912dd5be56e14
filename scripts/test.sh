#!/usr/bin/env bash
# Installs what the tests need, builds, and runs all of them. Arguments go to ‘swift test’: --filter MonitorTests
# On failure the last lines name the failed tests and their issues; the whole output is in .build/test.log.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

"$here/scripts/prepare.sh" build tests
# Tests start programs and open databases: running only a few at a time limits open descriptors and slow tests.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-6}"
mkdir -p "$here/.build"
log=$here/.build/test.log
status=0
swift test --package-path "$here" "$@" 2>&1 | tee "$log" || status=$?
if [ "$status" -ne 0 ]; then
    echo "== failed"
    # The line that sums up a run also has “✘”; it comes last. A line that is repeated is shown once. A line with “↳”
    # says more about the issue above it.
    awk '{ gsub(/\033\[[0-9;]*m/, "") } /✘|↳|recorded an issue|: error: / && !shown[$0]++ && ++count <= 60' "$log"
    echo "The whole output is in $log"
fi
exit "$status"
