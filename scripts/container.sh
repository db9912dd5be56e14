#!/usr/bin/env bash
# Makes the image of a station for containers and for Home Assistant's app: the monitor and the command line, the
# libraries that they need, and no shell.
#
# Usage: scripts/container.sh [--packages FOLDER] [--architecture arm64] OUTPUT
#        scripts/container.sh check [PACKAGES]
#   OUTPUT          the folder for station-ARCHITECTURE.tar (an OCI archive that is also one of docker save, so podman load,
#                   docker load of any version and skopeo read it) and root-ARCHITECTURE.tar.gz, from which Home Assistant
#                   itself can build the image
#   --packages      the folder of the packages (scripts/package.sh); .build/package if not given
#   --architecture  of the image; this machine's if not given. No program of it is run
#   check           makes this machine's image from PACKAGES, or from unoptimized packages that it makes, and runs it with
#                   a registry and a Supervisor: size, contents, a wrong code, enrolment, a restart, a visit, and ingress.
#                   Needs root
set -euo pipefail
umask 022
here=$(cd "$(dirname "$0")/.." && pwd)
refuse() { echo "container.sh: $2" >&2; exit "$1"; }

if [ "${1-}" = check ]; then
    [ "$(id -u)" -eq 0 ] || refuse 77 "run this with sudo: it makes a network of its own"
    "$here/scripts/prepare.sh" container tests
    packages=${2-}
    programs=$("$here/scripts/build.sh" findmybike findmybike-registry)
    if [ -z "$packages" ]; then
        packages=$here/.build/container/packages
        "$here/scripts/package.sh" --programs "$programs" --output "$packages" findmybike
    fi
    "$0" --packages "$packages" "$here/.build/container"
    # A network with the Supervisor's address in it.
    # shellcheck disable=SC2016
    exec unshare --net sh -ec 'ip link set lo up; ip address add 172.30.32.2/32 dev lo; exec "$@"' check \
        "$here/.build/venv/bin/python" -B "$here/Tests/Container/check.py" "$programs" \
        "$here/.build/container/station-$(dpkg --print-architecture).tar"
fi
packages=$here/.build/package architecture=$(dpkg --print-architecture)
while [[ ${1-} == --* ]]; do
    [ $# -ge 2 ] || set -- --help
    case "$1" in
        --packages) packages=$2 ;;
        --architecture) architecture=$2 ;;
        *) sed -n '/^# Usage/,/^set -/{/^set -/d; s/^# \{0,1\}//p}' "$0" >&2; exit 64 ;;
    esac
    shift 2
done
[ $# -eq 1 ] || { sed -n '/^# Usage/,/^set -/{/^set -/d; s/^# \{0,1\}//p}' "$0" >&2; exit 64; }
[[ $architecture =~ ^(amd64|arm64)$ ]] || refuse 64 "‘$architecture’ is not an architecture of stations: amd64 or arm64"
version=$(sed -n 's/.*static let current = "\(.*\)"/\1/p' "$here/Sources/CommandLine/Settings/ProductVersion.swift")
package=$packages/findmybike_${version}_$architecture.deb
[ -r "$package" ] || refuse 66 "there is no package ‘$package’: scripts/package.sh makes it"
"$here/scripts/prepare.sh" container
mkdir -p "$1"
output=$(realpath "$1")
work=$(mktemp -d "${TMPDIR:-/var/tmp}/findmybike-container.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Home Assistant's name of the architecture.
name=${architecture/arm64/aarch64}
epoch=$(git -C "$here" log -1 --format=%ct 2>/dev/null || date +%s)
"$here/scripts/container/root.sh" "$package" "$work/root"
tar --create --directory "$work/root" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" . |
    gzip -n9 >"$work/root-$name.tar.gz"
cp "$here/config/container/Containerfile" "$work/"
# Its own storage: nothing of this machine's containers is touched.
buildah=(buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs --log-level error)
"${buildah[@]}" build --quiet --arch "$architecture" --format docker --timestamp "$epoch" --isolation chroot \
    --build-arg "BUILD_ARCH=$name" --build-arg "BUILD_VERSION=$version" --tag "findmybike-station:$version" "$work" >/dev/null
"${buildah[@]}" push --quiet "findmybike-station:$version" "oci:$work/archive:findmybike-station:$version"
python3 -B "$here/scripts/container/docker_manifest.py" "$work/archive"
tar --create --directory "$work/archive" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" \
    blobs index.json manifest.json oci-layout >"$work/station.tar"
mv "$work/station.tar" "$output/station-$architecture.tar"
mv "$work/root-$name.tar.gz" "$output/"
echo "station-$architecture.tar: $(stat --format=%s "$output/station-$architecture.tar") B"
