"""Runs Debian's gpsd under gpsfake, which repeats a receiver's log again and again. Usage: gpsd.py LOG

Prints gpsd's port once it listens. gpsd and all its processes end when the input closes.
"""

import os
import signal
import socket
import subprocess
import sys
import time

with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
fake = subprocess.Popen(
    ["gpsfake", "-q", "-n", "-c", "0.05", "-P", str(port), sys.argv[1]],
    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True,
)
if os.fork() == 0:
    # This process outlives the program, which may be killed without notice, and then ends both.
    os.setsid()
    sys.stdin.read()
    os.killpg(fake.pid, signal.SIGTERM)
    os._exit(0)
deadline = time.monotonic() + 60
while True:
    if fake.poll() is not None or time.monotonic() > deadline:
        sys.exit(f"gpsd does not listen; gpsfake: {fake.poll()}")
    try:
        socket.create_connection(("127.0.0.1", port)).close()
        break
    except ConnectionRefusedError:
        time.sleep(0.05)
print(port, flush=True)
fake.wait()
