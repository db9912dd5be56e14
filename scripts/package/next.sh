#!/usr/bin/env bash
# Makes the same packages again with a higher version, to test upgrades.
#
# Usage: scripts/package/next.sh FOLDER PACKAGE…   writes them to FOLDER
set -euo pipefail
folder=$1 work=$(mktemp -d "${TMPDIR:-/tmp}/findmybike-next.XXXXXX")
trap 'rm -rf "$work"' EXIT
shift
mkdir -p "$folder"
for package in "$@"; do
    dpkg-deb --raw-extract "$package" "$work/next"
    # The version is also in the dependency of one package on another.
    version=$(dpkg-deb --field "$package" Version)
    sed -i "s/^Version: .*/&+next/; s/(= $version)/(= $version+next)/" "$work/next/DEBIAN/control"
    dpkg-deb -Znone --root-owner-group --build "$work/next" "$folder" >/dev/null
    rm -rf "$work/next"
done
