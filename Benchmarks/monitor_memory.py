"""Runs the monitor over a scenario of an hour against a small registry and samples its resident memory each minute.

Usage: monitor_memory.py MONITOR SCENARIO [OTHERS]. The scenario is played at 30 times normal speed, so an hour of it
takes two minutes here. OTHERS: the number of identities on the missing list in addition to the scenario's. ownAtEnd
(RssAnon) has a goal: at most 12,000 kB with 1,000,000 others. Started by run-busy-street.sh.
"""

import hashlib
import http.server
import json
import math
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import threading
import time
import uuid

MONITOR, SCENARIO = sys.argv[1:3]
OTHERS = int(sys.argv[3]) if len(sys.argv) > 3 else 0
SPEED = 30
beacons = pathlib.Path(SCENARIO).read_text().split("- name:")[1:]
TAG = '"1-0000000000000001"'
MISSING = [re.search(r"identity: (\S+)", b)[1] for b in beacons if "missing: true" in b]


def missing_list():
    """The full list as docs/missing-list.md specifies."""
    hashes = []
    for identity in MISSING:
        region, major, minor = identity.rsplit(":", 2)
        data = uuid.UUID(region).bytes + struct.pack(">HH", int(major), int(minor))
        hashes.append(int.from_bytes(hashlib.sha256(data).digest()[:5], "big"))
    chance = random.Random(1)
    hashes = sorted({*hashes, *(chance.getrandbits(40) for _ in range(OTHERS))})
    # The parameter of a Golomb-Rice code for gaps of this mean.
    low = int(math.log2(math.log(2) * (1 << 40) / len(hashes)))
    digest = hashlib.sha256(b"".join(value.to_bytes(5, "big") for value in hashes)).digest()
    gaps = [value - before - 1 for before, value in zip([-1] + hashes, hashes)]
    bits = "".join("1" * (gap >> low) + "0" + format(gap & (1 << low) - 1, f"0{low}b") for gap in gaps)
    bits += "0" * (-len(bits) % 8)
    codes = bytes(int(bits[start : start + 8], 2) for start in range(0, len(bits), 8))
    return b"FMBL" + bytes([1, 0, 40, low]) + struct.pack(">QQI", 1, 1, len(hashes)) + digest + codes


class Registry(http.server.BaseHTTPRequestHandler):
    """Serves a missing list and stores every reported visit."""

    protocol_version = "HTTP/1.1"
    reports = 0

    def do_GET(self):
        if self.headers["If-None-Match"] == TAG:
            time.sleep(5)
            return self.answer(304)
        self.answer(200, LIST, "application/vnd.findmybike.missing-list")

    def do_POST(self):
        visits = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["visits"]
        Registry.reports += len(visits)
        results = [{"id": visit["id"], "result": "stored"} for visit in visits]
        self.answer(200, json.dumps({"results": results}).encode(), "application/json")

    def answer(self, status, data=b"", content_type="application/json"):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        if status != 304:
            self.send_header("Content-Length", str(len(data)))
        self.send_header("ETag", TAG)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


LIST = missing_list()


def kilobytes(pid, field):
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    found = re.search(rf"^{field}:\s+(\d+)", status, re.MULTILINE)
    return int(found[1]) if found else None


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Registry)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        token = pathlib.Path(folder, "token")
        token.write_text("benchmark")
        settings = pathlib.Path(folder, "monitor.yaml")
        settings.write_text(
            f"registry:\n  url: http://127.0.0.1:{server.server_port}\n"
            f"station:\n  tokenFile: {token}\nstate: {folder}\nstatus:\n  socket: {folder}/status.sock\n"
            "log:\n  level: warning\n"
        )
        monitor = subprocess.Popen(
            [MONITOR, "--config", settings, "--simulate", SCENARIO, "--speed", str(SPEED)], stderr=sys.stderr
        )
        samples, peak, own, start = [], 0, 0, time.monotonic()
        while monitor.poll() is None:
            resident = kilobytes(monitor.pid, "VmRSS")
            if resident:
                samples.append(resident)
                peak = kilobytes(monitor.pid, "VmHWM") or peak
                own = kilobytes(monitor.pid, "RssAnon") or own
            time.sleep(max(0, start + len(samples) * 60 / SPEED - time.monotonic()))
    if monitor.returncode != 0 or not Registry.reports:
        sys.exit(f"the monitor ended with {monitor.returncode} after {Registry.reports} reports")
    result = {"reports": Registry.reports, "minutes": len(samples), "afterFifteenMinutes": samples[15], "end": samples[-1]}
    print(json.dumps(result | {"largest": max(samples), "peak": peak, "ownAtEnd": own}))


main()
