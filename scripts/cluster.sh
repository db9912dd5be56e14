#!/usr/bin/env bash
# Checks several registries on two database machines while registries and the primary are killed, and an old primary
# comes back. Everything runs on loopback, in a temporary folder.
#
# Usage: scripts/cluster.sh prepare            install missing packages
#        scripts/cluster.sh check [OPTION …]   run the load and the faults, then check what must hold
# Options of check:
#   --minutes N        how long the load lasts (2 if not given)
#   --seed N           of the faults
#   --registries N     how many processes (3 if not given)
#   --workload sql     SQL writers in place of registries; this is what runs if not given
#   --workload http    registries behind a balancer, with stations and owners; builds the registry's program
#   --database sqlite  with --workload http: one registry and no database machines
#   --control KIND     break a rule on purpose; the run succeeds if the check notices. asynchronous: the standby gets
#                      writes after they are answered. by-number: a reader follows numbers in their order.
#                      first-writable: writers take the first server that takes writes, maybe an old primary
#   --keep             keep the folder with logs and history
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
cluster=$here/Tests/Cluster

usage() {
    sed -n '/^# Usage/,/^set -/{/^set -/d; s/^# \{0,1\}//p}' "$0" >&2
    exit 64
}

check() {
    local programs=()
    "$here/scripts/prepare.sh" cluster
    if [[ " $* " == *" --workload http "* || " $* " == *" --workload=http "* ]]; then
        programs=(--programs "$("$here/scripts/build.sh" findmybike-registry)")
    fi
    # The check cleans up when it gets a signal: it takes this process's place.
    exec python3 -B "$cluster/check.py" "${programs[@]}" "$@"
}

case ${1-} in
    prepare) "$here/scripts/prepare.sh" cluster ;;
    check) shift; check "$@" ;;
    *) usage ;;
esac
