#!/usr/bin/env bash
# Makes a repository of apps (add-ons, before Home Assistant 2026.2) with the app of a station. Put the folder into a git
# repository that venues can reach, and give them its address.
#
# Usage: scripts/addon.sh --image NAME --url URL [--maintainer TEXT] FOLDER
#        scripts/addon.sh --roots ROOTS --url URL [--maintainer TEXT] FOLDER
#   FOLDER        the folder to write; what it has of an earlier version is replaced
#   --image       the image's name in your registry of images, without a version. It must have this version for both
#                 architectures (docs/operation.md says how)
#   --roots       the folder of scripts/container.sh. Without a registry of images, the repository has these files, and each
#                 Home Assistant builds the image itself; it can also be copied to /addons of one Home Assistant
#   --url         the page about your registry, for people
#   --maintainer  who answers questions, as in “FindMyBike Springfield <help@example.org>”
set -euo pipefail
umask 022
here=$(cd "$(dirname "$0")/.." && pwd)
refuse() { echo "addon.sh: $2" >&2; exit "$1"; }
usage() { sed -n '/^# Usage/,/^set -/{/^set -/d; s/^# \{0,1\}//p}' "$0" >&2; exit 64; }
image='' roots='' url='' maintainer=FindMyBike
while [[ ${1-} == --* ]]; do
    [ $# -ge 2 ] || usage
    case "$1" in
        --image) image=$2 ;;
        --roots) roots=$2 ;;
        --url) url=$2 ;;
        --maintainer) maintainer=$2 ;;
        *) usage ;;
    esac
    shift 2
done
[ $# -eq 1 ] && [ -n "$url" ] && [ -n "$image$roots" ] && [ -z "$image" -o -z "$roots" ] || usage
[[ $url =~ ^https?://[^[:space:]\"]+$ ]] || refuse 64 "‘$url’ is not an address: write it as https://registry.example.org"
[[ -z $image || $image =~ ^[a-z0-9][a-z0-9.:/_-]*$ ]] || refuse 64 "‘$image’ is not the name of an image"
unsafe='["\|]'
[[ ! $maintainer =~ $unsafe ]] || refuse 64 "the maintainer must have neither quotation marks nor “\\” nor “|”"
version=$(sed -n 's/.*static let current = "\(.*\)"/\1/p' "$here/Sources/CommandLine/Settings/ProductVersion.swift")
grep -q "^## $version\$" "$here/config/home-assistant/findmybike/CHANGELOG.md" ||
    refuse 65 "config/home-assistant/findmybike/CHANGELOG.md does not say what is new in $version"

folder=$1 work=$(mktemp -d "${TMPDIR:-/tmp}/findmybike-addon.XXXXXX")
trap 'rm -rf "$work"' EXIT
cp -r "$here/config/home-assistant/." "$work"
# “|” is in none of these values.
sed -i "s|\${name}|FindMyBike|; s|\${url}|$url|; s|\${maintainer}|\"$maintainer\"|" "$work/repository.yaml"
sed -i "s|\${version}|$version|; s|\${url}|$url|; s|\${image}|$image|" "$work/findmybike/config.yaml"
cp "$here/Sources/Web/WebPages/Files/icon-192.png" "$work/findmybike/icon.png"
if [ -n "$roots" ]; then
    sed -i '/^image:/d' "$work/findmybike/config.yaml"
    cp "$here/config/container/Containerfile" "$work/findmybike/Dockerfile"
    for name in amd64 aarch64; do
        [ -r "$roots/root-$name.tar.gz" ] || refuse 66 "there is no ‘$roots/root-$name.tar.gz’: scripts/container.sh makes it"
        cp "$roots/root-$name.tar.gz" "$work/findmybike/"
    done
fi
mkdir -p "$folder"
rm -rf "$folder/findmybike"
cp -r "$work/." "$folder"
