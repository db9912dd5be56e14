#!/usr/bin/env bash
# Runs a command on a real kernel with Bluetooth, in a disposable virtual machine; exits with the command’s status.
# (From the team’s Bluetooth laboratory.)
#
# Usage: Tests/Laboratory/run.sh [--arm64 ROOT] [--share FOLDER] [--limit SECONDS] -- COMMAND [ARGUMENT …]
#   --arm64 ROOT     an arm64 machine with 16 kB pages, whose root is the folder ROOT, a Debian for arm64
#   --share FOLDER   a folder to which the guest may write, and in which the command runs; by default a temporary one
#   --limit SECONDS  the time limit for everything; 300 by default
#
# The guest’s root is this machine’s own file system, read-only under an overlay in memory: every program that runs here
# runs there, with the same libraries, at the same path. /tmp, /run and /dev are the guest’s own; this repository is
# visible wherever it is. The guest can reach this machine’s loopback as 10.0.2.2, and nothing beyond. There is no
# acceleration, so that every machine behaves the same.
# The system bus runs; the command must start bluetoothd and controllers. Status 125: the machine did not start.
#
# For arm64, the programs are ROOT’s. Two serial cables, from ttyS0 to ttyS1 and from ttyS2 to ttyS3, take the place of
# /dev/vhci.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)

share= limit=300 architecture=amd64 root=/
while [ $# -gt 0 ]; do
    case "$1" in
        --arm64) architecture=arm64 root=$(realpath "$2"); shift 2 ;;
        --share) share=$(realpath "$2"); shift 2 ;;
        --limit) limit=$2; shift 2 ;;
        --) shift; break ;;
        *) break ;;
    esac
done
[ $# -gt 0 ] || { sed -n '/^# Usage/,/^set -/{s/^# \{0,1\}//p}' "$0" >&2; exit 64; }

case $architecture in
    amd64) emulator=qemu-system-x86_64 ;;
    arm64) emulator=qemu-system-aarch64 ;;
esac
for tool in "$emulator" cpio; do
    command -v "$tool" >/dev/null && continue
    echo "laboratory: $tool is missing; ‘scripts/laboratory.sh prepare’ installs it" >&2
    exit 69
done
kernel=$("$here/prepare.sh" "$architecture" "$root")
work=$(mktemp -d "${TMPDIR:-/tmp}/findmybike-laboratory.XXXXXX")
trap 'rm -rf "$work"' EXIT
[ -n "$share" ] || { share=$work/share; mkdir "$share"; }

# The initial RAM disk: the modules, busybox, the two steps of the start, and the command of this run.
mkdir -p "$work/disk/laboratory"
ln -s "$kernel/modules" "$work/disk/modules"
cp "$kernel/busybox" "$here/guest/start" "$work/disk/laboratory/"
cp "$here/guest/init" "$work/disk/init"
printf '%q ' "$@" >"$work/disk/laboratory/command"
printf 'share=%q\nrepository=%q\n' "$share" "$repository" >"$work/disk/laboratory/settings"
(cd "$work/disk" && find -L . | cpio --create --dereference --format=newc --quiet) >"$work/initrd"

export_folder() { # NAME PATH [OPTION]: a folder of this machine that the guest can mount
    machine+=(-fsdev "local,id=$1,path=$2,security_model=none,multidevs=remap${3:+,$3}"
        -device "virtio-9p-pci,fsdev=$1,mount_tag=$1")
}
cable() { # NUMBER: two serial ports that are connected with each other
    machine+=(-chardev "socket,id=from$1,path=$work/cable$1,server=on,wait=off" -device "pci-serial,chardev=from$1"
        -chardev "socket,id=to$1,path=$work/cable$1" -device "pci-serial,chardev=to$1")
}
machine=(-accel tcg -smp 2 -m 1536 -nodefaults -no-user-config -display none -no-reboot
    -kernel "$kernel/kernel" -initrd "$work/initrd"
    -serial "file:$work/console" -device virtio-rng-pci -device virtio-serial-pci
    -netdev user,id=network -device virtio-net-pci,netdev=network,romfile=
    -chardev file,id=output,path=/dev/fd/3 -device virtserialport,chardev=output,name=output
    -chardev "file,id=status,path=$work/status" -device virtserialport,chardev=status,name=status)
export_folder root "$root" readonly=on
export_folder repository "$repository" readonly=on
export_folder share "$share"
case $architecture in
    amd64)
        machine+=(-machine q35 -cpu max
            -append "console=ttyS0 loglevel=4 panic=-1 mitigations=off no_timer_check tsc=reliable")
        ;;
    arm64) # the processor of a Pi 5
        machine+=(-machine virt -cpu cortex-a76 -append "console=ttyAMA0 loglevel=4 panic=-1 mitigations=off")
        cable 1
        cable 2
        ;;
esac

outcome=0
exec 3> >(exec cat)
printer=$!
timeout --foreground --kill-after=5 "$limit" "$emulator" "${machine[@]}" </dev/null 2>"$work/qemu" || outcome=$?
exec 3>&-
wait "$printer" || true
if [ -s "$work/status" ]; then exit "$(cat "$work/status")"; fi

if [ "$outcome" -eq 124 ]; then
    echo "laboratory: the virtual machine was not done after $limit s and was stopped" >&2
else
    outcome=125
    echo "laboratory: the virtual machine ended before its command did" >&2
fi
echo "laboratory: what qemu said, and the last lines of the guest’s console:" >&2
cat "$work/qemu" >&2
[ ! -e "$work/console" ] || tr -d '\r' <"$work/console" | tail -30 | sed 's/^/    /' >&2
exit "$outcome"
