"""Kills a registry while a missing bike is at a station, starts it again, and counts what the owner gets.

Usage: outage.py REPOSITORY PROGRAMS [SEED]
With a seed, the network between the two fails as well, and the moment of the kill is random.
Prints a JSON object: `sightings`, `alerts`, `monitor` (its first exit status) and `refusals`.
"""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

from ports import free_port

sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "scripts/demo"))
from play import Stage, write_secret  # noqa: E402
from receiver import Receiver  # noqa: E402

SCENARIO = pathlib.Path(sys.argv[1]) / "config/scenarios/bike-passes-cafe.yaml"
IDENTITY = "7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:20815"
# The monitor's exit status if visits wait for the registry (EX_TEMPFAIL of sysexits.h).
WAITING = 75
# The longest wait in seconds, more than a busy machine needs.
PATIENCE = 120
QUIET = """\
name: nothing within range
duration: 10s
beacons:
  - name: other
    identity: 7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:1
    measuredPower: -59
    interval: 1s
    position: { x: 9000, y: 0 }
"""


def start_registry(stage, settings):
    process = stage.start("registry", "findmybike-registry", "serve", "--config", settings)
    stage.await_line("registry", r"\] listening", PATIENCE)
    return process


class Network:
    """The network between the station and the registry: Tests/Venue/MonitorTests/Fixtures/proxy.py, at first reliable."""

    def __init__(self, port, seed):
        script = pathlib.Path(sys.argv[1]) / "Tests/Venue/MonitorTests/Fixtures/proxy.py"
        self.process = subprocess.Popen(
            [sys.executable, script, str(port), str(seed)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = f"http://127.0.0.1:{self.process.stdout.readline().strip()}"
        self.tell("clear")

    def tell(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()


def play(stage, folder, seed):
    stage.tell = lambda *_: None
    receiver = Receiver()
    port = free_port()
    settings = folder / "registry.yaml"
    settings.write_text(
        f"listen: 127.0.0.1:{port}\ndatabase: {folder}/registry.sqlite\nidentities:\n  given: open\n"
        "webhooks:\n  allowPrivateAddresses: true\n")
    operator = folder / "operator-token"
    write_secret(operator, stage.run("findmybike-registry", "operator", "create", "--config", settings))
    registry = start_registry(stage, settings)
    url = f"http://127.0.0.1:{port}"
    owner = {"FINDMYBIKE_REGISTRY_URL": url, "FINDMYBIKE_TOKEN_FILE": folder / "owner-token"}
    stage.run("findmybike", "station", "enrol", "--name", "Café", "--latitude", 51.5, "--longitude", -0.12,
              "--output", folder / "station-token", **(owner | {"FINDMYBIKE_TOKEN_FILE": operator}))
    stage.run("findmybike", "owner", "create", **owner)
    bike = json.loads(stage.run(
        "findmybike", "bike", "register", "--kind", "bicycle", "--make", "A", "--model", "B", "--colour", "red",
        "--identity", IDENTITY, "--json", **owner))
    stage.run("findmybike", "claim", "accept", bike["id"], IDENTITY, **(owner | {"FINDMYBIKE_TOKEN_FILE": operator}))
    receiver.secret = json.loads(
        stage.run("findmybike", "channel", "add", "webhook", receiver.url, "--json", **owner))["secret"]
    stage.run("findmybike", "bike", "missing", "--since", two_days_ago(), **owner)

    (folder / "monitor").mkdir()
    network = Network(port, seed) if seed else None
    station = {"FINDMYBIKE_REGISTRY_URL": network.url if network else url,
               "FINDMYBIKE_STATION_TOKEN_FILE": folder / "station-token"}
    monitor = stage.start(
        "monitor", "findmybike-monitor", "--simulate", SCENARIO, "--speed", 15, "--state", folder / "monitor", **station)
    stage.await_line("monitor", r"missing list updated", PATIENCE)
    if network:
        network.tell("trouble")
        time.sleep(random.Random(seed).uniform(0, 4))
    os.kill(registry.pid, signal.SIGKILL)
    registry.wait()
    if not network:
        stage.await_line("monitor", r"visits not reported yet", PATIENCE)
    start_registry(stage, settings)
    if network:
        stage.await_line("monitor", r"visit ended", PATIENCE)
        network.tell("clear")
    status = monitor.wait(timeout=PATIENCE)
    if status == WAITING:
        # The registry was back only after the scenario had ended. The visit waits in the outbox for the next start.
        quiet = folder / "quiet.yaml"
        quiet.write_text(QUIET)
        stage.start("monitor", "findmybike-monitor", "--simulate", quiet, "--state", folder / "monitor",
                    **station).wait(timeout=PATIENCE)
    alert = receiver.alerts.get(timeout=PATIENCE)
    sightings = stage.run("findmybike", "bike", "sightings", "--json", **owner).splitlines()
    return {"sightings": len(sightings), "alerts": 1 + receiver.alerts.qsize(), "monitor": status,
            "refusals": receiver.refusals.qsize(), "same": json.loads(sightings[0])["id"] == alert["data"]["sighting"]["id"]}


def two_days_ago():
    """The time two days ago, because a scenario that is played fast begins in the past."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 2 * 86_400))


with tempfile.TemporaryDirectory() as name:
    stage = Stage(pathlib.Path(sys.argv[2]), pathlib.Path(name))
    try:
        print(json.dumps(play(stage, pathlib.Path(name), int(sys.argv[3]) if len(sys.argv) > 3 else None)))
    finally:
        stage.stop()
