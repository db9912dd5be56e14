#!/usr/bin/env bash
# Checks the types of the pages' modules, and looks at the pages in Chromium as owners use them. Usage: scripts/pages.sh [--only NAME]
# scripts/pages.sh --pictures docs/guide/images makes the documentation's pictures again.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

"$here/scripts/prepare.sh" build tests pages
# The modules' form, and the types that their comments state.
find "$here/Sources/CWebFiles/files" -name '*.js' ! -path '*/vendor/*' -exec clang-format --dry-run --Werror \
    --style="file:$here/Sources/CWebFiles/.clang-format" {} +
tsc --project "$here/Sources/CWebFiles/tsconfig.json"
for program in findmybike-registry findmybike-monitor findmybike; do
    swift build --package-path "$here" --quiet --product "$program"
done
check() {
    "$here/.build/venv/bin/python" "$here/Tests/Pages/check.py" \
        --programs "$(swift build --package-path "$here" --show-bin-path)" "$@"
}
if [ $# -gt 0 ]; then
    check "$@"
    exit
fi
# A browser waits most of the time, so two halves of the tests run side by side.
log=$(mktemp "${TMPDIR:-/tmp}/findmybike-pages.XXXXXX")
check --half 1 >"$log" 2>&1 &
other=$!
status=0
check --half 0 || status=1
wait "$other" || status=1
cat "$log"
rm -f "$log"
exit "$status"
