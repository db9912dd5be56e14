#!/usr/bin/env bash
# Brings the catalogues of texts (Sources/Wire/Languages/Catalogues) into their common form: each language gets the new texts of
# messages.pot, untranslated, and loses those that are no longer there. Then it says what is missing or wrong.
# Usage: scripts/words.sh [--check]
#   --check  write nothing, and fail if a catalogue is not in this form
set -euo pipefail
cd "$(dirname "$0")/.."
python3 -B scripts/check/catalogues.py "$@"
