#!/usr/bin/env bash
# Checks the alert rules in config/prometheus with promtool. Its package is unpacked, not installed, because it would start
# a server.
#
# Usage: scripts/alert-rules.sh
set -euo pipefail
cd "$(dirname "$0")/.."
folder=.build/promtool
if [ ! -x "$folder/usr/bin/promtool" ]; then
    rm -rf "$folder"
    mkdir -p "$folder"
    (cd "$folder" && apt-get download -q prometheus && dpkg-deb --extract prometheus_*.deb . && rm prometheus_*.deb)
fi
"$folder/usr/bin/promtool" check rules config/prometheus/findmybike.rules.yaml
"$folder/usr/bin/promtool" test rules config/prometheus/test.yaml
