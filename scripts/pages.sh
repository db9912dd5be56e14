#!/usr/bin/env bash
# Checks the types of the pages' modules, and looks at the pages as people use them: in Chromium, and the main ways through
# them in Firefox and WebKit. Usage: scripts/pages.sh [--only NAME]
# TEST_DEPTH=full tries all looks that a test names (light or dark, English or German, a width), and not only the first two.
# scripts/pages.sh --pictures docs/guide/images makes the documentation's pictures again.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

"$here/scripts/prepare.sh" build tests pages
# The modules' form, and the types that their comments state; those of the texts come from the catalogues.
rm -rf "$here/.build/words"
python3 -B "$here/Sources/Wire/Languages/javascript.py" "$here/.build/words"
find "$here/Sources/Web/WebPages/Files" -name '*.js' ! -path '*/vendor/*' -exec clang-format --dry-run --Werror \
    --style="file:$here/Sources/Web/WebPages/.clang-format" {} +
tsc --project "$here/Sources/Web/WebPages/tsconfig.json"
programs=$("$here/scripts/build.sh" findmybike findmybike-monitor findmybike-registry)
check() { "$here/.build/venv/bin/python" "$here/Tests/Pages/check.py" --programs "$programs" "$@"; }
if [ $# -gt 0 ]; then
    check "$@"
    exit
fi
# A browser waits most of the time, so two halves of the tests run side by side. A half that failed is shown last.
logs=$(mktemp -d "${TMPDIR:-/tmp}/findmybike-pages.XXXXXX")
check --half 0 >"$logs/0" 2>&1 &
first=$!
check --half 1 >"$logs/1" 2>&1 &
second=$!
passed=() failed=()
wait "$first" && passed+=("$logs/0") || failed+=("$logs/0")
wait "$second" && passed+=("$logs/1") || failed+=("$logs/1")
cat "${passed[@]}" "${failed[@]}"
rm -rf "$logs"
[ "${#failed[@]}" -eq 0 ]
