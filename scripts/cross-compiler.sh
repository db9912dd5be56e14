#!/usr/bin/env bash
# Makes a cross-compiler for Raspberry Pis from Debian's packages alone: Swift from Debian's sid in a root of its own, and
# a Swift SDK with Debian 12's libraries for arm64. Programs that it builds run on Debian 12 and 13, and so on Raspberry Pi
# OS of both.
#
# Usage: scripts/cross-compiler.sh FOLDER   as root; what is already there is used again (2.5 GB, 1.3 GB to download)
#
# FOLDER/bin/swift is then the compiler: `FOLDER/bin/swift build --swift-sdk debian-arm64 …`. It sees this machine's files
# under their own paths. scripts/package.sh --architecture arm64 calls this script by itself.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
refuse() { echo "cross-compiler.sh: $2" >&2; exit "$1"; }
[ $# -eq 1 ] && [[ $1 != -* ]] || { sed -n '/^# Usage/{s/^# //p}' "$0" >&2; exit 64; }
[ "$(id -u)" -eq 0 ] || refuse 77 "run it as root: the compiler runs in a root of its own"
folder=$(realpath -m "$1")
own=$(dpkg --print-architecture)
host=$folder/host bundle=$folder/debian-arm64.artifactbundle
sysroot=$bundle/debian/sysroot

# If this script has changed since, everything is made again.
edition=$(cat "$0" "$here/scripts/cross-compiler/glibc.c" | sha256sum | cut -c1-16)
[ "$(cat "$folder/edition" 2>/dev/null)" != "$edition" ] || exit 0
rm -rf "$folder"/{host,bin,apt,edition} "$bundle"
mkdir -p "$folder/apt"

# The archive that this machine uses.
archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)
[ -n "$archive" ] || refuse 69 "apt knows no archive: see /etc/apt/sources.list"

# Downloads packages, with all that they need, as if nothing were installed: ARCHITECTURE SUITE PACKAGE…
download() {
    local apt=$folder/apt/$1-$2 architecture=$1 suite=$2
    shift 2
    mkdir -p "$apt"/{lists/partial,cache/archives/partial}
    : >"$apt/status"
    echo "deb [arch=$architecture signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive $suite main" \
        >"$apt/sources.list"
    cat >"$apt/apt.conf" <<CONF
APT::Architecture "$architecture"; APT::Architectures { "$architecture"; }; APT::Sandbox::User "root";
Dir::State "$apt"; Dir::State::lists "$apt/lists"; Dir::State::status "$apt/status"; Dir::Cache "$apt/cache";
Dir::Etc::sourcelist "$apt/sources.list"; Dir::Etc::sourceparts "/nowhere"; Acquire::Languages "none";
CONF
    export APT_CONFIG=$apt/apt.conf
    apt-get update -qq >"$apt/log" 2>&1 &&
        apt-get install -y -qq --download-only --no-install-recommends "$@" >>"$apt/log" 2>&1 ||
        { tail -n 5 "$apt/log" >&2; refuse 69 "the packages of $suite for $architecture cannot be downloaded"; }
    unset APT_CONFIG
}

# Unpacks what was downloaded: ARCHITECTURE SUITE ROOT [OPTION OF TAR]…
unpack() {
    local package packages=$folder/apt/$1-$2/cache/archives root=$3
    shift 3
    mkdir -p "$root/usr"/{bin,sbin,lib,lib64}
    for link in bin sbin lib lib64; do ln -sfn "usr/$link" "$root/$link"; done
    for package in "$packages"/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$root" "$@"
    done
}

echo "Downloading Swift and Debian's libraries for arm64 into $folder"
# Python and esbuild are for the plugin that writes the sources of some rooms.
download "$own" sid swiftlang base-files bash dash coreutils mawk sed grep git pkgconf libc6-dev libstdc++-15-dev \
    binutils procps python3 esbuild
download arm64 bookworm libbluetooth-dev libbrotli-dev libc6-dev libcurl4-openssl-dev libdbus-1-dev libmosquitto-dev \
    libpq-dev libqrencode-dev libsqlite3-dev libstdc++-12-dev libturbojpeg0-dev zlib1g-dev
# Only Swift's own packages, for its runtime; what they need of sid's stays there.
download arm64 sid swiftlang

unpack "$own" sid "$host" --exclude='*/liblldb*' --exclude='*/lldb*' --exclude='*/clangd' --exclude='*sourcekit*' \
    --exclude='*/lib/swift/embedded/*' --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*'
ln -sf mawk "$host/usr/bin/awk"
mkdir -p "$host/root/.swiftpm/swift-sdks"
printf 'root:x:0:0:root:/root:/bin/bash\n' >"$host/etc/passwd"
printf '[safe]\n\tdirectory = *\n' >"$host/root/.gitconfig"
[ ! -e /etc/gitconfig ] || cp /etc/gitconfig "$host/etc/gitconfig"

unpack arm64 bookworm "$sysroot" --exclude='./usr/share/*' --exclude='./etc/*' --exclude='./var/*'
# Links must not lead out of the sysroot.
find "$sysroot" -type l -lname '/*' | while read -r link; do
    target=$sysroot$(readlink "$link")
    [ ! -e "$target" ] || ln -sfrn "$target" "$link"
done
for package in "$folder"/apt/arm64-sid/cache/archives/*swiftlang*.deb; do
    dpkg-deb --fsys-tarfile "$package" |
        tar -x -C "$sysroot/usr/lib" --strip-components=5 --exclude='*/embedded' --exclude='*/host' --exclude='*/migrator' \
            --exclude='*/FrameworkABIBaseline' --exclude='*/pm' --wildcards './usr/libexec/swift/lib/swift' \
            './usr/libexec/swift/lib/swift_static' './usr/libexec/swift/lib/clang' 2>/dev/null || true
done
[ -d "$sysroot/usr/lib/swift_static/linux" ] || refuse 70 "Swift's packages for arm64 have no static runtime where it was"
rm -rf "$folder/apt"

cat >"$bundle/info.json" <<'JSON'
{"schemaVersion": "1.0", "artifacts": {"debian-arm64": {"type": "swiftSDK", "version": "1", "variants": [{"path": "debian"}]}}}
JSON
cat >"$bundle/debian/swift-sdk.json" <<'JSON'
{"schemaVersion": "4.0", "targetTriples": {"aarch64-unknown-linux-gnu": {
    "sdkRootPath": "sysroot", "swiftResourcesPath": "sysroot/usr/lib/swift",
    "swiftStaticResourcesPath": "sysroot/usr/lib/swift_static", "toolsetPaths": ["toolset.json"]}}}
JSON
cat >"$bundle/debian/toolset.json" <<'JSON'
{"schemaVersion": "1.0", "cxxCompiler": {"extraCLIOptions": ["-lstdc++"]},
 "swiftCompiler": {"extraCLIOptions": ["-use-ld=lld"]}}
JSON
ln -sfn "$bundle" "$host/root/.swiftpm/swift-sdks/"

mkdir -p "$folder/bin"
cat >"$folder/bin/inside" <<SH
#!/bin/sh
# Runs a command in the compiler's root. Its folders for data are this machine's, under their own paths.
exec unshare --mount sh -c '
    mount --make-rprivate /
    for each in /proc /dev /sys /tmp /opt "$folder" "\$PWD" \${CROSS_FOLDERS-}; do
        [ -d "\$each" ] || continue
        mkdir -p "$host\$each" && mount --rbind "\$each" "$host\$each"
    done
    exec chroot "$host" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/libexec/swift/bin:/usr/bin:/bin \\
        FINDMYBIKE_STRICT="\${FINDMYBIKE_STRICT-}" PKG_CONFIG_SYSROOT_DIR="$sysroot" \\
        sh -c "cd \"\\\$0\" && [ -n \"\\\$FINDMYBIKE_STRICT\" ] || unset FINDMYBIKE_STRICT; exec \"\\\$@\"" "\$PWD" "\$@"
' inside "\$@"
SH
cat >"$folder/bin/swift" <<SH
#!/bin/sh
# Debian's Swift; without --swift-sdk debian-arm64 it builds for this machine.
case " \$* " in
    *" --swift-sdk "*) set -- "\$@" --pkg-config-path "$sysroot/usr/lib/aarch64-linux-gnu/pkgconfig" ;;
esac
exec "$folder/bin/inside" swift "\$@"
SH
chmod +x "$folder"/bin/*

# What sid's runtime takes from glibc 2.38, which Debian 12 does not have (2.36).
cp "$here/scripts/cross-compiler/glibc.c" "$folder/"
"$folder/bin/inside" clang --target=aarch64-linux-gnu --sysroot="$sysroot" -O2 -fPIC -Wall -Werror \
    -c "$folder/glibc.c" -o "$folder/glibc.o"
"$folder/bin/inside" llvm-ar rcs "$sysroot/usr/lib/swift_static/linux/libglibc_compatibility.a" "$folder/glibc.o"
# Programs are for small machines: nobody links with them, so they need not export their functions, and relocations are
# packed, which glibc 2.36 can read. This saves some MB of each program.
arguments=$sysroot/usr/lib/swift_static/linux/static-stdlib-args.lnk
grep -q -- -export-dynamic "$arguments" || refuse 70 "Swift's runtime is linked in another way than before: see $arguments"
sed -i '/-export-dynamic/d' "$arguments"
printf '\n-lglibc_compatibility\n-Xlinker -z -Xlinker pack-relative-relocs\n' >>"$arguments"
echo "$edition" >"$folder/edition"
