"""A registry with bikes for the benchmarks: started, enrolled and filled, its clients prepared."""

import json
import os
import pathlib
import re
import signal
import socket
import sqlite3
import subprocess
import time
import urllib.request

UUID = bytes.fromhex("494E54454C4C495F524F434B535F4857")
# REALTIME=1, as root: nothing else runs on the two processors meanwhile; for machines that are busy with other work.
FIRST = ["chrt", "--rr", "5"] if os.environ.get("REALTIME") else []
SERVER, LOAD = [*FIRST, "taskset", "-c", "0"], [*FIRST, "taskset", "-c", "1"]
HERE = pathlib.Path(__file__).parent


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A program that serves HTTP, pinned to one processor. Its log is discarded: a busy disk would slow it down."""

    def __init__(self, command, port, environment=None, directory=None):
        self.port = port
        self.process = subprocess.Popen(
            [*SERVER, *map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=directory,
            env=os.environ | (environment or {}))
        self.await_port()

    def await_port(self):
        for _ in range(300):
            try:
                return socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                if self.process.poll() is not None:
                    raise SystemExit(f"{self.process.args} ended with {self.process.returncode}")
                time.sleep(0.1)
        raise SystemExit(f"{self.process.args} does not listen")

    def cpu(self):
        """Seconds of processor time so far."""
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident(self):
        """MB of 1,000,000 bytes."""
        status = open(f"/proc/{self.process.pid}/status").read()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) * 1024 / 1e6

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


class Registry:
    """A registry's database with an owner, a station, bikes and open reports."""

    def __init__(self, programs, folder, bikes, missing):
        self.programs, self.folder, self.bikes, self.missing = pathlib.Path(programs), folder, bikes, missing
        folder.mkdir()
        self.database = folder / "registry.sqlite"
        self.port = free_port()
        self.settings = folder / "registry.yaml"
        self.settings.write_text(
            f"listen: 127.0.0.1:{self.port}\ndatabase: {self.database}\nidentities:\n  given: open\n"
            "limits:\n  address: off\n  token: off\n"
            + os.environ.get("REGISTRY_SETTINGS", ""))
        self.prepare()
        fill(self.database, bikes, missing)

    def start(self, environment=None):
        self.environment = environment
        command = [self.programs / "findmybike-registry", "serve", "--config", self.settings]
        self.server = Server(command, self.port, environment)
        return self.server

    def call(self, path, body=None, token=None, method=None):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            self.headers = answer.headers
            return json.load(answer)

    def prepare(self):
        """Lets the registry itself make one row of each kind; the others are copies of it."""
        operator = subprocess.run(
            [self.programs / "findmybike-registry", "operator", "create", "--config", self.settings],
            capture_output=True, text=True, check=True).stdout.strip()
        self.start()
        place = {"latitude": 51.5, "longitude": -0.12, "accuracy": 10}
        invitation = self.call("/v1/invitations", {"name": "Café", "place": place}, operator)
        self.station = self.call("/v1/station/enrolment", {"code": invitation["code"]})["token"]
        self.owner = self.call("/v1/owners", {})["token"]
        bike = self.call("/v1/bikes", {
            "kind": "bicycle", "make": "Brompton", "model": "C Line", "colours": ["green"],
            "identity": {"uuid": "494E5445-4C4C-495F-524F-434B535F4857", "major": 65535, "minor": 65535}}, self.owner)
        self.call(f"/v1/claims/{bike['id']}/acceptance", {"identity": bike["pending"]["claimed"]}, operator, "PUT")
        self.call(f"/v1/bikes/{bike['id']}/reports", {"policeReference": "CRIME-7"}, self.owner)
        self.server.stop()

    def forget_sightings(self):
        """Deletes all sightings: the limit begins with none, too."""
        self.server.stop()
        database = sqlite3.connect(self.database)
        database.execute("DELETE FROM sighting")
        database.commit()
        database.execute("VACUUM")
        database.close()
        self.start(self.environment)

    def tag(self):
        """The ETag of the list in the form that stations request."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/v1/missing",
            headers={"Authorization": f"Bearer {self.station}", "Accept": "application/vnd.findmybike.missing-list"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.headers["ETag"]


def fill(path, bikes, missing):
    """Copies the one bike and its report, with identifiers and identities that count up."""
    database = sqlite3.connect(path)
    names = lambda table: [row[1] for row in database.execute(f"PRAGMA table_info({table})")]

    def copy(table, count, new):
        columns = names(table)
        row = dict(zip(columns, database.execute(f"SELECT * FROM {table} LIMIT 1").fetchone()))
        marks = ", ".join("?" * len(columns))
        database.executemany(
            f"INSERT INTO {table} VALUES ({marks})",
            ([(row | new(index))[column] for column in columns] for index in range(count)))

    def identifier(index):
        return bytes.fromhex("019aa4e11c2d70008000") + index.to_bytes(6, "big")

    def beacon(index):
        return UUID + index.to_bytes(4, "big")

    copy("identity", bikes, lambda index: {"beacon": beacon(index)})
    copy("bike", bikes, lambda index: {"key": index + 10, "id": identifier(index), "beacon": beacon(index)})
    copy("report", missing, lambda index: {"key": index + 10, "id": identifier(index), "bike": index + 10})
    # The history of a long life: missing since long before the visits.
    database.execute("UPDATE report SET missing_since = missing_since - 14 * 86400000")
    database.commit()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def timestamp(seconds_ago):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - seconds_ago))


def wrk(server, script, seconds, connections, **environment):
    """Requests per second, per second of the server's processor time, and latencies in ms."""
    before = server.cpu()
    variables = {name: str(value) for name, value in environment.items()}
    result = subprocess.run(
        [*LOAD, "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "--latency", "-s", HERE / script,
         f"http://127.0.0.1:{server.port}"],
        capture_output=True, text=True, check=True,
        env=os.environ | variables | {"FIRST_SEEN": timestamp(120), "LAST_SEEN": timestamp(60)})
    text = result.stdout
    if re.search(r"Non-2xx or 3xx responses|Socket errors", text) or not re.search(r"[1-9]\d* requests in", text):
        raise SystemExit(f"{script}: {text}{result.stderr}")
    return {
        "rate": float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]),
        "per cpu second": int(re.search(r"(\d+) requests in", text)[1]) / max(server.cpu() - before, 0.01),
        "p50": milliseconds(re.search(r"\s50%\s+(\S+)", text)[1]),
        "p99": milliseconds(re.search(r"\s99%\s+(\S+)", text)[1]),
    }


def milliseconds(text):
    number, unit = re.fullmatch(r"([\d.]+)(\w+)", text).groups()
    return float(number) * {"us": 0.001, "ms": 1, "s": 1000, "m": 60_000}[unit]
