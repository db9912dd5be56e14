#!/usr/bin/env bash
# Makes the root of a station's image from a package, for any architecture, without running a program in it: the program,
# the libraries that it is linked with, authorities, time zones and copyrights. There is no shell.
#
# Usage: scripts/container/root.sh PACKAGE FOLDER   PACKAGE: findmybike_VERSION_ARCHITECTURE.deb; FOLDER must not exist
#
# Debian's packages are those of this machine's apt settings, with their security updates.
set -euo pipefail
umask 022
[ $# -eq 2 ] && [ -r "$1" ] && [ ! -e "$2" ] || { sed -n '/^# Usage/s/^# //p' "$0" >&2; exit 64; }
package=$(realpath "$1") root=$2
architecture=$(dpkg-deb --field "$package" Architecture)
work=$(mktemp -d "${TMPDIR:-/var/tmp}/findmybike-container.XXXXXX")
trap 'rm -rf "$work"' EXIT

# An apt of its own, for the image's architecture, in whose eyes nothing is installed.
mkdir -p "$work"/{state/lists/partial,cache/archives/partial,packages}
: >"$work/status"
apt=(apt-get -qq -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture" -o "Dir::State=$work/state"
    -o "Dir::Cache=$work/cache" -o "Dir::State::status=$work/status" -o Debug::NoLocking=1 -o APT::Sandbox::User=root)
"${apt[@]}" update
"${apt[@]}" install --download-only --yes --no-install-recommends "$package" ca-certificates tzdata >/dev/null
for file in "$package" "$work"/cache/archives/*.deb; do
    dpkg-deb --extract "$file" "$work/packages/$(dpkg-deb --field "$file" Package)"
done

# Copies the copyright of a package, which can be in another one: NAME
put_copyright() {
    local folder=$1
    [ ! -L "$work/packages/$1/usr/share/doc/$1" ] || folder=$(readlink "$work/packages/$1/usr/share/doc/$1")
    install -D -m 644 "$work/packages/$folder/usr/share/doc/$folder/copyright" "$root/usr/share/doc/$1/copyright"
}

# Copies a file to the same path below /usr, with what a link leads to, and the copyright of its package: FILE
put() {
    local path=${1#"$work/packages/"} owner
    owner=${path%%/*} path=${path#*/}
    install -D -m "$([ -x "$1" ] && echo 755 || echo 644)" "$1" "$root/usr/${path#usr/}"
    put_copyright "$owner"
}

# The libraries of a program or a library, and those of these: FILE
put_libraries() {
    local name found
    for name in $(readelf --dynamic "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p'); do
        [[ " ${have[*]} " != *" $name "* ]] || continue
        have+=("$name")
        found=$(find "$work/packages" -path '*/lib*/*' -name "$name" ! -lname '/*' -print -quit)
        [ -n "$found" ] || { echo "container/root.sh: no package has $name" >&2; exit 70; }
        put "$found"
        put_libraries "$found"
    done
}
have=()
mkdir -p "$root"
program=$work/packages/findmybike/usr/bin/findmybike
put "$program"
ln -s findmybike "$root/usr/bin/findmybike-monitor"
put_libraries "$program"
interpreter=$(readelf --program-headers "$program" | sed -n 's/.*program interpreter: \(.*\)\]$/\1/p')
loader=$(find "$work/packages/libc6" -name "${interpreter##*/}" -type f -print -quit)
install -D -m 755 "$loader" "$root/usr$interpreter"
for folder in lib lib64; do [ ! -d "$root/usr/$folder" ] || ln -s "usr/$folder" "$root/$folder"; done

mkdir -p "$root"/{data,etc/ssl/certs,proc,sys,dev,usr/share/doc} "$root/usr/share/zoneinfo"
cat "$work"/packages/ca-certificates/usr/share/ca-certificates/mozilla/*.crt >"$root/etc/ssl/certs/ca-certificates.crt"
cp -a "$work/packages/tzdata/usr/share/zoneinfo/." "$root/usr/share/zoneinfo/"
for name in ca-certificates tzdata; do put_copyright "$name"; done
echo 'root:x:0:0:root:/data:/nonexistent' >"$root/etc/passwd"
echo 'root:x:0:' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
install -d -m 1777 "$root/tmp"
install -d -m 750 "$root/run/findmybike-monitor"
