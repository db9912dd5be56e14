#!/usr/bin/env bash
# Compares the registry on PostgreSQL with the database's own limits, in one run, and measures its wake-ups across
# processes and its promotions. Usage: Benchmarks/run-postgresql.sh ROUNDS
# Needs wrk, gcc, libpq-dev, libssl-dev and PostgreSQL 15 (another version: PG_BIN=/usr/lib/postgresql/…/bin).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
rounds=${1:?usage: run-postgresql.sh ROUNDS}

programs=$("$here/build.sh" findmybike-registry)
tools="$programs/registry-tools"
mkdir -p "$tools"
gcc -O2 -Wall -I"$(pg_config --includedir)" "$here/postgresql/limit.c" -lpq -lcrypto -lpthread -o "$tools/limit"
exec python3 -B "$here/postgresql_rounds.py" "$programs" "$tools" "$rounds"
