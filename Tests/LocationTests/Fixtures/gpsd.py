"""Runs Debian's gpsd under gpsfake, which repeats a receiver's log again and again. Usage: gpsd.py LOG

Prints gpsd's port. gpsd and all its processes end when the input closes.
"""

import os
import signal
import socket
import subprocess
import sys

with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
fake = subprocess.Popen(
    ["gpsfake", "-q", "-n", "-c", "0.05", "-P", str(port), sys.argv[1]],
    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
)
if os.fork() == 0:
    # This process outlives the program, which may be killed without notice, and then ends both.
    os.setsid()
    sys.stdin.read()
    os.killpg(fake.pid, signal.SIGTERM)
    os._exit(0)
print(port, flush=True)
fake.wait()
