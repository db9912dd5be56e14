"""Lets many stations wait for a change of the missing list, each on its own connection, and measures the registry.

Usage: waiting_stations.py REGISTRY MISSING-LIST [STATIONS] [ROUNDS]. The registry runs on the first processor, this
program on the others. Started by run-missing-list.sh.
"""

import heapq
import json
import os
import pathlib
import re
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

TYPE = "application/vnd.findmybike.missing-list"


class Station:
    """One connection; its answers are read whole."""

    def __init__(self, token):
        self.token, self.socket, self.buffer, self.tag, self.status, self.time = token, None, b"", None, None, None

    def request(self, wait):
        lines = ["GET /v1/missing HTTP/1.1", "Host: registry.example.org", "User-Agent: findmybike-monitor/1.0.0",
                 "Accept-Encoding: deflate, gzip, br, zstd"]
        if self.tag:
            lines += [f"If-None-Match: {self.tag}", "A-IM: findmybike"]
        if wait:
            lines.append(f"Prefer: wait={wait}")
        return "\r\n".join(lines + [f"Authorization: Bearer {self.token}", f"Accept: {TYPE}", "", ""]).encode()

    def read(self):
        """Whether an answer is complete."""
        data = self.socket.recv(65536)
        if not data:
            raise SystemExit("the registry closed a connection")
        self.buffer += data
        head, separator, body = self.buffer.partition(b"\r\n\r\n")
        if not separator:
            return False
        length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
        status = int(head[9:12])
        if status != 304 and len(body) < int(length[1]):
            return False
        if status not in (200, 226, 304, 503):
            raise SystemExit(f"the registry answered {status}: {body.decode(errors='replace')}")
        self.status, self.time, self.buffer = status, time.monotonic(), b""
        if status == 503:
            self.pause = int(re.search(rb"(?i)\r\nretry-after: *(\d+)", head + separator)[1])
            return True
        self.head, self.body = head + separator, body
        self.tag = re.search(rb"(?i)\r\netag: *(\S+)", head)[1].decode()
        return True


class Crowd:
    """Stations at a registry. An address of loopback has ports for less than 28,000 connections, so there are several."""

    def __init__(self, port, tokens, network=0):
        self.network = network
        self.stations = [Station(token) for token in tokens]
        self.poll = select.epoll()
        self.port, self.by_file = port, {}
        # When stations that were refused ask again, and how often that was.
        self.again, self.refused = [], 0

    def send(self, wait):
        for station in self.stations:
            station.socket.send(station.request(wait))

    def source(self):
        return (f"127.0.{self.network}.{2 + len(self.by_file) // 20_000}", 0)

    def open(self, wait=0):
        """Connects and asks once, a few hundred at a time, and then, if `wait` says so, for a change within so many
        seconds; returns connections answered a second."""
        start, answered, waiting = time.monotonic(), 0, 0
        todo = iter(self.stations)
        while answered < len(self.stations):
            while waiting < 512 and (station := next(todo, None)):
                station.socket = socket.create_connection(("127.0.0.1", self.port), source_address=self.source())
                station.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                station.socket.setblocking(False)
                self.by_file[station.socket.fileno()] = station
                self.poll.register(station.socket.fileno(), select.EPOLLIN)
                station.socket.send(station.request(0))
                waiting += 1
            done = self.collect(1, then=wait)
            answered, waiting = answered + done, waiting - done
        return answered / (time.monotonic() - start)

    def connect_at_once(self, wait):
        """Connects all stations at once, as after an outage, and sends their requests; returns when all connected."""
        start = time.monotonic()
        for station in self.stations:
            station.socket = socket.socket()
            station.socket.bind(self.source())
            station.socket.setblocking(False)
            station.socket.connect_ex(("127.0.0.1", self.port))
            self.by_file[station.socket.fileno()] = station
            self.poll.register(station.socket.fileno(), select.EPOLLOUT)
        left = len(self.stations)
        while left:
            for file, _ in self.poll.poll(30, 1000):
                station = self.by_file[file]
                station.socket.send(station.request(wait))
                self.poll.modify(file, select.EPOLLIN)
                left -= 1
        return time.monotonic() - start

    def collect(self, count, until=60, ends=False, then=0):
        """Reads until this many stations have got a response. A station that is refused asks again, as the registry says."""
        done, end = 0, time.monotonic() + until
        while done < count:
            if time.monotonic() > end:
                raise SystemExit(f"only {done} of {count} stations were answered within {until} s")
            while self.again and self.again[0][0] <= time.monotonic():
                _, _, station = heapq.heappop(self.again)
                station.socket.send(station.request(then))
            for file, _ in self.poll.poll(0.1 if self.again else 1, 1000):
                station = self.by_file[file]
                answered = station.read()
                if answered and station.status == 503:
                    self.refused += 1
                    heapq.heappush(self.again, (time.monotonic() + station.pause, file, station))
                    continue
                if answered and ends:
                    # The registry closes a connection after its response.
                    self.poll.unregister(file)
                if answered and then and station.status != 226:
                    station.socket.send(station.request(then))
                # Nothing has changed for as long as the registry lets a station wait: it asks again.
                done += answered and not (then and station.status == 304)
        return done

    def close(self):
        for station in self.stations:
            self.poll.unregister(station.socket.fileno())
            station.socket.close()
        self.by_file.clear()


def processor_time(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) * 1024 / 1e6


def settle(pid):
    """Waits until the registry has read all requests: it then uses less than a twentieth of a processor."""
    while True:
        before = processor_time(pid)
        time.sleep(1)
        if processor_time(pid) - before < 0.05:
            return


def report(port, owner, bike):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/bikes/{bike}/reports", b"{}",
        {"Authorization": f"Bearer {owner}", "Content-Type": "application/json"})
    urllib.request.urlopen(request).read()


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def measure(registry, port, stage, rounds):
    stations = len(stage["stations"])
    crowd = Crowd(port, stage["stations"])
    result = {"stations": stations, "emptyMB": round(megabytes(registry.pid), 1)}
    result["connectionsPerSecond"] = round(crowd.open())
    waits = []
    for bike in stage["bikes"][:rounds]:
        tags = {station.tag for station in crowd.stations}
        assert len(tags) == 1, tags
        crowd.send(600)
        settle(registry.pid)
        result["waitingMB"] = round(megabytes(registry.pid), 1)
        start = time.monotonic()
        told = threading.Thread(target=report, args=(port, stage["owner"], bike))
        told.start()
        crowd.collect(stations)
        told.join()
        assert {station.status for station in crowd.stations} == {226}
        assert len({station.body for station in crowd.stations}) == 1
        waits.append([station.time - start for station in crowd.stations])
    station = crowd.stations[0]
    result["requestBytes"], result["headBytes"] = len(station.request(600)), len(station.head)
    result["p50"] = [round(percentile(wait, 0.5), 3) for wait in waits]
    result["p99"] = [round(percentile(wait, 0.99), 3) for wait in waits]
    result["last"] = [round(max(wait), 3) for wait in waits]
    crowd.close()
    # The same stations come back at once, as after an outage of the network.
    result["allAtOnceSeconds"] = round(crowd.connect_at_once(600), 3)
    settle(registry.pid)
    result["allAtOnceMB"] = round(megabytes(registry.pid), 1)
    start = time.monotonic()
    registry.terminate()
    crowd.collect(stations, ends=True)
    assert {station.status for station in crowd.stations} == {304}
    registry.wait(60)
    result["stopSeconds"] = round(time.monotonic() - start, 3)
    return result


def main():
    program, tool = sys.argv[1:3]
    stations = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    processors = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        database = f"{folder}/registry.sqlite"
        stage = json.loads(subprocess.run([tool, "prepare", database, str(stations)], check=True, capture_output=True,
                                          text=True).stdout)
        log = open(f"{folder}/log", "w+")
        registry = subprocess.Popen(
            ["taskset", "-c", str(processors[0]), program, "serve", "--listen", "127.0.0.1:0", "--database", database],
            stderr=log, stdout=log, env={**os.environ, "FINDMYBIKE_CONNECTIONS_PER_CLIENT": "1000000"})
        try:
            os.sched_setaffinity(0, processors[1:] or processors)
            port = None
            while not port and registry.poll() is None:
                time.sleep(0.1)
                port = re.search(r"address=127.0.0.1:(\d+)", pathlib.Path(log.name).read_text())
            if not port:
                raise SystemExit(pathlib.Path(log.name).read_text())
            print(json.dumps(measure(registry, int(port[1]), stage, rounds)))
        finally:
            if registry.poll() is None:
                registry.kill()


if __name__ == "__main__":
    main()
