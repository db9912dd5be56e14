"""Measures what fifty partners with 100,000 missing bikes each cost a registry and a station.

Usage: many.py PROGRAMS [PARTNERS BIKES]

Each partner is a server that has its list ready. Measured are the registry's memory before and with the partners, the time
from a partner's answer with a change until the registry's stations have the new version, the time from a missing bike of the
registry itself, and a monitor's memory with the union.
"""

import asyncio
import http.client
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from stage import Registry
from hostile import full_list, signed_offer
from web import Client

PROGRAMS = pathlib.Path(sys.argv[1])
PARTNERS, BIKES = (int(sys.argv[2]), int(sys.argv[3])) if len(sys.argv) > 3 else (50, 100_000)
LIST = "application/vnd.findmybike.missing-list"
# Longer than the registry's pause after a change, which is in proportion to the bytes of the list.
BETWEEN = 4
CHANGES = 10


class Partner:
    """Answers with its whole list at once, and then when it has changed."""

    def __init__(self, number):
        self.chance, self.number, self.changed = random.Random(number), 1, asyncio.Event()
        self.hashes = {self.chance.randrange(1 << 40) for _ in range(BIKES)}
        self.body, self.waits, self.answered = full_list(self.hashes, self.number), 0, None

    async def listen(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.url = "http://localhost:%d" % self.server.sockets[0].getsockname()[1]

    async def change(self):
        """A bike goes missing. Returns when the registry has been answered."""
        hashes = self.hashes | {self.chance.randrange(1 << 40)}
        body = await asyncio.to_thread(full_list, hashes, self.number + 1)
        while not self.waits:
            await asyncio.sleep(0.01)
        self.hashes, self.body, self.number = hashes, body, self.number + 1
        self.answered = asyncio.get_running_loop().create_future()
        self.changed.set()
        return await self.answered

    async def serve(self, reader, writer):
        try:
            while True:
                request = (await reader.readuntil(b"\r\n\r\n")).decode()
                known = re.search(r'(?i)if-none-match: "(\d+)-', request)
                if known and int(known[1]) == self.number:
                    self.changed.clear()
                    self.waits += 1
                    await self.changed.wait()
                    self.waits -= 1
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nETag: \"%d-%016x\"\r\nContent-Length: %d\r\n\r\n" % (
                    LIST.encode(), self.number, self.number, len(self.body)) + self.body)
                await writer.drain()
                if self.answered and not self.answered.done():
                    self.answered.set_result(time.perf_counter())
        except (asyncio.IncompleteReadError, asyncio.CancelledError, OSError):
            writer.close()


class Station(threading.Thread):
    """Follows the list, and notes when each version arrived."""

    def __init__(self, port, token):
        super().__init__(daemon=True)
        self.port, self.token, self.versions, self.arrivals, self.lengths = port, token, threading.Semaphore(0), [], []

    def run(self):
        tag = None
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        while True:
            headers = {"Authorization": "Bearer " + self.token, "Accept": LIST, "A-IM": "findmybike", "Prefer": "wait=60"}
            if tag:
                headers["If-None-Match"] = tag
            try:
                connection.request("GET", "/v1/missing", headers=headers)
                answer = connection.getresponse()
                body = answer.read()
            except (OSError, http.client.HTTPException):
                return
            if answer.status in (200, 226):
                tag = answer.headers["ETag"]
                self.lengths.append(len(body))
                self.arrivals.append(time.perf_counter())
                self.versions.release()


def join(registry, partner, number):
    code = registry.operator.insist("POST", "/v1/partners/invitations", {"name": f"City {number}"}, (201,)).json()["code"]
    token = "fmb_partner_" + "a" * 43
    offer = signed_offer(code, partner.url, token, Ed25519PrivateKey.generate(), registry.url)
    Client(registry.port).insist("POST", "/v1/partner/acceptance", offer, (201,))


def await_lists(registry):
    """Seconds until all lists are read."""
    began = time.perf_counter()
    while time.perf_counter() - began < 600:
        partners = registry.operator.all("/v1/partners")
        if sum(partner.get("list", {}).get("entries", 0) for partner in partners) >= PARTNERS * BIKES * 0.99:
            return time.perf_counter() - began
        time.sleep(0.2)
    sys.exit(f"the lists are not read: {partners[0]}")


def quiet(registry):
    """The registry's memory once it has nothing to do."""
    used = registry.processor()
    while True:
        time.sleep(2)
        used, before = registry.processor(), used
        if used - before < 0.1:
            return registry.memory()


def monitor_memory(registry, folder):
    """MB of a monitor with the union, once its memory no longer changes, and at most."""
    (folder / "station-token").write_text(registry.station("Memory"))
    settings = folder / "monitor.yaml"
    settings.write_text(
        f"registry:\n  url: {registry.url}\nstation:\n  tokenFile: {folder}/station-token\nstate: {folder}\n"
        f"status:\n  socket: {folder}/status.sock\nlog:\n  level: warning\n")
    scenario = pathlib.Path(__file__).resolve().parents[2] / "config/scenarios/parked-overnight.yaml"
    stripped = folder / "findmybike-monitor"
    subprocess.run(["strip", "-o", stripped, PROGRAMS / "findmybike-monitor"], check=True)
    stripped.chmod(0o755)
    process = subprocess.Popen(
        [stripped, "--config", settings, "--simulate", scenario, "--speed", "60"], stderr=subprocess.DEVNULL)
    read = lambda field: int(re.search(rf"^{field}:\s+(\d+)", pathlib.Path(
        f"/proc/{process.pid}/status").read_text(), re.MULTILINE)[1]) * 1024 / 1e6
    try:
        samples = []
        for _ in range(30):
            time.sleep(1)
            samples.append(read("RssAnon"))
        return samples[-1], max(samples)
    finally:
        process.terminate()
        process.wait(30)


async def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        registry = await asyncio.to_thread(Registry, PROGRAMS, folder, "registry")
        try:
            # The processes' memory differs by who has called; all of it once before.
            station = Station(registry.port, registry.station("Follower"))
            station.start()
            owner = registry.owner()
            registry.missing_bike(owner)
            before = await asyncio.to_thread(quiet, registry)
            partners = await asyncio.to_thread(lambda: [None] * PARTNERS)
            for number in range(PARTNERS):
                partners[number] = await asyncio.to_thread(Partner, number)
                await partners[number].listen()
            for number, partner in enumerate(partners):
                await asyncio.to_thread(join, registry, partner, number)
            print(f"{PARTNERS} lists of {BIKES} hashes: read and stored {await asyncio.to_thread(await_lists, registry):.1f} s "
                  "after the last partner joined")
            after = await asyncio.to_thread(quiet, registry)
            print(f"registry: {before:.1f} MB before, {after:.1f} MB with them, {after - before:.1f} MB more; "
                  f"{registry.memory('VmHWM'):.1f} MB at most, with the program itself")
            took = []
            for number in range(CHANGES):
                await asyncio.sleep(BETWEEN)
                while station.versions.acquire(blocking=False):
                    pass
                answered = await partners[number % PARTNERS].change()
                if not await asyncio.to_thread(station.versions.acquire, True, 60):
                    sys.exit("the station does not get the change")
                took.append(station.arrivals[-1] - answered)
            print(f"from a partner’s answer to a station: median {statistics.median(took):.2f} s, at most {max(took):.2f} s; "
                  f"the change has {station.lengths[-1]} bytes")
            own = []
            for _ in range(5):
                await asyncio.sleep(2)
                while station.versions.acquire(blocking=False):
                    pass
                await asyncio.to_thread(registry.missing_bike, owner)
                began = time.perf_counter()
                if not await asyncio.to_thread(station.versions.acquire, True, 60):
                    sys.exit("the station does not get the own bike")
                own.append(station.arrivals[-1] - began)
            print(f"from an own missing bike to a station: median {statistics.median(own):.2f} s, at most {max(own):.2f} s")
            end = await asyncio.to_thread(quiet, registry)
            print(f"registry after {CHANGES + 5} changes: {end - before:.1f} MB more; "
                  f"{registry.memory('VmHWM'):.1f} MB at most, with the program itself")
            print("station: %.1f MB, at most %.1f MB" % await asyncio.to_thread(monitor_memory, registry, folder))
        finally:
            registry.stop()


asyncio.run(main())
