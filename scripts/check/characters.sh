#!/usr/bin/env bash
# Refuses text that is compared, split or replaced by Characters in Sources: in a grapheme cluster, a special character is
# not found (Sources/Base/Syntax). Names that people type are the exception: compare them by starts(with:).
set -euo pipefail
cd "$(dirname "$0")/../.."
if grep -rnE '\.(hasPrefix|hasSuffix)\b|\.split\(separator: "|\.replacing\("' Sources --include='*.swift' |
    grep -vE '^[^:]+:[0-9]+: *//'; then
    echo "characters.sh: use begins(with:), ends(with:), split(at:) or replacing(scalars:) of the room Syntax" >&2
    exit 1
fi
