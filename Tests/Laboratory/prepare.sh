#!/usr/bin/env bash
# Gets a kernel with Bluetooth for the laboratory’s guest and prints its folder. This is done once, then cached.
#
# Debian’s kernel and busybox come as packages (70 MB) through apt, which checks their signatures; they are unpacked,
# never installed. The folder holds: vmlinux, busybox, modules/*.ko and modules/order, the order to load them in.
set -euo pipefail

# The modules that the guest’s start and bluetoothd need: its GATT database does not start without AF_ALG’s ciphers.
modules=(virtio_pci virtio_console virtio_rng 9pnet_virtio 9p overlay
    bluetooth hci_vhci algif_hash algif_skcipher cmac ecb aes_generic)

# Raise the number when the folder’s content changes.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/findmybike/laboratory-1

fail() { echo "laboratory: $*" >&2; exit 69; }

[ -e "$cache/vmlinux" ] && { echo "$cache"; exit; }
[ "$(dpkg --print-architecture)" = amd64 ] || fail "the guest’s kernel is Debian’s for amd64; run this on amd64"

kernel_package() {
    apt-cache depends linux-image-amd64 2>/dev/null | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)$/\1/p;T;q'
}
package=$(kernel_package)
if [ -z "$package" ]; then
    apt-get update -qq >&2 || fail "apt-get update failed; as root it brings the list of Debian’s packages"
    package=$(kernel_package)
fi
[ -n "$package" ] || fail "apt knows no linux-image-amd64; the laboratory needs Debian’s own package sources"
version=${package#linux-image-}

mkdir -p "$(dirname "$cache")"
work=$(mktemp -d "$cache.XXXXXX")
trap 'rm -rf "$work"' EXIT
echo "laboratory: getting $package, once (70 MB)" >&2
(cd "$work" && apt-get -qq -o APT::Sandbox::User=root download "$package" busybox-static >&2) ||
    fail "$package could not be downloaded; ‘apt-get update’ may help"

mkdir "$work/root" "$work/modules"
dpkg-deb --fsys-tarfile "$work/$package"_*.deb |
    tar -x -C "$work/root" --wildcards './boot/vmlinuz-*' './lib/modules/*/modules.*' './lib/modules/*/kernel/crypto' \
        './lib/modules/*/kernel/arch/x86/crypto' './lib/modules/*/kernel/drivers/*/*virtio*' \
        './lib/modules/*/kernel/drivers/virtio' './lib/modules/*/kernel/drivers/char/hw_random' \
        './lib/modules/*/kernel/drivers/bluetooth' './lib/modules/*/kernel/fs/9p' './lib/modules/*/kernel/fs/netfs' \
        './lib/modules/*/kernel/fs/fscache' './lib/modules/*/kernel/fs/overlayfs' './lib/modules/*/kernel/lib' \
        './lib/modules/*/kernel/net/9p' './lib/modules/*/kernel/net/bluetooth' './lib/modules/*/kernel/net/rfkill'
dpkg-deb --fsys-tarfile "$work"/busybox-static_*.deb | tar -x -O ./bin/busybox >"$work/busybox"
chmod +x "$work/busybox"

/sbin/depmod -b "$work/root" "$version"
for module in "${modules[@]}"; do
    /sbin/modprobe -d "$work/root" -S "$version" --show-depends "$module"
done | sed -n 's/^insmod //p' | awk '!seen[$1]++ {print $1}' | while read -r file; do
    cp "$file" "$work/modules/"
    basename "$file"
done >"$work/modules/order"
[ "$(wc -l <"$work/modules/order")" -ge "${#modules[@]}" ] || fail "$package lacks modules that the guest needs"

# The kernel inside the compressed image boots directly (PVH); without acceleration that saves the guest six seconds.
/usr/bin/python3 - "$work"/root/boot/vmlinuz-* "$work/vmlinux" <<'PYTHON'
import lzma, pathlib, sys
image = pathlib.Path(sys.argv[1]).read_bytes()
kernel = lzma.LZMADecompressor().decompress(image[image.index(b"\xfd7zXZ\0"):])
assert kernel.startswith(b"\x7fELF"), "the compressed image holds no ELF kernel"
pathlib.Path(sys.argv[2]).write_bytes(kernel)
PYTHON

rm -rf "$work/root" "$work"/*.deb
# If two processes prepare at once, one wins; the other’s result is the same.
mv -T "$work" "$cache" 2>/dev/null || [ -e "$cache/vmlinux" ] || fail "$cache is in the way; remove it"
echo "$cache"
