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
exec "$here/.build/venv/bin/python" "$here/Tests/Pages/check.py" \
    --programs "$(swift build --package-path "$here" --show-bin-path)" "$@"
