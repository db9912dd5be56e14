"""Measures a heartbeat with a quarter of an hour of coverage beside one without. Started by run-heartbeat.sh.

Usage: heartbeat_rounds.py PROGRAMS ROUNDS
PROGRAMS: the folder of findmybike-registry.

In each round a new station sends 180 heartbeats of each kind in turn, on one connection and one at a time, so that a
change of the machine's speed affects both equally. Each quarter is new, so it is written. In reality every third
heartbeat has one. The cost is the registry's processor time, which stays the same on a shared machine.
"""

import datetime
import http.client
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "registry"))
from stage import Registry  # noqa: E402

ROUNDS = int(sys.argv[2])
BLOCK, BLOCKS = 30, 6
ADAPTERS = [{"name": "hci0", "state": "scanning", "silentSeconds": 0, "reports": 184302, "dropped": 0}]


def station(registry, operator, number):
    place = {"latitude": 51.5, "longitude": -0.12}
    invitation = registry.call("/v1/invitations", {"name": f"Café {number}", "place": place}, operator)
    return registry.call("/v1/station/enrolment", {"code": invitation["code"]})["token"]


def quarters():
    """Those of the last two days, the oldest first."""
    now = datetime.datetime.now(datetime.timezone.utc)
    last = now.replace(minute=now.minute // 15 * 15, second=0, microsecond=0)
    for number in range(BLOCK * BLOCKS + 5, 5, -1):
        begins = last - datetime.timedelta(minutes=15 * number)
        yield {"begins": begins.strftime("%Y-%m-%dT%H:%M:%SZ"), "listened": 899, "adverts": 12480, "devices": 61,
               "restarts": 0, "listAge": 55}


def send(connection, token, more):
    body = json.dumps({"version": "1.0.0", "adapters": ADAPTERS, "listVersion": 42} | more)
    connection.request("PUT", "/v1/station/heartbeat", body,
                       {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
    answer = connection.getresponse()
    text = answer.read()
    if answer.status not in (200, 204) or (more and json.loads(text)["stored"] != 1):
        raise SystemExit(f"{answer.status} {text}")


def block(registry, connection, token, bodies):
    """The processor time of some heartbeats, in ms for each."""
    before = registry.server.cpu()
    for more in bodies:
        send(connection, token, more)
    return (registry.server.cpu() - before) / len(bodies) * 1000


with tempfile.TemporaryDirectory() as folder:
    registry = Registry(sys.argv[1], pathlib.Path(folder) / "registry", bikes=10, missing=5)
    operator = subprocess.run(
        [registry.programs / "findmybike-registry", "operator", "create", "--config", registry.settings],
        capture_output=True, text=True, check=True).stdout.strip()
    registry.start()
    connection = http.client.HTTPConnection("127.0.0.1", registry.port)
    plain, full = [], []
    for number in range(ROUNDS):
        token, new = station(registry, operator, number), list(quarters())
        sums = [0.0, 0.0]
        for index in range(BLOCKS):
            part = [{"coverage": [quarter]} for quarter in new[index * BLOCK:(index + 1) * BLOCK]]
            sums[0] += block(registry, connection, token, [{}] * BLOCK)
            sums[1] += block(registry, connection, token, part)
        plain.append(sums[0] / BLOCKS)
        full.append(sums[1] / BLOCKS)
    registry.server.stop()
    ratios = [full / plain for full, plain in zip(full, plain)]
    print(f"without coverage {statistics.median(plain):.3f} ms of processor time, with a new quarter "
          f"{statistics.median(full):.3f} ms; ratio {sum(full) / sum(plain):.2f} "
          f"({min(ratios):.2f} to {max(ratios):.2f}, {ROUNDS} rounds)")
