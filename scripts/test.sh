#!/usr/bin/env bash
# Installs what the tests need, builds, and runs all of them. Arguments go to Swift Testing: --filter MonitorTests
# The whole output is in .build/test.log. Here only what failed is shown, and at the end again, with the longest tests.
#
# TEST_TIMES=5 scripts/test.sh    runs them five times, whatever fails; Swift Testing chooses another order each time
# TEST_DEPTH=full plays all random schedules and whole floods, and not only a part.
# TEST_LIMIT is explained in scripts/test/run.py.
set -euo pipefail
case ${1-} in -h | --help) sed -n '2,/^set -/{/^set -/d; s/^# \{0,1\}//p}' "$0"; exit ;; esac
here=$(cd "$(dirname "$0")/.." && pwd)

"$here/scripts/prepare.sh" tests
# Tests start programs and open databases: running only a few at a time limits open descriptors and slow tests.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-6}"
programs=$("$here/scripts/build.sh" --tests)
log=$here/.build/test.log
times=${TEST_TIMES:-1}
[[ $times =~ ^[1-9][0-9]?$ ]] || { echo "test.sh: TEST_TIMES must be 1 to 99" >&2; exit 64; }
unset FINDMYBIKE_TARGETS
status=0
cd "$here"
for ((run = 1; run <= times; run++)); do
    if [ "$times" -gt 1 ]; then
        echo "== run $run of $times"
        log=$here/.build/test-$run.log
    fi
    # Not by ‘swift test’: even with --skip-build it writes a plan for its own flags, by which another check would then build.
    python3 "$here/scripts/test/run.py" "$log" "$programs/FindMyBikePackageTests.xctest" --testing-library swift-testing \
        "$@" || status=$?
done
exit "$status"
