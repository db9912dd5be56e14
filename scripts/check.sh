#!/usr/bin/env bash
# Runs what a change needs before it is pushed: format lint of the changed Swift files, a syntax check of the changed shell
# scripts, the links of the documentation, stiff words, and the tests of the rooms that the change touches, including the rooms that
# import them directly. CI runs everything (.ci/run).
#
# Usage: scripts/check.sh [--list] [BASE]
#   BASE    compare with this commit; by default where this branch left origin/main
#   --list  print the test targets and suites, and stop
set -euo pipefail
cd "$(dirname "$0")/.."

list=false
if [ "${1-}" = --list ]; then
    list=true
    shift
fi
base=${1-}
if [ -z "$base" ]; then
    base=$(git merge-base origin/main HEAD 2>/dev/null) || {
        echo "There is no origin/main: name the commit to compare with, as in ‘scripts/check.sh main’." >&2
        exit 64
    }
fi

git rev-parse --verify --quiet "$base^{commit}" >/dev/null || { echo "check.sh: there is no commit ‘$base’" >&2; exit 64; }

# Committed since BASE, in the work tree, and new.
mapfile -t changed < <({ git diff --name-only --no-renames "$base"; git ls-files --others --exclude-standard; } | sort -u)
if [ "${#changed[@]}" -eq 0 ]; then
    echo "Nothing changed since $base."
    exit 0
fi

swift_files=()
shell_files=()
documents=()
for path in "${changed[@]}"; do
    case $path in *.md) documents+=("$path") ;; esac
    [ -f "$path" ] || continue
    case $path in
        *.swift) swift_files+=("$path") ;;
        *.sh | scripts/hooks/* | .ci/run) shell_files+=("$path") ;;
    esac
done

targets=$(swift package dump-package | python3 scripts/check/targets.py "${changed[@]}")
if $list; then
    printf '%s\n' "$targets"
    exit 0
fi

if [ "${#swift_files[@]}" -gt 0 ]; then
    echo "== format: ${#swift_files[@]} files"
    swift format lint --strict "${swift_files[@]}"
    scripts/check/characters.sh
    scripts/house.sh --check
fi
for path in "${shell_files[@]}"; do
    echo "== syntax: $path"
    bash -n "$path"
    if command -v shellcheck >/dev/null; then shellcheck "$path"; fi
done
if [ "${#documents[@]}" -gt 0 ]; then
    echo "== links of the documentation"
    python3 Tests/Programs/ProgramTests/Fixtures/links.py .
fi
echo "== words"
git diff --unified=0 "$base" | python3 -B scripts/check/words.py
if printf '%s\n' "${changed[@]}" | grep --quiet '^Sources/Wire/Languages/'; then
    echo "== texts of all languages"
    scripts/words.sh --check
fi
if printf '%s\n' "${changed[@]}" | grep --quiet -E '^(scripts|Tests/Cluster|Tests/Partners|Tests/Differential|Benchmarks)/.*\.py$'; then scripts/selftest.sh; fi
case $targets in
    "") echo "== tests: none for this change" ;;
    all)
        echo "== tests: all"
        scripts/test.sh
        ;;
    *)
        echo "== tests: ${targets//$'\n'/ }"
        mapfile -t rooms < <(sed 's/\..*//' <<<"$targets" | sort -u)
        scripts/room.sh "${rooms[@]}" -- --filter "(${targets//$'\n'/|})[./]"
        ;;
esac
