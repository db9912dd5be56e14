#!/usr/bin/env bash
# Compares the registry's calls with their limits, in one run. Usage: Benchmarks/run-registry.sh ROUNDS [PEERS]
# PEERS: a working copy of the HTTP peers, with http/app_fastapi.py, http/post.lua and venv-http.
# Needs wrk, luajit, sqlite3, gcc and libsqlite3-dev, and two processors.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
rounds=${1:?usage: run-registry.sh ROUNDS [PEERS]}

programs=$("$here/build.sh" findmybike-registry constant-server)
tools="$programs/registry-tools"
mkdir -p "$tools"
gcc -O3 -Wall "$here/registry/limit_batches.c" -lsqlite3 -o "$tools/limit_batches"
gcc -O2 -Wall -shared -fPIC "$here/registry/slow_sync.c" -o "$tools/slow_sync.so" -ldl
exec python3 "$here/registry_rounds.py" "$programs" "$tools" "$rounds" ${2:+"$2"}
