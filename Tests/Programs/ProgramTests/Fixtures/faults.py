"""Disturbs a registry from outside and reports the consequences.

Usage: faults.py PROGRAMS kill|points|full|two|newer|backup|drain [KILLER STEP]
Prints a JSON object that the test judges.
"""

import ctypes
import http.client
import http.server
import json
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from ports import free_port
from small_disk import small_disk

UUID = "7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813"
PATIENCE = 120


def until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"waited in vain: {what}")
        time.sleep(0.02)


class Registry:
    """A running registry with an owner's missing bike and a station."""

    def __init__(self, programs, folder):
        self.program, self.folder, self.port = pathlib.Path(programs) / "findmybike-registry", folder, free_port()
        self.database = folder / "registry.sqlite"
        self.process = None
        operator = self.run("operator", "create").stdout.strip()
        self.start()
        place = {"latitude": 51.5, "longitude": -0.12}
        code = self.call("POST", "/v1/invitations", {"name": "Café", "place": place}, operator)["code"]
        self.station = self.call("POST", "/v1/station/enrolment", {"code": code})["token"]
        self.owner = self.call("POST", "/v1/owners", {})["token"]
        bike = {"kind": "bicycle", "make": "A", "model": "B", "colours": ["red"],
                "identity": {"uuid": UUID, "major": 1, "minor": 2}}
        self.bike = self.call("POST", "/v1/bikes", bike, self.owner)["id"]
        self.call("PUT", f"/v1/claims/{self.bike}/acceptance", {"identity": bike["identity"]}, operator)
        missing = {"policeReference": "CRIME-7", "missingSince": timestamp(3600)}
        report = self.call("POST", f"/v1/bikes/{self.bike}/reports", missing, self.owner)
        self.trail = f"/v1/bikes/{self.bike}/reports/{report['id']}/sightings"

    def command(self, *arguments, database=None):
        settings = self.folder / "registry.yaml"
        settings.write_text(
            "identities:\n  given: open\nwebhooks:\n  allowPrivateAddresses: true\n"
            "limits:\n  address: off\n  token: off\n"
        )
        return [self.program, *arguments, "--config", settings, "--database", database or self.database]

    def run(self, *arguments, database=None):
        command = self.command(*arguments, database=database)
        return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)

    def start(self, prepare=None, database=None, environment=None):
        command = self.command("serve", "--listen", f"127.0.0.1:{self.port}", database=database)
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=open(self.folder / "log", "ab"), preexec_fn=prepare,
            env=os.environ | (environment or {}))
        until(self.listens, "the registry listens")

    def listens(self):
        if self.process.poll() is not None:
            raise SystemExit((self.folder / "log").read_text())
        return self.accepts()

    def accepts(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def request(self, method, path, body=None, token=None, connection=None):
        """The status, header fields and value of the response."""
        connection = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, answer.headers, json.loads(text) if text else None

    def call(self, *arguments):
        status, _, value = self.request(*arguments)
        if status >= 300:
            raise SystemExit(f"{arguments[:2]}: {status} {value}")
        return value

    def post(self, visits, connection=None):
        return self.request("POST", "/v1/sightings", {"visits": visits}, self.station, connection)

    def sightings(self):
        """The identifiers of all stored visits."""
        found, path = [], self.trail + "?limit=500"
        while path:
            _, headers, page = self.request("GET", path, None, self.owner)
            found += [item["id"] for item in page["items"]]
            path = headers["Link"] and headers["Link"].split("<")[1].split(">")[0]
        return found


def timestamp(seconds_ago):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - seconds_ago))


def visit(number):
    now = timestamp(0)
    return {"id": f"019aa4e1-1c2d-7000-8000-{number:012x}", "stay": f"019aa4e1-1c2d-7000-9000-{number:012x}",
            "identity": {"uuid": UUID, "major": 1, "minor": 2}, "firstSeen": now, "lastSeen": now, "count": 5,
            "measuredPower": -59, "proximity": "near", "ended": False}


class Load:
    """Clients that report batches of one to three new visits until the registry has ended or they are stopped."""

    def __init__(self, registry, first, clients=16):
        self.registry, self.first, self.ends = registry, first, False
        self.sent, self.answered, self.lock = [], [], threading.Lock()
        self.threads = [threading.Thread(target=self.report) for _ in range(clients)]
        for thread in self.threads:
            thread.start()

    def report(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.registry.port, timeout=PATIENCE)
        while not self.ends:
            with self.lock:
                number = self.first + 4 * len(self.sent)
                batch = [visit(number + index) for index in range(1 + len(self.sent) % 3)]
                self.sent.append([one["id"] for one in batch])
            try:
                status, _, answer = self.registry.post(batch, connection)
            except (OSError, http.client.HTTPException):
                return
            if status == 200:
                stored = [result["id"] for result in answer["results"] if result["result"] == "stored"]
                with self.lock:
                    self.answered += stored

    def join(self):
        self.ends = True
        for thread in self.threads:
            thread.join(PATIENCE)


def judge(registry, loads):
    """Compares the visits that the loads reported with those that are stored."""
    found = registry.sightings()
    stored = set(found)
    halves = [batch for load in loads for batch in load.sent if 0 < len(stored & set(batch)) < len(batch)]
    answered = [one for load in loads for one in load.answered]
    return {"answered": len(answered), "lost": len(set(answered) - stored), "halves": len(halves),
            "twice": len(found) - len(stored)}


def integrity(path):
    with sqlite3.connect(path) as database:
        findings = [row[0] for row in database.execute("PRAGMA integrity_check")]
        findings += [str(row) for row in database.execute("PRAGMA foreign_key_check")]
    return findings


def change(path, sql):
    database = sqlite3.connect(path)
    database.execute(sql)
    database.commit()
    database.close()


def dump(path):
    database = sqlite3.connect(path)
    try:
        return list(database.iterdump())
    finally:
        database.close()


def kill(registry):
    """The registry is killed five times in the middle of a write."""
    loads = []
    for round_ in range(5):
        loads.append(Load(registry, first=100_000 * (round_ + 1)))
        until(lambda: len(loads[-1].answered) > 150, "answers")
        os.kill(registry.process.pid, signal.SIGKILL)
        registry.process.wait()
        loads[-1].join()
        registry.start()
    return judge(registry, loads) | {"integrity": integrity(registry.database)}


def points(registry):
    """The registry is killed at a call that writes a batch or its response; then the batch is reported again. This is done
    for each call, or for the 1st, 5th, 9th … if the step is 4."""
    writing = {"KILLER_FOLDER": str(registry.database)}
    outcomes, step = [], int(sys.argv[4])
    while len(outcomes) < 200 and (not outcomes or outcomes[-1]["killed"]):
        outcomes.append(point(registry, 1 + step * len(outcomes), writing))
    answering = {"KILLER_FOLDER": "/nowhere", "KILLER_SENDS": "1"}
    answered = point(registry, 1, answering)
    return {"kills": sum(one["killed"] for one in outcomes), "wrong": sum(one["wrong"] for one in outcomes + [answered]),
            "answered": answered["killed"], "stored": answered["stored"], "integrity": integrity(registry.database)}


def point(registry, call, killer):
    """Reports one batch to a registry that is killed at the n-th call."""
    point.batches = getattr(point, "batches", 0) + 1
    batch = [visit(1000 * point.batches + index) for index in range(20)]
    sent, armed = {one["id"] for one in batch}, registry.folder / "armed"
    registry.stop()
    registry.start(environment=killer | {"LD_PRELOAD": sys.argv[3], "KILLER_AT": str(call), "KILLER_ARM": str(armed)})
    armed.touch()
    killed = ask(registry, batch) != 200
    armed.unlink()
    stored, wrong = sent, False
    if killed:
        registry.process.wait(PATIENCE)
        registry.start()
        stored = sent & set(registry.sightings())
        wrong = len(stored) not in (0, len(sent)) or ask(registry, batch) != 200
    found = registry.sightings()
    wrong |= len(found) != len(set(found)) or not sent <= set(found)
    return {"killed": killed, "stored": bool(stored), "wrong": wrong}


def ask(registry, batch):
    """The status of the response; 0 if there is none."""
    try:
        return registry.post(batch)[0]
    except (OSError, http.client.HTTPException):
        return 0


def full(registry):
    """The disk fills up under load and is emptied again."""
    registry.stop()
    small = registry.folder / "small"
    small.mkdir()
    fill, means, prepare = small_disk(small)
    try:
        for path in registry.folder.glob("registry.sqlite*"):
            shutil.move(path, small)
        registry.database = small / "registry.sqlite"
        registry.start(prepare)
        return fill_and_free(registry, fill) | {"means": means, "integrity": integrity(registry.database)}
    finally:
        if registry.process.poll() is None:
            registry.stop(signal.SIGKILL)
        if means == "tmpfs":
            ctypes.CDLL(None).umount2(str(small).encode(), 2)  # MNT_DETACH


def fill_and_free(registry, fill):
    free = fill(registry)
    load = Load(registry, first=1, clients=4)
    refusal = []

    def is_refused():
        refusal[:] = registry.post([visit(0)])
        return refusal[0] == 503

    until(is_refused, "the disk is full")
    ready = registry.request("GET", "/readyz")[0]
    reads = registry.request("GET", f"/v1/bikes/{registry.bike}", None, registry.owner)[0]
    load.join()
    free()
    until(lambda: registry.request("GET", "/readyz")[0] == 200, "the registry is ready again")
    until(lambda: registry.post([visit(0)])[0] == 200, "the registry stores again")
    outcome = judge(registry, [load])
    registry.stop()
    return outcome | {
        "type": refusal[2]["type"], "media": refusal[1]["Content-Type"], "retry": refusal[1]["Retry-After"],
        "ready": ready, "reads": reads}


def two(registry):
    """A second registry is started on the same database."""
    second = registry.run("serve", "--listen", f"127.0.0.1:{free_port()}")
    return {"statuses": [second.returncode], "errors": [second.stderr], "first": registry.post([visit(0)])[0]}


def beside(registry):
    """Operators are created and revoked with the command on the server while the registry runs."""
    made = json.loads(registry.run("operator", "create", "--name", "Ada", "--json").stdout)
    stations = lambda: registry.request("GET", "/v1/stations", None, made["token"])[0]
    statuses = [stations(), stations()]
    listed = "Ada" in registry.run("operator", "list").stdout
    statuses.append(registry.run("operator", "revoke", made["id"]).returncode)
    statuses += [stations(), registry.post([visit(0)])[0]]
    return {"statuses": statuses, "listed": listed}


def newer(registry):
    """The database has been changed by a newer version."""
    registry.stop()
    change(registry.database, "INSERT INTO grdb_migrations VALUES ('of a newer version')")
    before = dump(registry.database)
    result = registry.run("serve", "--listen", "127.0.0.1:0")
    return {"status": result.returncode, "errors": result.stderr, "same": dump(registry.database) == before}


def backup(registry):
    """A backup is made under load, and restored elsewhere and in place; invalid restores are refused."""
    file = registry.folder / "backup.sqlite"
    load = Load(registry, first=1)
    until(lambda: len(load.answered) > 100, "answers")
    before = list(load.answered)
    statuses = {"backup": registry.run("backup", file).returncode}
    load.join()
    statuses["again"] = registry.run("backup", file).returncode
    statuses["restore while it runs"] = registry.run("restore", file, "--force").returncode
    after = registry.sightings()
    registry.stop()
    statuses["restore over it"] = registry.run("restore", file).returncode
    damaged = registry.folder / "damaged.sqlite"
    content = bytearray(file.read_bytes())
    content[8192:16384] = os.urandom(8192)
    damaged.write_bytes(content)
    statuses["damaged"] = registry.run("restore", damaged, "--force").returncode
    foreign = registry.folder / "foreign.sqlite"
    change(foreign, "CREATE TABLE other (key)")
    statuses["foreign"] = registry.run("restore", foreign, "--force").returncode
    statuses["missing"] = registry.run("restore", registry.folder / "nowhere", "--force").returncode
    registry.start()
    untouched = registry.sightings() == after
    registry.stop()
    statuses["restore"] = registry.run("restore", file, "--force").returncode
    registry.start()
    restored = set(registry.sightings())
    writes = registry.post([visit(999_999)])[0]
    halves = [batch for batch in load.sent if 0 < len(restored & set(batch)) < len(batch)]
    mode = os.stat(file).st_mode & 0o777
    registry.stop()
    return {"statuses": statuses, "untouched": untouched, "lost": len(set(before) - restored), "halves": len(halves),
            "mode": f"{mode:o}", "writes": writes, "kept": os.path.exists(f"{registry.database}.replaced"),
            "left": sorted(path.name for path in registry.folder.glob("*.partial*")) +
                    sorted(path.name for path in registry.folder.glob("*.restoring*"))}


def drain(registry):
    """The registry is asked to end while a request is half sent and an alert is being delivered."""
    receiver = Receiver()
    registry.call("POST", "/v1/channels", {"kind": "webhook", "url": receiver.url}, registry.owner)
    registry.post([visit(1)])
    until(receiver.arrived.is_set, "the alert arrives")
    body = json.dumps({"visits": [visit(2)]}).encode()
    head = (f"POST /v1/sightings HTTP/1.1\r\nHost: registry\r\nAuthorization: Bearer {registry.station}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode()
    connection = socket.create_connection(("127.0.0.1", registry.port), PATIENCE)
    # Once the first of two requests in one packet has a response, the head of the second has been read, too.
    connection.sendall(b"GET /livez HTTP/1.1\r\nHost: registry\r\n\r\n" + head + body[:20])
    http_answer(connection)
    # An idle connection must not delay the end.
    idle = socket.create_connection(("127.0.0.1", registry.port), PATIENCE)
    log = lambda: (registry.folder / "log").read_text()
    registry.process.send_signal(signal.SIGTERM)
    until(lambda: not registry.accepts(), "no new connection is accepted")
    connection.sendall(body[20:])
    status_line, text = http_answer(connection)
    results = json.loads(text)["results"]
    running = registry.process.poll() is None
    receiver.answers.set()
    status = registry.process.wait(PATIENCE)
    idle.close()
    with sqlite3.connect(registry.database) as database:
        delivered = database.execute("SELECT count(*) FROM alert WHERE delivered IS NOT NULL").fetchone()[0]
    return {"answer": int(status_line.split()[1]), "result": results[0]["result"], "running": running, "status": status,
            "delivered": delivered, "stopped": "stopped" in log()}


def http_answer(connection):
    """The status line and the body of one response, without a byte of the next."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += connection.recv(1) or sys.exit("the connection was closed")
    length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
    body = b""
    while len(body) < length:
        body += connection.recv(length - len(body)) or sys.exit("the connection was closed")
    return head.split(b"\r\n")[0].decode(), body


class Receiver:
    """A webhook that responds when the test tells it to."""

    def __init__(self):
        self.arrived, self.answers = threading.Event(), threading.Event()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                receiver.arrived.set()
                receiver.answers.wait(PATIENCE)
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{server.server_port}/hook"
        threading.Thread(target=server.serve_forever, daemon=True).start()


with tempfile.TemporaryDirectory() as name:
    registry = Registry(sys.argv[1], pathlib.Path(name))
    try:
        print(json.dumps(globals()[sys.argv[2]](registry)))
    finally:
        if registry.process.poll() is None:
            registry.process.kill()
            registry.process.wait()
