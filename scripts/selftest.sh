#!/usr/bin/env bash
# Tests the parts of the checks that need no build: the watcher of tests, the release check, the faults and
# invariants of clusters and of partners, the comparisons of registries and of instruction counts, the floors, the seeds of
# fuzzing. Takes a minute.
set -euo pipefail
cd "$(dirname "$0")/.."
for folder in scripts/test scripts/fuzz scripts/release-check scripts/example scripts/check Tests/Cluster Tests/Partners Tests/Differential Benchmarks/instructions; do
    echo "== $folder"
    (cd "$folder" && python3 -B -m unittest discover -p 'test_*.py')
done
