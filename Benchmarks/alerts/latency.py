"""Measures the time from a station's POST to the alert's arrival at a webhook's receiver, and that of a direct request.

Usage: latency.py PROGRAMS SECONDS
PROGRAMS: the folder of findmybike-registry.

The load is open: a request is due every 10 ms, whether earlier ones have been answered or not, and latencies count from
when it was due. Each sighting is of a different bike, so that each causes an alert. Sightings and direct requests to
the receiver alternate within one run, so that a change of the machine's speed affects both equally. The receiver and
the load are one program, so that both times come from one clock.
"""

import asyncio
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from openload import Receiver, connect, describe  # noqa: E402

PROGRAM, SECONDS = pathlib.Path(sys.argv[1], "findmybike-registry"), int(sys.argv[2])
RATE = 100
CONNECTIONS = 32
# A station that hears a large part of all missing bikes is not believed.
STATIONS = 40


class Registry:
    def __init__(self, folder):
        self.log = open(folder / "log", "w+")
        settings = folder / "registry.yaml"
        settings.write_text(
            f"listen: 127.0.0.1:0\ndatabase: {folder}/registry.sqlite\nidentities:\n  given: open\n"
            "webhooks:\n  allowPrivateAddresses: true\nlimits:\n  address: off\n  token: off\n  owners: off\n  codes: off\n")
        self.operator = subprocess.run([PROGRAM, "operator", "create", "--config", settings], capture_output=True, text=True,
                                  check=True).stdout.strip()
        self.process = subprocess.Popen([PROGRAM, "serve", "--config", settings], stderr=self.log)
        while not (found := re.search(r"address=127\.0\.0\.1:(\d+)", pathlib.Path(self.log.name).read_text())):
            if self.process.poll() is not None:
                sys.exit(pathlib.Path(self.log.name).read_text())
            time.sleep(0.05)
        self.port = int(found[1])
        place = {"latitude": 51.5, "longitude": -0.12, "accuracy": 10}
        codes = [self.call("/v1/invitations", {"name": "Café", "place": place}, self.operator)["code"] for _ in range(STATIONS)]
        self.stations = [self.call("/v1/station/enrolment", {"code": code})["token"] for code in codes]

    def call(self, path, body=None, token=None, method="POST"):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        data = json.dumps(body or {}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def missing_bike(self, owner):
        bike = self.call("/v1/bikes", {"kind": "bicycle", "make": "A", "model": "B", "colours": ["green"]}, owner)
        self.call(f"/v1/bikes/{bike['id']}/reports", {"policeReference": "1"}, owner)
        return bike["identity"]

    def owner(self, port):
        """An owner with the receiver as a channel, and as many missing bikes as an owner may register in a day."""
        owner = self.call("/v1/owners")["token"]
        self.call("/v1/channels", {"kind": "webhook", "url": f"http://127.0.0.1:{port}/"}, owner)
        return owner


def prepare(registry, port, count):
    owner, identities = None, []
    for index in range(count):
        if index % 5 == 0:
            owner = registry.owner(port)
        identities.append(registry.missing_bike(owner))
    return identities


def visit(identity):
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    name = str(uuid.uuid4())
    body = {"visits": [{"id": name, "stay": name, "identity": identity, "firstSeen": now, "lastSeen": now, "count": 5,
                        "rssi": {"min": -80, "max": -60}, "measuredPower": -59, "proximity": "near", "ended": False}]}
    return name, json.dumps(body).encode()


async def send(due, clients, index, path, name, body, tokens, sent):
    await asyncio.sleep(max(0, due - time.perf_counter()))
    sent[name] = due
    await clients[index % len(clients)].post(path, body, tokens[index % len(tokens)])


async def play(clients, path, tokens, identities, sent):
    """One request every 10 ms for a second."""
    begin = time.perf_counter() + 0.05
    requests = [(begin + index / RATE, *visit(identity)) for index, identity in enumerate(identities)]
    await asyncio.gather(*(send(due, clients, index, path, name, body, tokens, sent)
                           for index, (due, name, body) in enumerate(requests)))


async def measure(registry, server, identities):
    receiver_port = server.sockets[0].getsockname()[1]
    clients = {port: await connect(port, CONNECTIONS) for port in (registry.port, receiver_port)}
    alerts, straight = {}, {}
    # The first second warms everything up and does not count.
    for second in range(SECONDS + 1):
        part = identities[second * RATE:(second + 1) * RATE]
        await play(clients[registry.port], "/v1/sightings", registry.stations, part, alerts if second else {})
        await play(clients[receiver_port], "/", [None], part, straight if second else {})
    describe("straight to the receiver", await Receiver.latencies(straight))
    return describe("from the station to the receiver", await Receiver.latencies(alerts))


async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Receiver, "127.0.0.1", 0)
    with tempfile.TemporaryDirectory() as folder:
        registry = await asyncio.to_thread(Registry, pathlib.Path(folder))
        try:
            port = server.sockets[0].getsockname()[1]
            identities = await asyncio.to_thread(prepare, registry, port, (SECONDS + 1) * RATE)
            p50, p99 = await measure(registry, server, identities)
        finally:
            registry.process.terminate()
            registry.process.wait(60)
    print("kept" if p50 <= 20 and p99 <= 100 else "missed", "p50 <= 20 ms and p99 <= 100 ms")


asyncio.run(main())
