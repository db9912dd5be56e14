"""Measures the time from a visit at a guest registry's station until the owner's alert by the home registry.

Usage: latency.py PROGRAMS SECONDS [RATE]

Both registries get RATE visits a second (1,000 by default) of their own stations to their own missing bikes, ten in a
request, with owners who have no channel. Meanwhile ten visits a second to bikes of the home registry come from stations of
the guest, each of a different bike, and are measured from when they were due until the webhook has arrived. The load is
open: a request is due whether earlier ones have been answered or not.
"""

import asyncio
import json
import pathlib
import sys
import tempfile
import time

from stage import Registry
from web import identifier, now

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from openload import Receiver, connect, describe  # noqa: E402

PROGRAMS, SECONDS = pathlib.Path(sys.argv[1]), int(sys.argv[2])
RATE = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
BATCH, PROBES, CONNECTIONS = 10, 10, 16
# A station that hears more bikes in an hour is not believed.
STATIONS, BIKES_OF_A_STATION = 40, 10


def visit(identity):
    moment = now()
    return {"id": identifier(), "stay": identifier(), "identity": identity, "firstSeen": moment, "lastSeen": moment,
            "count": 5, "rssi": {"min": -80, "max": -60}, "measuredPower": -59, "proximity": "near", "ended": False}


class Side:
    """A registry with the stations and bikes of its load."""

    def __init__(self, registry):
        self.registry = registry
        owner = registry.owner()
        self.stations = [
            (registry.station(f"Station {number}"), [registry.missing_bike(owner) for _ in range(BIKES_OF_A_STATION)])
            for number in range(STATIONS)]
        self.late = []

    async def connect(self):
        self.connections = await connect(self.registry.port, CONNECTIONS)

    async def load(self, begin):
        """Posts batches of new visits, one at each due time."""
        pending = set()
        for number in range(SECONDS * RATE // BATCH):
            due = begin + number * BATCH / RATE
            await asyncio.sleep(max(0, due - time.perf_counter()))
            token, bikes = self.stations[number % STATIONS]
            body = json.dumps({"visits": [visit(bikes[index % len(bikes)]) for index in range(BATCH)]}).encode()
            task = asyncio.create_task(self.post(number, due, body, token))
            pending.add(task)
            task.add_done_callback(pending.discard)
        await asyncio.gather(*pending)

    async def post(self, number, due, body, token):
        answer = await self.connections[number % (CONNECTIONS - 4)].post("/v1/sightings", body, token)
        if b'"ignored"' in answer or b'"invalid"' in answer:
            sys.exit(f"a visit of the load was not stored: {answer[:300]!r}")
        self.late.append((time.perf_counter() - due) * 1000)


async def probe(guest, tokens, begin, bikes, sent, told):
    """Visits of the guest's stations to bikes of the home registry."""
    async def one(number, due, bike):
        await asyncio.sleep(max(0, due - time.perf_counter()))
        report = visit(bike)
        sent[report["id"]] = due
        body = json.dumps({"visits": [report]}).encode()
        connection = guest.connections[CONNECTIONS - 1 - number % 4]
        answer = await connection.post("/v1/sightings", body, tokens[number % len(tokens)])
        told.append(b'"stored"' in answer)

    await asyncio.gather(*(one(number, begin + number / PROBES, bike) for number, bike in enumerate(bikes)))


async def measure(home, guest, tokens, bikes):
    for side in (home, guest):
        await side.connect()
    used = [side.registry.processor() for side in (home, guest)]
    begin, sent, told = time.perf_counter() + 0.5, {}, []
    work = [side.load(begin) for side in (home, guest)] if RATE else []
    # The first second warms everything up.
    await asyncio.gather(*work, probe(guest, tokens, begin, bikes, sent, told))
    took = time.perf_counter() - begin
    latencies = await Receiver.latencies(sent)
    counted = [latency for due, latency in zip(sent.values(), latencies) if due >= begin + 1]
    for name, side, before in zip(("home", "guest"), (home, guest), used):
        if side.late:
            describe(f"load of the {name} registry, answered", side.late)
        print(f"the {name} registry used {(side.registry.processor() - before) / took:.2f} of a processor")
    print(f"{RATE} visits a second at each registry for {took:.1f} s; "
          f"{sum(told)} of {len(told)} stations learned at once what to look for")
    return describe("from the guest’s station to the owner", counted)


def become_partners(home, guest):
    code = home.operator.insist("POST", "/v1/partners/invitations", {"name": "Guest"}, (201,)).json()["code"]
    guest.operator.insist("POST", "/v1/partners", {"url": home.url, "code": code, "name": "Home"}, (201,))


def await_list(guest, count):
    for _ in range(1200):
        partner = guest.operator.insist("GET", "/v1/partners").json()["items"][0]
        if partner.get("list", {}).get("entries", 0) >= count:
            return
        time.sleep(0.1)
    sys.exit(f"the guest has not read the list: {partner}")


async def main():
    server = await asyncio.get_running_loop().create_server(Receiver, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with tempfile.TemporaryDirectory() as name:
        registries = []
        try:
            def prepare():
                for city in ("home", "guest"):
                    registries.append(Registry(PROGRAMS, pathlib.Path(name), city))
                become_partners(*registries)
                sides = [Side(registry) for registry in registries]
                owner = registries[0].owner(f"http://127.0.0.1:{port}/")
                bikes = [registries[0].missing_bike(owner) for _ in range(SECONDS * PROBES)]
                tokens = [registries[1].station(f"Listener {number}") for number in range(max(1, len(bikes) // 10))]
                await_list(registries[1], len(bikes) + STATIONS * BIKES_OF_A_STATION)
                return *sides, tokens, bikes

            p50, p99 = await measure(*await asyncio.to_thread(prepare))
        finally:
            for registry in registries:
                registry.stop()
    print("kept" if p50 <= 50 and p99 <= 1000 else "missed", "p50 <= 50 ms and p99 <= 1 s")


asyncio.run(main())
