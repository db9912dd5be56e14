#!/usr/bin/env bash
# A day of a city at two registries on PostgreSQL: what its stations and bikes cost, hour by hour, and from which size on
# which part must grow. Usage: Benchmarks/run-city-day.sh [BIKES [STATIONS]], by default 1000000 and 100000.
# PROGRAMS: a folder with findmybike-registry and city-plan that are built already.
# Needs PostgreSQL 15 (another version: PG_BIN=/usr/lib/postgresql/…/bin).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
programs=${PROGRAMS:-$("$here/build.sh" findmybike-registry city-plan)}
exec python3 -B "$here/city_day.py" "$programs" "${1:-1000000}" "${2:-100000}"
