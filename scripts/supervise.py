"""Runs a command, and ends every process that it started when the command ends.

Usage: supervise.py MINUTES COMMAND [ARGUMENT …]

The exit status is the command's, or 124 if it did not end in time. A signal that ends this program (SIGTERM, SIGHUP,
SIGINT) ends the command, too. Process groups are not enough for that: shells, `timeout` and programs that run in the
background make groups and sessions of their own.
"""
import contextlib
import ctypes
import os
import pathlib
import signal
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36  # prctl(2)


def adopt_orphans():
    """Processes below this one become its children when their parents end, so that they can be found."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def exit_on_signals():
    """Lets `finally` run when a signal ends this program."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda number, _: sys.exit(128 + number))


def descendants():
    """The processes below this one that have not ended."""
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                state, parent = (entry / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[:2]
                if state != "Z":
                    parents[int(entry.name)] = int(parent)
    found = {os.getpid()}
    while new := {process for process, parent in parents.items() if parent in found} - found:
        found |= new
    return found - {os.getpid()}


def end_descendants(patience=3):
    """Ends all processes below this one: they are asked to, and killed after so many seconds."""
    end = time.monotonic() + patience
    asked = set()
    while left := descendants():
        is_late = time.monotonic() > end
        for process in left if is_late else left - asked:
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL if is_late else signal.SIGTERM)
        asked |= left
        time.sleep(0.05)


def run(minutes, command, **options):
    """Runs a command as described above, with options of `subprocess.Popen`, and returns the exit status."""
    adopt_orphans()
    exit_on_signals()
    process = subprocess.Popen(command, **options)
    try:
        status = process.wait(minutes * 60)
    except subprocess.TimeoutExpired:
        print("supervise.py: ended after %g minutes: %s" % (minutes, " ".join(map(str, command))), file=sys.stderr, flush=True)
        status = 124
    finally:
        end_descendants()
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(run(float(sys.argv[1]), sys.argv[2:]))
