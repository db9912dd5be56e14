"""Opens a live stream for each of many owners whose bikes are missing, and measures the registry's memory.

Usage: streams.py PROGRAMS STREAMS
PROGRAMS: the folder of findmybike-registry; STREAMS: at most 1000, the registry's limit. Started by run-pages.sh.
"""

import concurrent.futures
import os
import pathlib
import re
import selectors
import socket
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests/Pages"))
from stage import Registry, missing_bike  # noqa: E402

PROGRAMS, STREAMS = sys.argv[1], int(sys.argv[2])
MORE = "log: {level: warning}\nconnections: {perClient: 10000}\n"
HEARD = 50
# All owners have one address here.
os.environ["FINDMYBIKE_LIMITS_ADDRESS"] = "off"


def anonymous(process):
    """MB of 1,000,000 bytes."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"RssAnon:\s+(\d+)", status)[1]) * 1024 / 1e6


class Stream:
    def __init__(self, registry, token, path):
        self.socket = socket.create_connection(("127.0.0.1", registry.port))
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
                            "Accept: text/event-stream\r\n\r\n".encode())
        self.data, self.time = b"", None

    def read(self):
        data = self.socket.recv(65536)
        if not data:
            raise SystemExit(f"the registry ended a stream: {self.data[:300]}")
        self.data += data
        if b"event: sighting" in self.data:
            self.time = self.time or time.time()


class Crowd:
    def __init__(self, streams):
        self.streams, self.poll = streams, selectors.DefaultSelector()
        for stream in streams:
            self.poll.register(stream.socket, selectors.EVENT_READ, stream)

    def until(self, done, seconds, what):
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                raise SystemExit(f"{what}: not within {seconds} s")
            for key, _ in self.poll.select(0.5):
                key.data.read()

    def follow(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for key, _ in self.poll.select(0.5):
                key.data.read()


def main():
    with tempfile.TemporaryDirectory() as folder:
        registry = Registry(PROGRAMS, folder, more=MORE)
        try:
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                owned = list(pool.map(lambda _: missing_bike(registry), range(STREAMS)))
            time.sleep(5)
            before = anonymous(registry.process)
            begin = time.monotonic()
            crowd = Crowd([
                Stream(registry, owner["token"], f"/v1/bikes/{bike['id']}/reports/{report['id']}/sightings")
                for owner, bike, report in owned])
            crowd.until(lambda: all(b"\r\n\r\n" in stream.data for stream in crowd.streams), 60, "streams open")
            opened = time.monotonic() - begin
            assert all(stream.data.startswith(b"HTTP/1.1 200") for stream in crowd.streams)
            # Two heartbeats of each, which check its token.
            crowd.follow(35)
            during = anonymous(registry.process)
            delays = []
            for index in range(0, STREAMS, max(1, STREAMS // HEARD)):
                stream = crowd.streams[index]
                registry.hear(index % 4, owned[index][1], 2, 0, ended=False)
                stored = time.time()
                crowd.until(lambda: stream.time, 30, "a sighting")
                delays.append(max(0, stream.time - stored) * 1000)
            told = sum(1 for stream in crowd.streams if stream.time)
            assert told == len(delays), "each sighting reaches its own stream only"
            print(f"  {STREAMS} streams opened in {opened:.1f} s")
            print(f"  RssAnon {before:.1f} MB before, {during:.1f} MB with them: {during - before:.1f} MB more, "
                  f"{(during - before) * 1000 / STREAMS:.1f} kB each")
            print(f"  {len(delays)} sightings from stored to sent: {statistics.median(delays):.0f} ms, "
                  f"at most {max(delays):.0f} ms")
        finally:
            registry.stop()


main()
