#!/usr/bin/env bash
# Builds the Debian packages of the three programs for this machine's architecture, and checks them with lintian.
#
# Usage: scripts/package.sh [--output FOLDER] [--sdk SWIFT_SDK --architecture NAME]
#   --output        where the packages go; .build/package if not given
#   --sdk           cross-compile with this Swift SDK (swift sdk list), for the Debian architecture given beside it, as in
#                   --sdk debian12-arm64 --architecture arm64. Manual pages are then made from a build for this machine.
#
# The Swift runtime is linked statically: the machines that install the packages need no toolchain. On a Raspberry Pi with
# a 64-bit system, run this script as it is.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
output=$here/.build/package sdk='' architecture=''
while [ $# -gt 0 ]; do
    case "$1" in
        --output) output=$2; shift 2 ;;
        --sdk) sdk=$2; shift 2 ;;
        --architecture) architecture=$2; shift 2 ;;
        *) sed -n '/^# Usage/,/^$/{s/^# \{0,1\}//p}' "$0" >&2; exit 64 ;;
    esac
done
if [ -n "$sdk" ] && [ -z "$architecture" ]; then
    echo "package.sh: --sdk needs --architecture, as in --architecture arm64" >&2
    exit 64
fi
"$here/scripts/prepare.sh" build package
architecture=${architecture:-$(dpkg --print-architecture)}
version=$(sed -n 's/.*static let current = "\(.*\)"/\1/p' "$here/Sources/Settings/ProductVersion.swift")
work=$(mktemp -d "${TMPDIR:-/tmp}/findmybike-package.XXXXXX")
trap 'rm -rf "$work"' EXIT

flags=(--package-path "$here" -c release --static-swift-stdlib)
target=("${flags[@]}")
[ -z "$sdk" ] || target+=(--swift-sdk "$sdk")
for product in findmybike findmybike-monitor findmybike-registry; do
    swift build "${target[@]}" --product "$product"
    [ -z "$sdk" ] || swift build "${flags[@]}" --product "$product"
done
programs=$(swift build "${target[@]}" --show-bin-path)
native=$(swift build "${flags[@]}" --show-bin-path)

# Debian's own names of what the programs are linked with.
shared_libraries() {
    mkdir -p "$work/shlibs/debian"
    echo "Source: findmybike" >"$work/shlibs/debian/control"
    (cd "$work/shlibs" && dpkg-shlibdeps -O --ignore-missing-info "$1" 2>/dev/null) | sed -n 's/^shlibs:Depends=//p'
}

# Puts a file into the package that is being made: MODE SOURCE DESTINATION
put() { install -D -m "$1" "$2" "$root$3"; }

manual() {
    mkdir -p "$root/usr/share/man/man1"
    "$native/$name" --experimental-dump-help | "$here/scripts/package/manual.py" "$1" "$version" |
        gzip -n9 >"$root/usr/share/man/man1/$name.1.gz"
}

completions() {
    local folder shell
    for shell in bash zsh fish; do
        case $shell in
            bash) folder=$root/usr/share/bash-completion/completions file=$name ;;
            zsh) folder=$root/usr/share/zsh/vendor-completions file=_$name ;;
            fish) folder=$root/usr/share/fish/vendor_completions.d file=$name.fish ;;
        esac
        mkdir -p "$folder"
        # Completions are read, not run.
        "$native/$name" --generate-completion-script "$shell" | sed '1{/^#!/d}' >"$folder/$file"
    done
}

documentation() {
    put 644 "$here/scripts/package/copyright" "/usr/share/doc/$name/copyright"
    printf 'findmybike (%s) unstable; urgency=medium\n\n  * See the history of the source.\n\n -- %s  %s\n' \
        "$version" "$maintainer" "$(date -uR -d "@$epoch")" | gzip -n9 >"$root/usr/share/doc/$name/changelog.gz"
}

build() {
    local script
    mkdir -p "$root/DEBIAN"
    {
        printf 'Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: %s\nPriority: optional\n' \
            "$name" "$version" "$architecture" "$maintainer"
        printf 'Installed-Size: %s\n' "$(du -sk --exclude=DEBIAN "$root" | cut -f1)"
        sed "s|\${shlibs:Depends}|$(shared_libraries "$root/usr/bin/$name")|" "$here/scripts/package/$name/control"
    } >"$root/DEBIAN/control"
    for script in postinst prerm postrm; do
        [ ! -f "$here/scripts/package/$name/$script" ] ||
            install -m 755 "$here/scripts/package/$name/$script" "$root/DEBIAN/$script"
    done
    [ ! -f "$here/scripts/package/$name/conffiles" ] ||
        install -m 644 "$here/scripts/package/$name/conffiles" "$root/DEBIAN/conffiles"
    (cd "$root" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum) \
        >"$root/DEBIAN/md5sums"
    find "$root" -exec touch --no-dereference --date="@$epoch" {} +
    SOURCE_DATE_EPOCH=$epoch dpkg-deb --root-owner-group --build "$root" "$output/${name}_${version}_$architecture.deb"
}

# Begins a package with its program: NAME SUMMARY
begin() {
    name=$1 root=$work/$1
    put 755 "$programs/$name" "/usr/bin/$name"
    "${STRIP:-strip}" --strip-unneeded --remove-section=.comment "$root/usr/bin/$name"
    manual "$2"
    completions
    documentation
}

maintainer="FindMyBike developers <maintainers@findmybike.invalid>"
epoch=$(git -C "$here" log -1 --format=%ct 2>/dev/null || date +%s)
umask 022
mkdir -p "$output"

begin findmybike "register bikes, report them missing and see where they were heard"
for scenario in "$here"/config/scenarios/*; do
    put 644 "$scenario" "/usr/share/findmybike/scenarios/${scenario##*/}"
done
build

begin findmybike-monitor "listen for the beacons of missing bikes"
put 644 "$here/config/monitor.yaml" /etc/findmybike/monitor.yaml
put 644 "$here/systemd/findmybike-monitor.service" /lib/systemd/system/findmybike-monitor.service
for file in raw-hci.conf bluetooth-recovery.conf findmybike-bluetooth-recovery.service; do
    put 644 "$here/systemd/$file" "/usr/share/doc/findmybike-monitor/examples/$file"
done
build

begin findmybike-registry "store bikes and sightings, and alert owners"
put 644 "$here/config/registry.yaml" /etc/findmybike/registry.yaml
put 644 "$here/systemd/findmybike-registry.service" /lib/systemd/system/findmybike-registry.service
build

lintian --fail-on error,warning --suppress-tags-from-file "$here/scripts/package/lintian-tags" "$output"/*_"${version}_$architecture.deb"
