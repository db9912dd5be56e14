#!/usr/bin/env bash
# Checks three registries that are partners of each other, while they and the network between them break, and while a
# fourth one attacks. Everything runs on loopback, in a temporary folder.
#
# Usage: scripts/partners.sh prepare            install missing packages
#        scripts/partners.sh check [OPTION …]   run the load, the faults and the attacks, then check what must hold
# Options of check:
#   --minutes N        how long the load lasts (2 if not given)
#   --seed N           of the faults
#   --flood N          how many visits the hostile partner sends (20000 if not given)
#   --control KIND     break a rule on purpose; the run succeeds if the check notices. lost: what waits for a partner
#                      vanishes. invented: a sighting without a station. twice: a visit that comes from two stations
#   --keep             keep the folder with logs and history
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

usage() {
    sed -n '/^# Usage/,/^set -/{/^set -/d; s/^# \{0,1\}//p}' "$0" >&2
    exit 64
}

check() {
    "$here/scripts/prepare.sh" partners
    local programs
    programs=$("$here/scripts/build.sh" findmybike-registry)
    # The check cleans up when it gets a signal: it takes this process's place.
    exec python3 -B "$here/Tests/Partners/check.py" --programs "$programs" "$@"
}

case ${1-} in
    prepare) "$here/scripts/prepare.sh" partners ;;
    check) shift; check "$@" ;;
    *) usage ;;
esac
