#!/usr/bin/env bash
# Makes the image of a card for Raspberry Pis: Debian 13 with the monitor, which reads its settings from findmybike.txt on
# the card. Needs root.
#
# Usage: scripts/image.sh [OPTION]… IMAGE SOURCE
#        scripts/image.sh check [IMAGE]
#   IMAGE     the file to write, as in findmybike.img.xz
#   SOURCE    findmybike.sources of the apt source from which the card gets its packages (scripts/repository.sh). The image
#             has the newest packages that are there now, and the card upgrades itself from there
#   --kernel  “stable” for the Pi 3, 4 and Zero 2 W; “backports” for the Pi 5, too, with a newer kernel that gets its
#             security updates later. stable if not given
#   --registry  the registry's address, to write into findmybike.txt
#   check     boots IMAGE, or one that it makes, in an emulator, up to a station that reports a beacon. It does not need
#             root if IMAGE is given
#
# Debian's archive is the one in this machine's apt settings; the card uses the same.
set -euo pipefail
umask 022
here=$(cd "$(dirname "$0")/.." && pwd)
refuse() { echo "image.sh: $2" >&2; exit "$1"; }
usage() { sed -n '/^# Usage/,/^#$/{/^#$/d; s/^# \{0,1\}//p}' "$0" >&2; exit 64; }

if [ "${1-}" = check ]; then
    "$here/scripts/prepare.sh" demo image repository
    programs=$("$here/scripts/build.sh" findmybike findmybike-registry)
    exec python3 -B "$here/Tests/Card/check.py" --programs "$programs" ${2:+--image "$2"}
fi
kernel=stable registry=''
while [[ ${1-} == --* ]]; do
    [ $# -ge 2 ] || usage
    case "$1" in
        --kernel) kernel=$2 ;;
        --registry) registry=$2 ;;
        *) usage ;;
    esac
    shift 2
done
[ $# -eq 2 ] && [[ $kernel =~ ^(stable|backports)$ ]] || usage
image=$1 source=$2
[ "$(id -u)" -eq 0 ] || refuse 77 "run this with sudo: it creates files of other users"
[ -e "$source" ] || refuse 66 "‘$source’ does not exist: scripts/repository.sh makes it"
grep -q '^Types: deb$' "$source" || refuse 66 "‘$source’ is not the file findmybike.sources that scripts/repository.sh makes"
[[ $registry =~ ^[A-Za-z0-9.:/_-]*$ ]] || refuse 64 "‘$registry’ is not an address"
"$here/scripts/prepare.sh" image package cross

work=$(mktemp -d "${TMPDIR:-/var/tmp}/findmybike-image.XXXXXX")
trap 'rm -rf "$work"' EXIT
root=$work/root boot=$work/boot
# The firmware's hooks, which fill the boot partition after each change of the kernel, ask for a mounted one.
# shellcheck disable=SC2016
inside() {
    mkdir -p "$root/boot/firmware"
    "$here/scripts/arm64/enter.py" "$root" sh -c 'mount --bind /boot/firmware /boot/firmware && exec "$@"' inside "$@"
}
logged() { "$@" >"$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; refuse 70 "the packages could not be installed"; }; }

archives() { apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep "$@" security | head -n 1; }
sources() {
    local suites='trixie trixie-updates' archive
    [ "$kernel" = stable ] || suites+=' trixie-backports'
    for archive in "$(archives -v)" "$(archives -e)"; do
        [ -z "$archive" ] || printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main non-free-firmware\nSigned-By: %s\n\n' \
            "$archive" "$suites" /usr/share/keyrings/debian-archive-keyring.gpg
        suites=trixie-security
    done
}

# Debian as it is on every card with this kernel, made once.
base=$here/.build/arm64-roots/card-$kernel
packages=(avahi-daemon bluez bluez-firmware e2fsprogs fdisk firmware-brcm80211 initramfs-tools iproute2 iw kmod libnss-mdns
    network-manager raspi-firmware rfkill systemd-sysv systemd-timesyncd tzdata udev unattended-upgrades
    wpasupplicant zstd)
if [ "$(cat "$base.complete" 2>/dev/null)" != "${packages[*]}" ]; then
    clean=$("$here/scripts/arm64/root.sh" trixie)
    echo "Installing Debian’s packages for cards"
    rm -rf "$base"
    cp -a "$clean" "$root"
    rm -f "$root/etc/apt/sources.list"
    sources >"$root/etc/apt/sources.list.d/debian.sources"
    logged inside apt-get update -q
    logged inside apt-get install -q -y --no-install-recommends "${packages[@]}"
    # Last: each package that belongs into the initial RAM disk would make it again, which takes minutes in an emulator.
    release=trixie
    [ "$kernel" = stable ] || release=trixie-backports
    logged inside apt-get install -q -y --no-install-recommends -t "$release" linux-image-arm64
    mv "$root" "$base"
    echo "${packages[*]}" >"$base.complete"
fi
cp -a "$base" "$root"
cp "$source" "$root/etc/apt/sources.list.d/findmybike.sources"

# A card is found by its labels: it may be the only disk, or one of several.
cat >"$root/etc/fstab" <<'FSTAB'
LABEL=findmybike-root / ext4 noatime,x-systemd.growfs,errors=remount-ro 0 1
LABEL=FINDMYBIKE /boot/firmware vfat noatime,umask=0077 0 2
FSTAB
cat >>"$root/etc/default/raspi-firmware" <<'FIRMWARE'
ROOTPART=LABEL=findmybike-root
CONSOLES=tty0
FIRMWARE
install -m 755 -D "$here/scripts/image/grow-root" "$root/usr/lib/findmybike-card/grow-root"
install -m 644 "$here/scripts/image/grow-root.service" "$root/etc/systemd/system/grow-root.service"
echo "FindMyBike. The settings of this machine are in findmybike.txt on its card." >"$root/etc/issue"
if [ "$kernel" = backports ]; then
    # apt upgrades from there only what came from there.
    echo 'Unattended-Upgrade::Origins-Pattern { "origin=Debian Backports,codename=trixie-backports"; };' \
        >"$root/etc/apt/apt.conf.d/54findmybike-kernel"
fi

echo "Installing the monitor"
logged inside apt-get update -q
logged inside apt-get upgrade -q -y
logged inside apt-get install -q -y --no-install-recommends findmybike-card findmybike-archive-keyring
logged inside systemctl enable grow-root.service
logged inside sh -c 'cp -R /usr/lib/raspi-firmware/. /boot/firmware/ &&
    DEB_MAINT_PARAMS=configure /etc/kernel/postinst.d/z50-raspi-firmware'
logged inside apt-get clean

# Every card has its own identity, and nothing of this machine.
: >"$root/etc/machine-id"
echo findmybike >"$root/etc/hostname"
printf '127.0.0.1 localhost\n127.0.1.1 findmybike\n' >"$root/etc/hosts"
rm -rf "$root"/var/lib/apt/lists/* "$root"/var/log/* "$root/var/lib/dbus/machine-id" "$root/etc/resolv.conf" "$root"/tmp/* \
    "$root"/debootstrap
mkdir -p "$root/var/log"
mv "$root/boot/firmware" "$boot"
mkdir "$root/boot/firmware"
sed "s|^registry:.*|registry: $registry|" "$here/config/card/findmybike.txt" | sed 's/ *$/\r/' >"$boot/findmybike.txt"

echo "Writing $image"
mib=$((1 << 20))
boot_mib=512 root_mib=$(($(du -sm "$root" | cut -f1) * 12 / 10 + 200))
truncate -s "${boot_mib}M" "$work/boot.img"
mkfs.vfat -F 32 -n FINDMYBIKE "$work/boot.img" >/dev/null
mcopy -s -i "$work/boot.img" "$boot"/* ::
mke2fs -q -t ext4 -L findmybike-root -m 1 -d "$root" "$work/root.img" "${root_mib}M"
truncate -s $(((4 + boot_mib + root_mib) * mib)) "$work/card.img"
# The Pi 3 reads only this kind of table.
printf 'label: dos\nstart=4MiB, size=%sMiB, type=c, bootable\nstart=%sMiB, size=%sMiB, type=83\n' \
    "$boot_mib" $((4 + boot_mib)) "$root_mib" | sfdisk --quiet "$work/card.img"
dd if="$work/boot.img" of="$work/card.img" bs=1M seek=4 conv=notrunc,sparse status=none
dd if="$work/root.img" of="$work/card.img" bs=1M seek=$((4 + boot_mib)) conv=notrunc,sparse status=none
case "$image" in
    *.xz) xz -T0 -3 --stdout "$work/card.img" >"$image.new" ;;
    *) cp --sparse=always "$work/card.img" "$image.new" ;;
esac
mv "$image.new" "$image"
echo "$image: $(($(stat -c %s "$work/card.img") / 1000000)) MB on a card, $(($(stat -c %s "$image") / 1000000)) MB as a file"
