#!/usr/bin/env bash
# Writes Sources/CWebFiles/files.c, the table of the files that become part of the registry. Run it after you add, rename
# or remove a file in Sources/CWebFiles/files; a test fails otherwise.
set -euo pipefail
cd "$(dirname "$0")/../Sources/CWebFiles"
mapfile -t files < <(cd files && find . -type f ! -name '*.txt' -printf '%P\n' | LC_ALL=C sort)
{
    echo '// Written by scripts/web-files.sh.'
    echo '#include "CWebFiles.h"'
    # The compiler has #embed in every version of C, but calls it an extension in those before C23.
    echo '#pragma clang diagnostic ignored "-Wc23-extensions"'
    for index in "${!files[@]}"; do
        printf '\nstatic const unsigned char file_%s[] = {\n#embed "files/%s"\n};\n' "$index" "${files[$index]}"
    done
    printf '\nstatic const struct findmybike_web_file files[] = {\n'
    for index in "${!files[@]}"; do
        printf '    {"%s", file_%s, sizeof file_%s},\n' "${files[$index]}" "$index" "$index"
    done
    printf '};\n\nconst size_t findmybike_web_file_count = %s;\n\nconst struct findmybike_web_file *findmybike_web_file_at(size_t index) { return &files[index]; }\n' "${#files[@]}"
} > files.c
