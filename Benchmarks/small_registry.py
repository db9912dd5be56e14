"""A small registry for benchmarks of the monitor: it serves one missing list and keeps the last report of every visit."""

import hashlib
import http.server
import json
import math
import random
import struct
import threading
import time
import uuid

TAG = '"1-0000000000000001"'


def missing_list(identities, others):
    """The full list as docs/missing-list.md specifies, with some random hashes besides."""
    hashes = []
    for identity in identities:
        region, major, minor = identity.rsplit(":", 2)
        data = uuid.UUID(region).bytes + struct.pack(">HH", int(major), int(minor))
        hashes.append(int.from_bytes(hashlib.sha256(data).digest()[:5], "big"))
    chance = random.Random(1)
    hashes = sorted({*hashes, *(chance.getrandbits(40) for _ in range(others))})
    # The parameter of a Golomb-Rice code for gaps of this mean.
    low = int(math.log2(math.log(2) * (1 << 40) / len(hashes)))
    digest = hashlib.sha256(b"".join(value.to_bytes(5, "big") for value in hashes)).digest()
    gaps = [value - before - 1 for before, value in zip([-1] + hashes, hashes)]
    bits = "".join("1" * (gap >> low) + "0" + format(gap & (1 << low) - 1, f"0{low}b") for gap in gaps)
    bits += "0" * (-len(bits) % 8)
    codes = bytes(int(bits[start : start + 8], 2) for start in range(0, len(bits), 8))
    return b"FMBL" + bytes([1, 0, 40, low]) + struct.pack(">QQI", 1, 1, len(hashes)) + digest + codes


class Registry(http.server.ThreadingHTTPServer):
    """Serves on a free port of loopback, until this program ends."""

    def __init__(self, identities, others):
        super().__init__(("127.0.0.1", 0), Handler)
        self.list = missing_list(identities, others)
        self.reports = 0
        self.visits = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """A monitor that ends leaves its question for a newer list."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.headers["If-None-Match"] == TAG:
            time.sleep(5)
            return self.answer(304)
        self.answer(200, self.server.list, "application/vnd.findmybike.missing-list")

    def do_POST(self):
        visits = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["visits"]
        self.server.reports += len(visits)
        self.server.visits |= {visit["id"]: visit for visit in visits}
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
