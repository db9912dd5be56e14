"""Runs Debian's gpsd under gpsfake, over and over through a log of a receiver. Usage: gpsd.py LOG

Prints gpsd's port. Ends, and gpsd with it, when its input closes.
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
print(port, flush=True)
sys.stdin.read()
os.killpg(fake.pid, signal.SIGTERM)
fake.wait()
