#!/usr/bin/env bash
# Installs the Debian packages that are missing. Usage: scripts/prepare.sh build|demo|tests …
set -euo pipefail

packages_for() {
    case "$1" in
        build) echo libcurl4-openssl-dev libdbus-1-dev libsqlite3-dev pkg-config ;;
        demo) echo python3 ca-certificates ;;
        # btmon, tshark, curl, dbus-daemon and Python's D-Bus are peers of the tests; strace shows what is on disk before
        # an answer.
        tests)
            echo bluez ca-certificates curl dbus dbus-daemon openssl python3 python3-dbus python3-dbusmock python3-gi \
                strace systemd tshark
            ;;
        *) echo "prepare.sh: unknown purpose ‘$1’: use build, demo or tests" >&2; exit 64 ;;
    esac
}

missing=()
for purpose in "$@"; do
    for package in $(packages_for "$purpose"); do
        status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$status" = installed ] || missing+=("$package")
    done
done

if [ "${#missing[@]}" -gt 0 ]; then
    elevate=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { echo "prepare.sh: as root, run: apt-get install ${missing[*]}" >&2; exit 77; }
        elevate=(sudo)
    fi
    echo "Installing ${missing[*]}"
    "${elevate[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
    "${elevate[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" \
        >/dev/null
fi

command -v swift >/dev/null || { echo "prepare.sh: install a Swift 6.2 toolchain (https://swift.org/install)" >&2; exit 69; }
