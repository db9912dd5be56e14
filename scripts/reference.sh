#!/usr/bin/env bash
# Writes docs/configuration.md, the reference of all settings, from the programs' own definitions.
# Usage: scripts/reference.sh [FILE]
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
programs=$("$here/scripts/build.sh")
{
    cat <<'TEXT'
# Settings

`scripts/reference.sh` generates this page from the programs' definitions, and a test compares it. Arguments override
environment variables, which override the YAML file, which overrides the default. A dot in a key is a level of the file.
An unknown key or an invalid value is an error with the file, the line and a remedy; check a file with `--check-config`.
A path that begins with `%d/` is a credential that systemd loads. On SIGHUP the services read their settings again.
`log.level` takes effect immediately, and the log names the settings that need a restart.
TEXT
    for program in findmybike-monitor findmybike-registry findmybike; do
        case $program in
            findmybike) file="~/.config/findmybike/config.yaml" ;;
            *) file=/etc/findmybike/${program#findmybike-}.yaml ;;
        esac
        printf '\n## %s\n\nUsually in `%s`.\n\n' "$program" "$file"
        "$programs/$program" settings
    done
} >"${1:-$here/docs/configuration.md}"
