#!/usr/bin/env bash
# Measures how many alerts a second leave the queue over HTTP/2 to one local server. Needs nginx, h2load (nghttp2-client)
# and openssl. Usage: Benchmarks/run-alert-drain.sh [ALERTS]
#   ALERTS         10000 by default
#   CONFIGURATION  release (the default), or debug to try the script
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
programs=$("$here/build.sh" findmybike-registry)
exec python3 "$here/alerts/drain.py" "$programs" "${1:-10000}"
