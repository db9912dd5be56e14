"""Measures how long a sighting that one registry stored takes to an owner who follows the search at another one."""

import http.client
import json
import socket
import statistics
import threading
import time
import uuid

import stage

IDENTITY = {"uuid": "494E5445-4C4C-495F-524F-434B535F4857", "major": 65535, "minor": 65535}


def visit():
    name = str(uuid.uuid4())
    return name, json.dumps({"visits": [{
        "id": name, "stay": str(uuid.uuid4()), "identity": IDENTITY, "firstSeen": stage.timestamp(120),
        "lastSeen": stage.timestamp(60), "count": 5, "rssi": {"min": -80, "max": -60}, "measuredPower": -59,
        "proximity": "near", "ended": False}]})


class Station:
    def __init__(self, registry):
        self.token = registry.station
        self.connection = http.client.HTTPConnection("127.0.0.1", registry.port, timeout=30)

    def post(self, body):
        self.connection.request("POST", "/v1/sightings", body, {
            "Content-Type": "application/json", "Authorization": f"Bearer {self.token}"})
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise SystemExit(f"a sighting was answered {answer.status}: {text}")


class Stream(threading.Thread):
    """Follows a search, and notes when each sighting was read."""

    def __init__(self, registry):
        super().__init__(daemon=True)
        self.arrivals, self.text = {}, b""
        self.socket = socket.create_connection(("127.0.0.1", registry.port))
        self.socket.sendall(f"GET {registry.path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {registry.owner}"
                            "\r\nAccept: text/event-stream\r\n\r\n".encode())
        self.text = self.socket.recv(65536)
        if not self.text.startswith(b"HTTP/1.1 200"):
            raise SystemExit(f"the stream was answered {self.text[:300]}")
        self.start()

    def run(self):
        while data := self.socket.recv(65536):
            now = time.perf_counter()
            *lines, self.text = (self.text + data).split(b"\n")
            for line in lines:
                if line.startswith(b"data:") and b'"id"' in line:
                    self.arrivals.setdefault(json.loads(line[5:])["id"], now)

    def await_arrival(self, name):
        for _ in range(3000):
            if name in self.arrivals:
                return self.arrivals[name]
            time.sleep(0.01)
        raise SystemExit(f"the sighting did not arrive; last lines: {self.text[:300]}")


def wake_ups(here, there, count):
    """Milliseconds from the answer to the station at one registry to the owner's event at the other, p50 and p99."""
    station, stream = Station(here), Stream(there)
    took = []
    for number in range(count + 5):
        name, body = visit()
        station.post(body)
        answered = time.perf_counter()
        arrived = stream.await_arrival(name)
        # The first ones prepare statements.
        if number >= 5:
            took.append(max(0, arrived - answered) * 1000)
        time.sleep(0.03)
    cuts = statistics.quantiles(took, n=100)
    return cuts[49], cuts[98], max(took)
