"""Kills a registry again and again while it takes sightings and delivers alerts, and counts what the owner gets.

Usage: alerts.py PROGRAMS SEED
Prints a JSON object: `answered` (sightings that a station knows to be stored), `lost` (those of them whose alert never
arrived), `kills`, `most` (the maximum number of arrivals of one alert), `repeated` (the number of repeated deliveries),
`strange` (alerts about sightings that are not stored), `untold` (stored sightings for which no alert was queued) and
`waiting` (alerts that have not been delivered yet).
"""

import http.server
import json
import pathlib
import random
import re
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import uuid

from ports import free_port

PROGRAM = pathlib.Path(sys.argv[1], "findmybike-registry")
RANDOM = random.Random(int(sys.argv[2]))
UUID = "494E5445-4C4C-495F-524F-434B535F4857"
KILLS, BIKES = 5, 5
# Longer than a claim's lease and a retry together.
PATIENCE = 120


class Receiver:
    """Responds slowly, so that a kill interrupts deliveries. A delivery counts once its message has arrived."""

    def __init__(self):
        self.arrivals, self.lock = {}, threading.Lock()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if body["type"] == "sighting.created":
                    with receiver.lock:
                        key = (body["data"]["sighting"]["id"], self.headers["webhook-id"])
                        receiver.arrivals[key] = receiver.arrivals.get(key, 0) + 1
                time.sleep(0.02)
                try:
                    self.send_response(204)
                    self.end_headers()
                except OSError:
                    pass

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def told(self):
        with self.lock:
            return dict(self.arrivals)


class Registry:
    def __init__(self, folder):
        self.folder, self.port, self.database = folder, free_port(), folder / "registry.sqlite"
        self.settings = folder / "registry.yaml"
        self.settings.write_text(
            f"listen: 127.0.0.1:{self.port}\ndatabase: {self.database}\nidentities:\n  given: open\n"
            "webhooks:\n  allowPrivateAddresses: true\nlimits:\n  codes: off\n  token: off\n  address: off\n")
        self.operator = subprocess.run([PROGRAM, "operator", "create", "--config", self.settings], check=True,
                                       capture_output=True, text=True).stdout.strip()
        self.start()

    def start(self):
        with open(self.folder / "log", "a") as log:
            self.process = subprocess.Popen([PROGRAM, "serve", "--config", self.settings], stderr=log)
        while True:
            try:
                return socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                if self.process.poll() is not None:
                    sys.exit((self.folder / "log").read_text())
                time.sleep(0.05)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def call(self, path, body, token=None, method="POST"):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", json.dumps(body).encode(), headers, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)


def prepare(registry, receiver):
    """Makes stations that are new to each of the reports, so that every first visit causes an alert."""
    owner = registry.call("/v1/owners", {})["token"]
    registry.call("/v1/channels", {"kind": "webhook", "url": receiver.url}, owner)
    identities = []
    for minor in range(1, BIKES + 1):
        identity = {"uuid": UUID, "major": 7, "minor": minor}
        bike = registry.call("/v1/bikes", {"kind": "bicycle", "make": "A", "model": "B", "colours": ["red"],
                                           "identity": identity}, owner)
        registry.call(f"/v1/claims/{bike['id']}/acceptance", {"identity": identity}, registry.operator, "PUT")
        registry.call(f"/v1/bikes/{bike['id']}/reports", {"policeReference": "1"}, owner)
        identities.append(identity)
    stations = []
    for number in range(KILLS * 12):
        draft = {"name": f"Café {number}", "place": {"latitude": 51.5, "longitude": -0.12}, "venue": "one"}
        code = registry.call("/v1/invitations", draft, registry.operator)["code"]
        stations.append(registry.call("/v1/station/enrolment", {"code": code})["token"])
    return identities, stations


def visit(identity):
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    name = str(uuid.UUID(int=RANDOM.getrandbits(128), version=4))
    return {"id": name, "stay": name, "identity": identity, "firstSeen": now, "lastSeen": now, "count": 5,
            "rssi": {"min": -80, "max": -60}, "measuredPower": -59, "proximity": "near", "ended": False}


def round_of(registry, identities, stations, answered):
    """Stations report every bike until the registry is killed, at a random moment after two of them have their answer."""
    killer = threading.Timer(RANDOM.uniform(0, 0.05), registry.kill)
    last = RANDOM.randrange(2, len(stations))
    for number, station in enumerate(stations):
        if number == last:
            killer.start()
        visits = [visit(identity) for identity in identities]
        try:
            results = registry.call("/v1/sightings", {"visits": visits}, station)["results"]
        except OSError:
            break
        answered.update(result["id"] for result in results if result["result"] == "stored")
    killer.join()
    registry.start()


def database(registry, sql):
    with sqlite3.connect(f"file:{registry.database}?mode=ro", uri=True) as connection:
        return connection.execute(sql).fetchall()


def main():
    with tempfile.TemporaryDirectory() as folder:
        registry, receiver, answered = Registry(pathlib.Path(folder)), Receiver(), set()
        try:
            identities, stations = prepare(registry, receiver)
            for number in range(KILLS):
                round_of(registry, identities, stations[number * 12:(number + 1) * 12], answered)
            end = time.monotonic() + PATIENCE
            waiting = "SELECT count(*) FROM alert WHERE due IS NOT NULL"
            while database(registry, waiting)[0][0] and time.monotonic() < end:
                time.sleep(0.2)
            told = receiver.told()
            stored = {str(uuid.UUID(bytes=row[0])) for row in database(registry, "SELECT visit FROM sighting")}
            untold = database(registry, """
                SELECT count(*) FROM sighting WHERE thread IS NULL
                    AND NOT EXISTS (SELECT 1 FROM alert WHERE alert.sighting = sighting.key OR alert.thread = sighting.key)
                """)[0][0]
            print(json.dumps({
                "answered": len(answered), "lost": len(answered - {visit for visit, _ in told}), "kills": KILLS,
                "most": max(told.values()), "repeated": sum(told.values()) - len(told),
                "strange": len({visit for visit, _ in told} - stored), "untold": untold,
                "waiting": database(registry, waiting)[0][0]}))
        finally:
            registry.kill()


main()
