#!/usr/bin/env python3
"""Runs a command in a root of arm64 programs on a machine of another architecture, by qemu-user. As root.

Usage: scripts/arm64/enter.py ROOT COMMAND [ARGUMENT]...

The emulator is registered (binfmt_misc) in a user namespace of its own, which Linux 6.7 or newer can do, so that nothing
outside of it changes. The network is this machine's. ROOT/proc, /dev and /sys are this machine's, too; they and the
emulator are gone when the command ends.
"""
import ctypes
import os
import shutil
import subprocess
import sys

CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000
# As in qemu-binfmt-conf.sh: the beginning of an ELF file for arm64, and which of its bits count.
MAGIC = r"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
MASK = r"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
ENVIRONMENT = {
    "HOME": "/root", "LANG": "C.UTF-8", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive",
}


def mount(*arguments):
    subprocess.run(("mount", *arguments), check=True)


def enter(root, command):
    """Replaces this process, which is alone in its namespaces, by the command."""
    mount("--make-rprivate", "/")
    for name in ("proc", "dev", "sys"):
        mount("--rbind", "/" + name, f"{root}/{name}")
    formats = f"{root}/proc/sys/fs/binfmt_misc"
    mount("-t", "binfmt_misc", "none", formats)
    emulator = shutil.which("qemu-aarch64-static")
    # F: the emulator is opened now, so that the root needs none.
    with open(formats + "/register", "w", encoding="ascii") as file:
        file.write(f":arm64:M::{MAGIC}:{MASK}:{emulator}:F")
    os.chroot(root)
    os.chdir("/")
    os.execvpe(command[0], command, ENVIRONMENT)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    root, command = os.path.realpath(sys.argv[1]), sys.argv[2:]
    ready, mapped = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0:
            sys.exit("enter.py: unshare: " + os.strerror(ctypes.get_errno()))
        os.write(ready[1], b"x")
        os.read(mapped[0], 1)
        os.setgid(0)
        os.setuid(0)
        enter(root, command)
    os.read(ready[0], 1)
    for kind in ("uid_map", "gid_map"):
        with open(f"/proc/{child}/{kind}", "w", encoding="ascii") as file:
            file.write("0 0 65536\n")
    os.write(mapped[1], b"x")
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


if __name__ == "__main__":
    main()
