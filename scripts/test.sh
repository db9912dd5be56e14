#!/usr/bin/env bash
# Installs what the tests need, builds, and runs all of them. Arguments go to ‘swift test’: --filter MonitorTests
# The whole output is in .build/test.log. Here only what failed is shown, and at the end again.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

"$here/scripts/prepare.sh" build tests
# Tests start programs and open databases: running only a few at a time limits open descriptors and slow tests.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-6}"
mkdir -p "$here/.build"
log=$here/.build/test.log
status=0
# What is said of each test that passes would hide the rest: 1,900 tests, in the record of a CI run.
swift test --package-path "$here" "$@" 2>&1 | tee "$log" |
    grep --line-buffered -E '✘|↳|recorded an issue|: (error|warning): |Build complete|Test run with|unexpected signal|Fatal error' ||
    status=$?
if [ "$status" -ne 0 ]; then
    echo "== failed"
    # The line that sums up a run also has “✘”; it comes last. A line that is repeated is shown once. A line with “↳”
    # says more about the issue above it.
    awk '{ gsub(/\033\[[0-9;]*m/, "") } /✘|↳|recorded an issue|: error: / && !shown[$0]++ && ++count <= 60' "$log"
    echo "The whole output is in $log"
fi
exit "$status"
