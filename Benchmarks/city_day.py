"""Measures what each part of a city's day costs two registries on PostgreSQL, and adds it up by the hours of a simulated
day. Started by run-city-day.sh.

Usage: city_day.py PROGRAMS BIKES STATIONS
PROGRAMS: the folder of findmybike-registry and city-plan.

Costs are processor time, the registries' and the database's, which stays about the same on a shared machine. SAMPLE
requests of each kind are sent as fast as the client can (by default 3000), on 16 connections, half to each registry.
Then the stations wait for a change of the list, each on a connection of its own, which takes an open file at both ends.
"""

import base64
import contextlib
import datetime
import hashlib
import http.client
import itertools
import json
import multiprocessing
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import threading
import time
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).parent / "postgresql"))
from cluster import Cluster  # noqa: E402
from registry import Registry  # noqa: E402
from waiting_stations import Crowd, percentile, settle  # noqa: E402
import stage  # noqa: E402

PROGRAMS, BIKES, STATIONS = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), int(sys.argv[3])
SAMPLE = int(os.environ.get("SAMPLE", "3000"))
CONNECTIONS = 16
# Assumptions: two in a hundred bikes are stolen in a year, a search lasts 30 days, and a city of 14 × 14 km has 250
# stations.
STOLEN_A_DAY = 0.02 / 365
SEARCH_DAYS = 30
CITY = 250
HEARTBEATS_AN_HOUR = 12
ADAPTERS = [{"name": "hci0", "state": "scanning", "silentSeconds": 0, "reports": 184302, "dropped": 0}]
LIST = "application/vnd.findmybike.missing-list"
MISSING = max(10, round(BIKES * STOLEN_A_DAY * SEARCH_DAYS))


def token(like, number):
    """A station's token of the form of another; the database gets its digest."""
    secret = base64.urlsafe_b64encode(hashlib.sha256(f"station {number}".encode()).digest()).decode().rstrip("=")
    return like[:-len(secret)] + secret


def fill(cluster, registry):
    """Bikes that are not missing, and stations, as copies of those that are there."""
    beacon = f"decode('{stage.UUID.hex()}' || lpad(to_hex(n), 8, '0'), 'hex')"
    name = lambda kind: f"decode('019aa4e11c2d7{kind}008000' || lpad(to_hex(n), 12, '0'), 'hex')"

    def copy(table, first, count, **columns):
        names = cluster.sql(f"SELECT string_agg(column_name, ',') FROM information_schema.columns "
                            f"WHERE table_name = '{table}'", "findmybike").split(",")
        values = ", ".join(columns.get(column, f"one.{column}") for column in names)
        cluster.sql(f"INSERT INTO {table} ({', '.join(names)}) SELECT {values}"
                    f" FROM (SELECT * FROM {table} LIMIT 1) AS one, generate_series({first}, {first + count - 1}) AS n", "findmybike")

    copy("identity", MISSING, BIKES - MISSING, beacon=beacon)
    copy("bike", MISSING, BIKES - MISSING, key="n + 10", id=name(1), beacon=beacon, owner="10 + n % 1000")
    copy("station", 0, STATIONS, key="n + 1000", id=name(2))
    copy("station_place", 0, STATIONS, station="n + 1000")
    cluster.sql("INSERT INTO station_heartbeat (station, received, heartbeat, deaf) SELECT key, 0, '{}', 0 FROM station"
                " WHERE key >= 1000", "findmybike")
    rows = "\n".join(f"\\\\x{hashlib.sha256(token(registry.station, n).encode()).hexdigest()}\t{n + 1000}\t0"
                     for n in range(STATIONS))
    script = f"COPY token (digest, station, created) FROM STDIN;\n{rows}\n\\.\n"
    subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", str(cluster.port), "-U",
                    "postgres", "-d", "findmybike"], input=script, text=True, check=True)
    cluster.sql("SELECT setval(pg_get_serial_sequence('bike', 'key'), (SELECT max(key) FROM bike))", "findmybike")
    cluster.sql("ANALYZE", "findmybike")


class Load:
    """Sends requests on several connections, and measures the processors' time."""

    def __init__(self, cluster, registries):
        self.cluster, self.registries = cluster, registries

    def measure(self, name, requests):
        """Requests: (method, path, body, headers). Returns what one costs, and the answers' bytes."""
        todo, lock, failures, sizes = iter(requests), threading.Lock(), [], []

        def work(number):
            connection = http.client.HTTPConnection("127.0.0.1", self.registries[number % 2].port)
            while True:
                with lock:
                    one = next(todo, None)
                if one is None:
                    return connection.close()
                method, path, body, headers = one
                connection.request(method, path, body and json.dumps(body), headers)
                answer = connection.getresponse()
                sizes.append(len(answer.read()) + len(str(answer.headers)) + len(headers["Authorization"]) + 200
                             + len(json.dumps(body) if body else ""))
                if answer.status >= 300:
                    failures.append(answer.status)

        before, servers, start = self.cluster.cpu(), self.own(), time.monotonic()
        threads = [threading.Thread(target=work, args=(number,)) for number in range(CONNECTIONS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        # What the registries still do after the last answer: alerts.
        time.sleep(1)
        count, seconds = len(sizes), time.monotonic() - start - 1
        if failures or not count:
            raise SystemExit(f"{name}: {len(failures)} of {count} failed: {sorted(set(failures))}")
        cost = {"registry": (self.own() - servers) / count, "database": (self.cluster.cpu() - before) / count,
                "bytes": sum(sizes) / count, "rate": count / seconds}
        print(f"  {name:32} registry {cost['registry'] * 1e3:6.2f} ms, database {cost['database'] * 1e3:6.2f} ms, "
              f"{cost['bytes']:6.0f} bytes, {cost['rate']:6.0f} a second", flush=True)
        return cost

    def own(self):
        return sum(registry.server.cpu() for registry in self.registries)


def requests(registry):
    """The kinds of requests that stations send."""
    headers = lambda number, **more: {"Authorization": f"Bearer {token(registry.station, number)}",
                                      "Content-Type": "application/json"} | more
    now = datetime.datetime.now(datetime.timezone.utc)
    quarter = now.replace(minute=now.minute // 15 * 15, second=0, microsecond=0) - datetime.timedelta(minutes=30)
    coverage = [{"begins": quarter.strftime("%Y-%m-%dT%H:%M:%SZ"), "listened": 899, "adverts": 12480, "devices": 61,
                 "restarts": 0, "listAge": 55}]
    stations = min(STATIONS, SAMPLE)

    def heartbeats():
        for number in range(SAMPLE):
            more = {"coverage": coverage} if number % 3 == 0 else {}
            body = {"version": "1.0.0", "adapters": ADAPTERS, "listVersion": 42} | more
            yield "PUT", "/v1/station/heartbeat", body, headers(number % stations)

    def visits(ended):
        for number in range(SAMPLE):
            one = lambda kind: str(uuid.uuid5(uuid.NAMESPACE_OID, f"{kind} {number}"))
            bike = number % MISSING
            visit = {"id": one("visit"), "stay": one("stay"), "identity": {
                "uuid": "494E5445-4C4C-495F-524F-434B535F4857", "major": bike >> 16, "minor": bike & 0xFFFF},
                "firstSeen": stage.timestamp(120), "lastSeen": stage.timestamp(30 if ended else 60), "count": 5,
                "rssi": {"min": -80, "max": -60}, "measuredPower": -59, "proximity": "near", "ended": ended}
            # Each pair of station and bike is another one.
            yield "POST", "/v1/sightings", {"visits": [visit]}, headers((number // MISSING * 7 + number) % stations)

    def lists(tag):
        more = {"If-None-Match": tag, "A-IM": "findmybike"} if tag else {}
        for number in range(SAMPLE if tag else 20):
            yield "GET", "/v1/missing", None, headers(number % stations, Accept=LIST, **more)

    return heartbeats, visits, lists


def costs(cluster, registries):
    load = Load(cluster, registries)
    heartbeats, visits, lists = requests(registries[0])
    size = lambda: int(cluster.sql("SELECT pg_database_size('findmybike')"))
    print(f"{SAMPLE} requests of each kind:")
    # Statements are prepared, and caches filled.
    load.measure("(first, not counted)", itertools.islice(heartbeats(), 200))
    found = {"heartbeat": load.measure("heartbeat", heartbeats())}
    registries[0].tell_owners(True)
    before = size()
    found["visit"] = load.measure("visit begins, with its alert", visits(False))
    found["end"] = load.measure("visit ends", visits(True))
    found["stored"] = (size() - before) / SAMPLE
    found["list"] = load.measure("whole list", lists(None))
    tag = registries[0].tag()
    closure = registries[0].path.replace("/sightings", "/closure")
    registries[0].call(closure, {"outcome": "recovered"}, registries[0].owner)
    # The other registry hears of it from the database.
    time.sleep(2)
    found["change"] = load.measure("change of the list", lists(tag))
    return found


def crowd(pipe, *options):
    """A process of its own, because it may have only so many open files."""
    stations = Crowd(*options)
    pipe.send(stations.open(600))
    stations.collect(len(stations.stations), 300, then=600)
    pipe.send(([station.time for station in stations.stations], stations.refused))


def wait(registries):
    """All stations wait for the list to change, or as many as this machine has open files for. Returns the registries'
    memory for each, in kB."""
    count = min(STATIONS, 2 * (resource.getrlimit(resource.RLIMIT_NOFILE)[1] - 500))
    for registry in registries:
        registry.server.stop()
        registry.start({"FINDMYBIKE_CONNECTIONS_MAXIMUM": str(count), "FINDMYBIKE_CONNECTIONS_PER_CLIENT": "1000000"})
    empty = sum(registry.server.resident() for registry in registries)
    pipes = []
    for half, registry in enumerate(registries):
        pipe, other = multiprocessing.Pipe()
        tokens = [token(registry.station, number) for number in range(half, count, 2)]
        multiprocessing.Process(target=crowd, args=(other, registry.port, tokens, half), daemon=True).start()
        other.close()
        pipes.append(pipe)
    rate = sum(pipe.recv() for pipe in pipes)
    for registry in registries:
        settle(registry.server.process.pid)
    waiting = (sum(registry.server.resident() for registry in registries) - empty) / count * 1e3
    start = time.monotonic()
    registries[0].call(registries[0].path.split("/reports")[0] + "/reports", {}, registries[0].owner)
    times, refused = zip(*(pipe.recv() for pipe in pipes))
    known = [moment - start for moment in itertools.chain(*times)]
    print(f"{count:,} stations wait: {rate:,.0f} a second connect and get their first answer; {waiting:.1f} kB each; half of "
          f"them know of a change after {percentile(known, 0.5):.1f} s, 99 % after {percentile(known, 0.99):.1f} s, all "
          f"after {max(known):.1f} s; {sum(refused)} times the registry was busy", flush=True)
    return waiting


def day(found, profile, bikes, stations):
    """What the hours of a day cost, in processors."""
    missing = bikes * STOLEN_A_DAY * SEARCH_DAYS
    changes = 2 * bikes * STOLEN_A_DAY / 24
    hours = []
    for visits in profile:
        parts = {"heartbeat": stations * HEARTBEATS_AN_HOUR, "visit": missing * visits, "end": missing * visits,
                 "change": changes * stations}
        used = {name: [found[name][who] * count / 3600 for who in ("registry", "database")]
                for name, count in parts.items()}
        traffic = sum(found[name]["bytes"] * count for name, count in parts.items()) * 8 / 3600 / 1e6
        hours.append((parts, used, traffic))
    return missing, changes, hours


def show(found, profile, empty, waiting_kb):
    print("\nbikes, stations: visits and alerts in the busiest hour; processors of the registries, of the database; memory"
          " of waiting stations; network; disk a year")
    for bikes, stations in [(10**4, 100), (10**5, 10**3), (10**6, 10**4), (10**6, 10**5)]:
        missing, changes, hours = day(found, profile, bikes, stations)
        parts, used, traffic = max(hours, key=lambda hour: sum(sum(pair) for pair in hour[1].values()))
        registry, database = (sum(pair[who] for pair in used.values()) for who in (0, 1))
        disk = sum(hour[0]["visit"] for hour in hours) * 365 * found["stored"] / 1e9
        share = {name: sum(pair) / (registry + database) for name, pair in used.items()}
        print(f"  {bikes:,}, {stations:,}: {missing:,.0f} missing, {parts['visit']:,.0f} visits; {registry:.2f}, "
              f"{database:.2f}; {(empty + stations * waiting_kb / 1e3) / 1e3:.1f} GB; {traffic:.1f} Mbit/s; {disk:.1f} GB; "
              + ", ".join(f"{name} {part:.0%}" for name, part in share.items()))


def main():
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    run = subprocess.run([PROGRAMS / "city-plan", "day"], check=True, capture_output=True, text=True)
    profile = next([float(part) for part in row.split()[1:]]
                   for row in run.stdout.splitlines() if row.startswith(f"{CITY} "))
    print(f"visits a missing bike and day in a city with {CITY} stations: {sum(profile):.2f}, by hour: "
          + " ".join(f"{visits:.2f}" for visits in profile), flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        cluster = Cluster.make(folder / "primary")
        try:
            one = Registry(PROGRAMS, folder / "one", [cluster], MISSING)
            start = time.monotonic()
            fill(cluster, one)
            print(f"{BIKES:,} bikes, {MISSING:,} of them missing, and {STATIONS:,} stations: "
                  f"{int(cluster.sql('SELECT pg_database_size($$findmybike$$)')) / 1e6:,.0f} MB, made in "
                  f"{time.monotonic() - start:.0f} s", flush=True)
            registries = [one, Registry(PROGRAMS, folder / "other", [cluster], like=one)]
            start = time.monotonic()
            with contextlib.ExitStack() as ends:
                for registry in registries:
                    registry.start()
                    ends.callback(lambda registry=registry: registry.server.stop())
                empty = one.server.resident()
                print(f"both registries answer after {time.monotonic() - start:.1f} s, with {empty:.0f} MB each", flush=True)
                found = costs(cluster, registries)
                print(f"a visit takes {found['stored']:,.0f} bytes of disk with its alert, the registries have "
                      + " and ".join(f"{registry.server.resident():.0f}" for registry in registries) + " MB")
                show(found, profile, empty, wait(registries))
        finally:
            cluster.stop()


main()
