"""Runs a monitor whose disk fills up with its first visit and is emptied when three more visits have begun.

Usage: full_disk.py FOLDER-OF-THE-DISK MONITOR ARGUMENT…
Prints a JSON object: `status`, `refused` and `recovered` (whether the monitor reported this) and `means` (how the disk
was made).
"""

import ctypes
import json
import pathlib
import subprocess
import sys

from small_disk import small_disk


class Monitor:
    def __init__(self, command, prepare):
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=prepare)


def play(folder, command):
    fill, means, prepare = small_disk(folder, room=0)
    monitor = Monitor(command, prepare)
    free, seen, begun = None, set(), 0
    try:
        for line in monitor.process.stderr:
            sys.stderr.write(line)
            seen |= {word for word in ("cannot be written to", "can be written to again") if word in line}
            begun += "visit began" in line
            if begun == 1 and free is None:
                free = fill(monitor)
            if begun == 4 and free:
                free()
                free = False
        return {"status": monitor.process.wait(60), "refused": "cannot be written to" in seen,
                "recovered": "can be written to again" in seen, "means": means}
    finally:
        monitor.process.kill()
        if means == "tmpfs":
            ctypes.CDLL(None).umount2(str(folder).encode(), 2)  # MNT_DETACH


print(json.dumps(play(pathlib.Path(sys.argv[1]), sys.argv[2:])))
