#!/usr/bin/env bash
# The slow checks before a release, and those that rarely fail: optimized packages, emulated machines, long runs under
# faults, fuzzing, and figures. Takes about eight hours on two cores. Needs root: use a clone of its own.
#
# Usage: scripts/release-check.sh            run all stages that have not passed on this commit
#        scripts/release-check.sh --keep     also skip those that passed on an earlier commit; the table names each commit
#        scripts/release-check.sh STAGE…     run these stages, and before them those that they need
#        scripts/release-check.sh list       what the stages are, and which have passed
#        scripts/release-check.sh table      print what has passed in this clone, as a table like that of docs/release-check.md
#        scripts/release-check.sh record     write it to docs/release-check.md, once every stage has passed on one commit;
#                                            with --keep at any time: a stage that has not passed keeps its row
# The output of each stage is in .build/release-check/STAGE.log. A run that was interrupted continues with the stage that it
# was in.
set -euo pipefail
exec python3 -B "$(dirname "$0")/release-check/check.py" "$@"
