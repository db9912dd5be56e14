#!/usr/bin/env bash
# Builds the Debian packages of the three programs, and checks them with lintian.
#
# Usage: scripts/package.sh [--output FOLDER] [--architecture arm64 | --programs FOLDER] [NAME]…
#   NAME            findmybike, which is built with findmybike-monitor and findmybike-card, or findmybike-registry; all if
#                   not given
#   --output        the folder for the packages; .build/package if not given
#   --architecture  the architecture of the packages; this machine's if not given. On other machines, building for arm64
#                   needs root. It first makes a cross-compiler (scripts/cross-compiler.sh) in FINDMYBIKE_CROSS, or
#                   .build/cross. Manual pages and the names of dependencies come from the programs of scripts/build.sh.
#   --programs      the folder that scripts/build.sh prints: packages the unoptimized programs that it built, to test the
#                   packaging. Do not publish them
#
# The Swift runtime is linked statically: the machines that install the packages need no toolchain.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
refuse() { echo "package.sh: $2" >&2; exit "$1"; }
own=$(dpkg --print-architecture)
output=$here/.build/package architecture=$own given=''
while [[ ${1-} == -* ]]; do
    [ $# -ge 2 ] || set -- --help
    case "$1" in
        --output) output=$2 ;;
        --architecture) architecture=$2 ;;
        --programs) given=$(realpath "$2") ;;
        *) sed -n '/^# Usage/,/^# The/{/^# The/d; s/^# \{0,1\}//p}' "$0" >&2; exit 64 ;;
    esac
    shift 2
done
[ $# -gt 0 ] || set -- findmybike findmybike-registry
for product in "$@"; do
    [[ $product =~ ^findmybike(-registry)?$ ]] ||
        refuse 64 "‘$product’ is not a package that can be built: use findmybike (with the monitor) or findmybike-registry"
done
products=("$@")
[ "$architecture" = "$own" ] || [ "$architecture" = arm64 ] ||
    refuse 64 "this machine makes packages for $own and arm64: run it on a machine for $architecture"
[ "$architecture" = "$own" ] || [ -z "$given" ] || refuse 64 "--programs cannot be combined with --architecture"
# The lists of objects have absolute paths: of another clone, they would name its objects.
[[ -z $given || $given = "$here"/.build/* ]] || refuse 64 "--programs takes the folder that scripts/build.sh prints"
"$here/scripts/prepare.sh" build package

# Packing programs that are not optimized for their size takes minutes, and nobody downloads them.
[ -z "$given" ] || export DPKG_DEB_COMPRESSOR_TYPE=gzip DPKG_DEB_COMPRESSOR_LEVEL=1

# Each architecture has a folder of its own. What debuggers need would be stripped from the programs.
flags=(--package-path "$here" -c release --static-swift-stdlib -debug-info-format none)
tools=''
if [ "$architecture" = "$own" ]; then
    build() { swift build "${flags[@]}" --scratch-path "$here/.build/$own" "$@"; }
else
    "$here/scripts/prepare.sh" cross
    cross=${FINDMYBIKE_CROSS:-$here/.build/cross}
    "$here/scripts/cross-compiler.sh" "$cross"
    tools=aarch64-linux-gnu-
    build() {
        (cd "$here" &&
            "$cross/bin/swift" build "${flags[@]}" --swift-sdk debian-arm64 --scratch-path "$here/.build/$architecture" "$@")
    }
fi
version=$(sed -n 's/.*static let current = "\(.*\)"/\1/p' "$here/Sources/CommandLine/Settings/ProductVersion.swift")
work=$(mktemp -d "${TMPDIR:-/tmp}/findmybike-package.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Links a program that scripts/build.sh has built with the Swift runtime inside: FOLDER NAME OUTPUT
# Its modules name Foundation's shared libraries. The static ones need those named here, too.
link_statically() {
    swiftc -static-stdlib -Xlinker --defsym -Xlinker "main=${2//-/_}_main" "@$1/$2.product/Objects.LinkFileList" \
        -lCoreFoundation -l_FoundationICU -l_FoundationCShims -l_FoundationCollections -l_CFURLSessionInterface -lcurl \
        -o "$3/$2"
}

# The programs, and those of this machine, which tell their manual pages. The monitor is a second name of findmybike.
programs=$work/programs native=$work/native
mkdir "$programs" "$native"
for product in "${products[@]}"; do
    if [ -n "$given" ]; then
        link_statically "$given" "$product" "$programs"
    else
        build --product "$product"
        ln -s "$(build --show-bin-path)/$product" "$programs/"
    fi
    if [ "$architecture" = "$own" ]; then
        ln -s "$programs/$product" "$native/"
    else
        link_statically "$("$here/scripts/build.sh" "$product")" "$product" "$native"
    fi
done
ln -s findmybike "$native/findmybike-monitor"

# Debian's names for the libraries that the programs are linked with. They are the same on all architectures, and this
# machine knows only its own libraries. The version of the C library is the one that the program itself needs.
shared_libraries() {
    local glibc
    mkdir -p "$work/shlibs/debian"
    echo "Source: findmybike" >"$work/shlibs/debian/control"
    glibc=$("${tools}objdump" -T "$programs/$1" | grep -o 'GLIBC_[0-9.]*' | sort -V | tail -n 1)
    (cd "$work/shlibs" && dpkg-shlibdeps -O --ignore-missing-info "$native/$1" 2>/dev/null) |
        sed -n "s/libc6 (>= [^)]*)/libc6 (>= ${glibc#GLIBC_})/; s/^shlibs:Depends=//p"
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

pack() {
    local script libraries=''
    if [ -f "$root/usr/bin/$name" ] && [ ! -L "$root/usr/bin/$name" ]; then
        libraries=$(shared_libraries "$name")
        [ -n "$libraries" ] || refuse 70 "dpkg-shlibdeps does not tell which packages $name needs"
    fi
    mkdir -p "$root/DEBIAN"
    {
        printf 'Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: %s\nPriority: optional\n' \
            "$name" "$version" "$architecture" "$maintainer"
        printf 'Installed-Size: %s\n' "$(du -sk --exclude=DEBIAN "$root" | cut -f1)"
        sed "s|\${shlibs:Depends}|$libraries|; s|\${binary:Version}|$version|" "$here/scripts/package/$name/control"
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

# Begins a package: NAME
begin() { name=$1 root=$work/$1; documentation; }

# Begins a package of a program, with its manual page: NAME SUMMARY
begin_program() {
    begin "$1"
    manual "$2"
    completions
}

program() {
    put 755 "$programs/$name" "/usr/bin/$name"
    "${tools}strip" --strip-unneeded --remove-section=.comment "$root/usr/bin/$name"
}

maintainer="FindMyBike developers <maintainers@findmybike.invalid>"
epoch=$(git -C "$here" log -1 --format=%ct 2>/dev/null || date +%s)
umask 022
mkdir -p "$output"

# The command line, the monitor, and what makes a card's machine of it.
package_findmybike() {
    begin_program findmybike "register bikes, report them missing and see where they were heard"
    program
    for scenario in "$here"/config/scenarios/*; do
        put 644 "$scenario" "/usr/share/findmybike/scenarios/${scenario##*/}"
    done
    for model in "$here"/config/plan/*; do put 644 "$model" "/usr/share/findmybike/plan/${model##*/}"; done
    pack

    begin_program findmybike-monitor "listen for the beacons of missing bikes"
    mkdir -p "$root/usr/bin"
    ln -s findmybike "$root/usr/bin/$name"
    put 644 "$here/config/monitor.yaml" /etc/findmybike/monitor.yaml
    put 644 "$here/config/unattended-upgrades.conf" /etc/apt/apt.conf.d/52findmybike-monitor
    put 644 "$here/systemd/findmybike-monitor.service" /lib/systemd/system/findmybike-monitor.service
    for file in raw-hci.conf bluetooth-recovery.conf findmybike-bluetooth-recovery.service; do
        put 644 "$here/systemd/$file" "/usr/share/doc/findmybike-monitor/examples/$file"
    done
    pack

    begin findmybike-card
    for unit in findmybike-card findmybike-card-enrol; do
        put 644 "$here/systemd/$unit.service" "/lib/systemd/system/$unit.service"
    done
    put 644 "$here/config/card/journald.conf" /usr/lib/systemd/journald.conf.d/findmybike-card.conf
    put 644 "$here/config/card/system.conf" /usr/lib/systemd/system.conf.d/findmybike-card.conf
    put 644 "$here/config/card/unattended-upgrades.conf" /etc/apt/apt.conf.d/53findmybike-card
    put 644 "$here/config/card/findmybike.txt" /usr/share/findmybike/findmybike.txt
    pack
}

package_findmybike-registry() {
    begin_program findmybike-registry "store bikes and sightings, and alert owners"
    program
    put 644 "$here/config/registry.yaml" /etc/findmybike/registry.yaml
    put 644 "$here/systemd/findmybike-registry.service" /lib/systemd/system/findmybike-registry.service
    local file
    for file in "$here"/config/backup/* "$here/config/prometheus/findmybike.rules.yaml"; do
        put 644 "$file" "/usr/share/doc/findmybike-registry/examples/${file##*/}"
    done
    pack
}

for product in "${products[@]}"; do "package_$product"; done
lintian --fail-on error,warning --suppress-tags-from-file "$here/scripts/package/lintian-tags" "$output"/*_"${version}_$architecture.deb"
