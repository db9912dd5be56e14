#!/usr/bin/env bash
# Compares decoding with a limit in C and the fastest peer, in one run. Usage: Benchmarks/run-decode.sh PEERS [ROUNDS]
# PEERS: a working copy of the decode peers, with decode/limit, decode/bench_decode.py, venv and data.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
peers=${1:?usage: run-decode.sh PEERS [ROUNDS]}

ours=$("$here/build.sh" decode)/decode
exec python3 "$here/decode_rounds.py" "$ours" "$peers" "${2:-7}"
