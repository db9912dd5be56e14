#!/usr/bin/env bash
# Builds the Debian packages of the three programs for this machine's architecture, and checks them with lintian.
#
# Usage: scripts/package.sh [--output FOLDER] [--sdk SWIFT_SDK --architecture NAME]
#   --output        the folder for the packages; .build/package if not given
#   --sdk           cross-compile with this Swift SDK (swift sdk list) for the Debian architecture in --architecture, as in
#                   --sdk debian12-arm64 --architecture arm64. Manual pages and the names of dependencies then come from
#                   a build for this machine.
#
# The Swift runtime is linked statically: the machines that install the packages need no toolchain. On a Raspberry Pi with
# a 64-bit system, run this script unchanged.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
refuse() { echo "package.sh: $2" >&2; exit "$1"; }
output=$here/.build/package sdk='' architecture=''
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || set -- --help
    case "$1" in
        --output) output=$2 ;;
        --sdk) sdk=$2 ;;
        --architecture) architecture=$2 ;;
        *) sed -n '/^# Usage/,/^# The/{/^# The/d; s/^# \{0,1\}//p}' "$0" >&2; exit 64 ;;
    esac
    shift 2
done
own=$(dpkg --print-architecture)
[ -z "$sdk" ] || [ -n "$architecture" ] || refuse 64 "--sdk needs --architecture, as in --architecture arm64"
architecture=${architecture:-$own}
[ -n "$sdk" ] || [ "$architecture" = "$own" ] ||
    refuse 64 "this machine makes packages for $own: run it on a machine for $architecture, or add --sdk (swift sdk list)"
"$here/scripts/prepare.sh" build package
gnu=$(dpkg-architecture -f -a"$architecture" -qDEB_HOST_GNU_TYPE 2>/dev/null) ||
    refuse 64 "‘$architecture’ is no architecture of Debian’s: write it as amd64 or arm64"

flags=(--package-path "$here" -c release --static-swift-stdlib)
target=("${flags[@]}")
strip=${STRIP:-strip}
if [ -n "$sdk" ]; then
    [[ $'\n'$(swift sdk list 2>/dev/null)$'\n' == *$'\n'"$sdk"$'\n'* ]] ||
        refuse 69 "there is no Swift SDK ‘$sdk’: ‘swift sdk list’ shows which there are, ‘swift sdk install’ adds one"
    strip=${STRIP:-$gnu-strip}
    command -v "$strip" >/dev/null || refuse 69 "there is no $strip: apt-get install binutils-${gnu//_/-}, or set STRIP"
    target+=(--swift-sdk "$sdk")
fi
# Such as …/aarch64-unknown-linux-gnu/release
programs=$(swift build "${target[@]}" --show-bin-path)
native=$(swift build "${flags[@]}" --show-bin-path)
case $programs in
    */"${gnu%%-*}"-*-linux-gnu/release) ;;
    *) refuse 65 "‘$sdk’ is not for Debian on $architecture ($gnu): it makes $(basename "${programs%/release}")" ;;
esac
version=$(sed -n 's/.*static let current = "\(.*\)"/\1/p' "$here/Sources/Settings/ProductVersion.swift")
work=$(mktemp -d "${TMPDIR:-/tmp}/findmybike-package.XXXXXX")
trap 'rm -rf "$work"' EXIT

for product in findmybike findmybike-monitor findmybike-registry; do
    swift build "${target[@]}" --product "$product"
    [ -z "$sdk" ] || swift build "${flags[@]}" --product "$product"
done

# Debian's names for the libraries that the programs are linked with. They are the same on all architectures, and this
# machine knows only its own libraries.
shared_libraries() {
    mkdir -p "$work/shlibs/debian"
    echo "Source: findmybike" >"$work/shlibs/debian/control"
    (cd "$work/shlibs" && dpkg-shlibdeps -O --ignore-missing-info "$1" 2>/dev/null) | sed -n 's/^shlibs:Depends=//p'
}

# Puts a file into the current package: MODE SOURCE DESTINATION
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
    local script libraries
    libraries=$(shared_libraries "$native/$name")
    [ -n "$libraries" ] || refuse 70 "dpkg-shlibdeps does not tell which packages $native/$name needs"
    mkdir -p "$root/DEBIAN"
    {
        printf 'Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: %s\nPriority: optional\n' \
            "$name" "$version" "$architecture" "$maintainer"
        printf 'Installed-Size: %s\n' "$(du -sk --exclude=DEBIAN "$root" | cut -f1)"
        sed "s|\${shlibs:Depends}|$libraries|" "$here/scripts/package/$name/control"
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
    "$strip" --strip-unneeded --remove-section=.comment "$root/usr/bin/$name"
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
