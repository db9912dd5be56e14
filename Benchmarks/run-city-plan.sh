#!/usr/bin/env bash
# Measures and checks the planner. Usage: Benchmarks/run-city-plan.sh [CHECK…]
# CHECK: speed, choice, intervals, experience, exact, pessimistic, pass, fleets, density, misuse; by default all, which takes
# about an hour.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$("$here/build.sh" city-plan)/city-plan
[ $# -gt 0 ] || set -- speed choice intervals experience exact pessimistic pass fleets density misuse
for check in "$@"; do
    echo "== $check"
    "$program" "$check"
done
