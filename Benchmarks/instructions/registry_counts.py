"""The registry's requests, over one connection of loopback and one after the other, so that none shares a transaction."""

import pathlib
import re
import shutil
import socket
import sys
import tempfile
import time

from callgrind import Counted

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "registry"))
from stage import Registry, timestamp  # noqa: E402

BIKES, MISSING = 1000, 1000


class Connection:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 60)
        self.reader = self.socket.makefile("rb")

    def request(self, method, path, token, headers=(), body=b""):
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {token}", *headers]
        if body:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        head = b"".join(iter(self.reader.readline, b"\r\n")).decode()
        status = int(head.split(" ", 2)[1])
        length = re.search(r"(?im)^content-length: *(\d+)", head)
        return status, self.reader.read(int(length[1]) if length and status != 304 else 0)


class Stage:
    """A registry with bikes, whose database is the same at each start."""

    def __init__(self, programs):
        self.folder = tempfile.TemporaryDirectory(prefix="findmybike-registry.")
        self.registry = Registry(programs, pathlib.Path(self.folder.name) / "registry", BIKES, MISSING)
        self.full = self.registry.database.with_name("full.sqlite")
        shutil.copy(self.registry.database, self.full)

    def count(self, send, number, profile):
        """The instructions of each of these requests."""
        for file in self.registry.folder.glob("registry.sqlite*"):
            file.unlink()
        shutil.copy(self.full, self.registry.database)
        program = self.registry.programs / "findmybike-registry"
        with Counted([program, "serve", "--config", self.registry.settings]) as server:
            connection = self.connect(server)
            self.tag = self.settled_tag()
            first = number // 10
            for index in range(first):
                send(self, connection, index)

            def work():
                for index in range(first, first + number):
                    send(self, connection, index)

            return server.instructions(work, profile) / number

    def settled_tag(self):
        """The list's tag, once it stays: the registry's first round of maintenance may change the list."""
        tag = None
        while tag != (tag := self.registry.tag()):
            time.sleep(5)
        return tag

    def connect(self, server):
        while True:
            server.require_running()
            try:
                return Connection(self.registry.port)
            except OSError:
                time.sleep(0.1)

    def post(self, connection, index, visits):
        texts = []
        for number in range(index * visits, (index + 1) * visits):
            # Few in each hour: a station that reports more of the list is judged again, which would be counted here.
            hour = number // 10 * 3600
            first, last = timestamp(hour + 120), timestamp(hour + 60)
            texts.append(
                f'{{"id":"00000000-0000-7000-8000-{number:012x}","stay":"00000000-0000-7000-9000-{number:012x}",'
                f'"identity":{{"uuid":"494E5445-4C4C-495F-524F-434B535F4857","major":0,"minor":{number % MISSING}}},'
                f'"firstSeen":"{first}","lastSeen":"{last}","count":5,"rssi":{{"min":-80,"max":-60}},'
                '"measuredPower":-59,"proximity":"near","ended":false}')
        body = '{"visits":[' + ",".join(texts) + "]}"
        status, answer = connection.request("POST", "/v1/sightings", self.registry.station, body=body.encode())
        require(status == 200 and answer.count(b'"stored"') == visits, status, answer)

    def post_one(self, connection, index):
        self.post(connection, index, 1)

    def post_batch(self, connection, index):
        self.post(connection, index, 100)

    def get_bike(self, connection, index):
        # In no order: 373 and 1000 have no common factor.
        path = f"/v1/bikes/019aa4e1-1c2d-7000-8000-{index * 373 % BIKES:012x}"
        status, answer = connection.request("GET", path, self.registry.owner)
        require(status == 200, status, answer)

    def get_missing(self, connection, _):
        headers = ["Accept: application/vnd.findmybike.missing-list", f"If-None-Match: {self.tag}"]
        status, answer = connection.request("GET", "/v1/missing", self.registry.station, headers)
        require(status == 304, status, answer)


def require(is_right, status, answer):
    if not is_right:
        raise SystemExit(f"the registry answered {status}: {answer[:500]!r}")
