#!/usr/bin/env bash
# Carries out the first example of CONTRIBUTING.md, a new field of a bike, on a copy of the last commit: applies
# scripts/example/new-field.patch, compiles what it changes, and runs the tests of both databases and of the API.
#
# Usage: scripts/example.sh
#
# If the patch no longer applies, the example may be wrong, too. Carry it out by hand in a clean clone, correct
# CONTRIBUTING.md, and write the patch again: git diff --full-index >scripts/example/new-field.patch
set -euo pipefail
cd "$(dirname "$0")/.."
copy=.build/example
rm -rf "$copy"
git clone --quiet . "$copy"
cd "$copy"
git apply --3way ../../scripts/example/new-field.patch
mapfile -t changed < <(git diff HEAD --name-only -- '*.swift')
swift format lint --strict "${changed[@]}"
scripts/room.sh RegistryAPI RegistrySQLite RegistryPostgreSQL RegistryHTTP
swift build --product findmybike
