#!/usr/bin/env bash
# Installs the Debian packages that are missing. Usage: scripts/prepare.sh build|demo|tests|pages|laboratory|package|…
# For the tests it also installs peers in Python, in a virtual environment: .build/venv.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
# The database server that the tests start in folders of their own.
postgresql=postgresql-15

packages_for() {
    case "$1" in
        build) echo esbuild libbluetooth-dev libbrotli-dev libcurl4-openssl-dev libdbus-1-dev libmosquitto-dev libpq-dev \
            libqrencode-dev libsqlite3-dev libturbojpeg0-dev pkg-config python3 zlib1g-dev ;;
        # Two database machines, and the balancer in front of the registries.
        cluster) echo haproxy libpq5 "$postgresql" python3 util-linux ;;
        demo) echo python3 ca-certificates ;;
        # The same servers, a clock that can be wrong, and the keys of a hostile partner.
        partners) echo ca-certificates gcc haproxy libc6-dev libpq5 "$postgresql" python3 python3-cryptography util-linux ;;
        # btmon, tshark, curl, jq, dbus-daemon, gpsd, mosquitto, nginx, Caddy, Chromium, osmium, PostgreSQL and D-Bus are peers
        # of the tests.
        # zbarimg reads QR codes. strace shows what is on disk before an answer, and gcc builds a library that kills a program during a write.
        tests)
            echo bluez ca-certificates caddy chromium curl dbus dbus-daemon gcc gpsd gpsd-clients jq libc6-dev mosquitto \
                mosquitto-clients nginx-light openssl osmium-tool "$postgresql" python3 python3-dbus python3-dbusmock python3-gi \
                python3-venv strace systemd tshark unzip uuid-runtime zbar-tools
            ;;
        # The formatter and the type checker of the pages’ JavaScript, the browser that gets messages, and WebKit with a screen.
        pages) echo clang-format firefox-esr gir1.2-webkit2-4.1 node-typescript python3-gi webkit2gtk-driver xvfb ;;
        # The virtual machine, and the programs that its guest runs from this machine’s file system.
        laboratory)
            echo bluez cpio dbus dbus-daemon gcc kmod libc6-dev python3 python3-dbus python3-gi qemu-system-x86 \
                socat xz-utils
            ;;
        # The virtual machine for arm64, and a compiler for its virtual controller.
        laboratory-arm64)
            echo cpio debian-archive-keyring debootstrap gcc-aarch64-linux-gnu kmod libc6-dev-arm64-cross python3 qemu-system-arm xz-utils
            ;;
        # lintian checks the packages; debootstrap and systemd-nspawn make the clean machine for testing them.
        package) echo binutils debootstrap dpkg-dev lintian openssl python3 systemd-container ;;
        # For packages for arm64 from another machine, and the emulator that runs them.
        cross) echo binutils-aarch64-linux-gnu debian-archive-keyring qemu-user-static ;;
        # callgrind, and the emulator that takes plugins: the one that is not static.
        instructions) echo gcc libc6-dev python3 qemu-user valgrind ;;
        # The reference beacons: a compiler and an emulator for the Cortex-M0, and an engine for the JavaScript.
        firmware) echo gcc gcc-arm-none-eabi libc6-dev nodejs python3 qemu-system-arm ;;
        # File systems and partitions of a card's image, and the machine that boots it.
        image) echo dosfstools e2fsprogs fdisk mtools openssl qemu-system-arm xz-utils ;;
        # Clients that put servers under load, and what their limits in C need.
        benchmarks) echo gcc libc6-dev libsqlite3-dev luajit nghttp2-client python3 sqlite3 wrk ;;
        # A Debian of its own for Home Assistant.
        home-assistant) echo debian-archive-keyring debootstrap util-linux ;;
        # Tools that make an image of containers, and run it.
        container) echo apparmor binutils buildah ca-certificates dpkg-dev iproute2 podman python3 runc util-linux ;;
        repository) echo apt-utils dpkg gpg gpg-agent xz-utils ;;
        *)
            echo "prepare.sh: unknown purpose ‘$1’: use benchmarks, build, cluster, container, cross, demo, firmware, home-assistant, image, instructions, laboratory, laboratory-arm64, package, pages, partners, repository or tests" >&2
            exit 64
            ;;
    esac
}

missing=()
for purpose in "$@"; do
    packages=$(packages_for "$purpose")
    for package in $packages; do
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
    # Without this, installing the server would create a database and start it.
    if [[ " ${missing[*]} " = *" $postgresql "* ]]; then
        settings=/etc/postgresql-common/createcluster.d
        "${elevate[@]}" mkdir -p "$settings"
        echo 'create_main_cluster = false' | "${elevate[@]}" tee "$settings/findmybike.conf" >/dev/null
    fi
    echo "Installing ${missing[*]}"
    "${elevate[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
    "${elevate[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" \
        >/dev/null
fi

if ! command -v swift >/dev/null; then
    echo "prepare.sh: install a Swift 6.2 toolchain (https://swift.org/install)" >&2
    [ -z "${SUDO_USER-}" ] || echo 'prepare.sh: if you have one, sudo does not find it: use sudo env "PATH=$PATH" COMMAND' >&2
    exit 69
fi

# Test peers that are written in Python. The stamp is the list of installed packages.
install_peers() {
    local venv="$here/.build/venv" list="$here/.build/requirements.txt"
    mkdir -p "$here/.build"
    cat "$here"/Tests/*/Fixtures/requirements.txt "$here"/Tests/*/*/Fixtures/requirements.txt | sort --unique >"$list"
    cmp --silent "$list" "$venv/installed.txt" && "$venv/bin/python" -c 'import bumble' 2>/dev/null && return
    echo "Installing $(tr '\n' ' ' <"$list")in $venv"
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$list"
    cp "$list" "$venv/installed.txt"
}

for purpose in "$@"; do
    if [ "$purpose" = tests ]; then install_peers; fi
done
