#!/usr/bin/env bash
# Checks that each room imports only what Package.swift says, and only from its own floor and those below it; writes the drawing
# of the floors in docs/architecture.md.
# Usage: scripts/house.sh [--check]
#   --check  write nothing, and fail if the drawing is old
set -euo pipefail
cd "$(dirname "$0")/.."
swift package dump-package | python3 -B scripts/check/house.py docs/architecture.md "$@"
