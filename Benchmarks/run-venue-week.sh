#!/usr/bin/env bash
# Measures what the monitor writes in a week at a busy venue, and its memory. Usage: Benchmarks/run-venue-week.sh [FOLDER]
# FOLDER: on a real disk, not in memory; by default the working directory.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
programs=$("$here/build.sh" venue-week)
exec "$programs/venue-week" "${1:-.}"
