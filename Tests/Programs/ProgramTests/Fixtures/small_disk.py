"""A disk that is actually full, for a program that writes to it."""

import ctypes
import os
import pathlib
import resource
import signal
import sys


def small_disk(folder, room=800_000):
    """A file system of 24 MB that a ballast file fills except for some room; if none can be mounted, a limit on the
    size of files.

    Returns a function that fills it and returns a function that frees it, how this was done, and what the program needs
    before it starts.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.getuid(), os.getgid()
    is_apart = libc.unshare(0x00020000 | (0x10000000 if user else 0)) == 0  # CLONE_NEWNS, CLONE_NEWUSER
    if is_apart and user:
        for name, text in ("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1"):
            pathlib.Path("/proc/self", name).write_text(text)
    is_mounted = is_apart and (
        libc.mount(b"none", b"/", None, 0x44000, None) == 0  # MS_REC | MS_PRIVATE
        and libc.mount(b"tmpfs", str(folder).encode(), b"tmpfs", 0, b"size=24m") == 0)
    if is_mounted:
        def fill(_):
            ballast = folder / "ballast"
            status = os.statvfs(folder)
            with open(ballast, "wb", buffering=0) as file:
                # The program writes, too, so there may be less room by now.
                try:
                    file.write(b"x" * (status.f_bavail * status.f_frsize - room))
                    while not room:
                        file.write(b"x" * 4096)
                except OSError:
                    pass
            return ballast.unlink
        return fill, "tmpfs", None
    print("small_disk.py: no file system can be mounted here; a limit on the size of files stands in", file=sys.stderr)

    def limit(registry):
        # Without any room, existing bytes cannot be overwritten either.
        size = max(os.path.getsize(path) for path in folder.iterdir()) + 200_000 if room else 0
        resource.prlimit(registry.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        return lambda: resource.prlimit(registry.process.pid, resource.RLIMIT_FSIZE, unlimited)
    return limit, "limit", lambda: signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
