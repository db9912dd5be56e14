#!/usr/bin/env bash
# Gets a kernel with Bluetooth for the laboratory’s guest and prints its folder. This is done once, then cached.
#
# Usage: Tests/Laboratory/prepare.sh              for amd64
#        Tests/Laboratory/prepare.sh arm64 ROOT   for arm64, with 16 kB pages, from the sources of ROOT, a Debian for arm64
#
# Debian’s kernel and busybox come as packages (70 to 90 MB) through apt, which checks their signatures; they are unpacked,
# never installed. The folder holds: kernel, busybox, modules/*.ko and modules/order, the order to load them in.
set -euo pipefail
architecture=${1-amd64} root=${2-}

# The modules that the guest’s start and bluetoothd need: its GATT database does not start without AF_ALG’s ciphers.
modules=(virtio_pci virtio_console virtio_rng virtio_net 9pnet_virtio 9p overlay bluetooth algif_hash algif_skcipher cmac ecb)
apt=()
case $architecture in
    amd64) image=linux-image-amd64 modules+=(hci_vhci aes_generic) ;;
    # Debian’s kernels for arm64 have no hci_vhci.
    arm64) image=linux-image-arm64-16k modules+=(hci_uart)
        apt=(-o "Dir=$root" -o APT::Architecture=arm64 -o APT::Architectures=arm64) ;;
esac

# Raise the number when the folder’s content changes.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/findmybike/laboratory-$architecture-3

fail() { echo "laboratory: $*" >&2; exit 69; }

[ -e "$cache/kernel" ] && { echo "$cache"; exit; }
[ "$(dpkg --print-architecture)" = amd64 ] || fail "the laboratory runs on amd64 only"

kernel_package() {
    apt-cache "${apt[@]}" depends "$image" 2>/dev/null | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)$/\1/p;T;q'
}
package=$(kernel_package)
if [ -z "$package" ]; then
    apt-get "${apt[@]}" update -qq >&2 || fail "apt-get update failed; as root it brings the list of Debian’s packages"
    package=$(kernel_package)
fi
[ -n "$package" ] || fail "apt knows no $image; the laboratory needs Debian’s own package sources"
version=${package#linux-image-}

mkdir -p "$(dirname "$cache")"
work=$(mktemp -d "$cache.XXXXXX")
trap 'rm -rf "$work"' EXIT
echo "laboratory: getting $package, once (70 to 90 MB)" >&2
(cd "$work" && apt-get -qq "${apt[@]}" -o APT::Sandbox::User=root download "$package" busybox-static >&2) ||
    fail "$package could not be downloaded; ‘apt-get update’ may help"

# Older packages have lib and bin, newer ones usr/lib and usr/bin.
mkdir "$work/root" "$work/modules"
dpkg-deb --fsys-tarfile "$work/$package"_*.deb |
    tar -x -C "$work/root" --wildcards './boot/vmlinuz-*' '*/lib/modules/*/modules.*' '*/lib/modules/*/kernel/*'
[ -e "$work/root/lib" ] || ln -s usr/lib "$work/root/lib"
dpkg-deb --fsys-tarfile "$work"/busybox-static_*.deb | tar -x -O --wildcards '*/bin/busybox' >"$work/busybox"
chmod +x "$work/busybox"

/sbin/depmod -b "$work/root" "$version"
for module in "${modules[@]}"; do
    /sbin/modprobe -d "$work/root" -S "$version" --show-depends "$module"
done | sed -n 's/^insmod \(.*[^ ]\) *$/\1/p' | awk '!seen[$1]++ {print $1}' | while read -r file; do
    cp "$file" "$work/modules/"
    basename "${file%.xz}"
done >"$work/modules/order"
find "$work/modules" -name '*.xz' -exec xz --decompress {} +

# The kernel inside the compressed image boots directly (PVH); without acceleration that saves the guest six seconds.
# The image for arm64 is not compressed.
cp "$work"/root/boot/vmlinuz-* "$work/kernel"
[ "$architecture" != amd64 ] || /usr/bin/python3 - "$work/kernel" <<'PYTHON'
import lzma, pathlib, sys
path = pathlib.Path(sys.argv[1])
image = path.read_bytes()
kernel = lzma.LZMADecompressor().decompress(image[image.index(b"\xfd7zXZ\0"):])
assert kernel.startswith(b"\x7fELF"), "the compressed image holds no ELF kernel"
path.write_bytes(kernel)
PYTHON

rm -rf "$work/root" "$work"/*.deb
# If two processes prepare at once, one wins; the other’s result is the same.
mv -T "$work" "$cache" 2>/dev/null || [ -e "$cache/kernel" ] || fail "$cache is in the way; remove it"
echo "$cache"
