#!/usr/bin/env bash
# Measures the owner's pages: on an emulated phone, with many open trails, and beside nginx.
# Usage: Benchmarks/run-pages.sh [VISITS [STREAMS]]
#   VISITS         visits of each page, and rounds beside nginx; 5 by default
#   STREAMS        open trails; 1000 by default, which is the registry's limit
#   CONFIGURATION  release (the default), or debug to try the script
#   REALTIME       1, as root: nothing else runs on the processors meanwhile; for machines that are busy with other work
# Needs Chromium, Caddy, nginx, h2load (nghttp2-client), and scripts/prepare.sh tests.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=(${REALTIME:+chrt --rr 5} "$here/../.build/venv/bin/python")

programs=$("$here/build.sh" findmybike-registry)
ulimit -n "$(ulimit -Hn)"
echo "== an emulated phone; load of this machine: $(cut -d ' ' -f 1-3 /proc/loadavg)"
"${python[@]}" "$here/pages/phone.py" "$programs" "${1:-5}"
echo "== the same phone on a slow line"
"${python[@]}" "$here/pages/phone.py" "$programs" "${1:-5}" slow
echo "== what people do, on the slow line: taps, characters and waits"
"${python[@]}" "$here/pages/journeys.py" "$programs" "${1:-5}" slow
echo "== open trails"
"${python[@]}" "$here/pages/streams.py" "$programs" "${2:-1000}"
echo "== the same files from nginx; load of this machine: $(cut -d ' ' -f 1-3 /proc/loadavg)"
"${python[@]}" "$here/pages/assets.py" "$programs" "${1:-5}" 3
