"""Traces a registry's system calls and checks that every write was on disk before its response was sent.

Usage: trace.py PROGRAMS [--without-syncs]
Prints a JSON object: the number of responses that followed a write (`answers`), and `violations`. With --without-syncs
the trace is judged as if there had been no sync, to show that a missing sync would be noticed.
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.request

PROGRAMS = pathlib.Path(sys.argv[1])
CALL = re.compile(r"^(?P<thread>\d+) +(?P<call>\w+)\((?P<rest>.*)$")
RESUMED = re.compile(r"^(?P<thread>\d+) +<\.\.\. (?P<call>\w+) resumed>(?P<rest>.*)$")


def judge(lines, with_syncs):
    """Walks the trace: a write to the log is unsafe until a sync that began after it has returned.

    The registry also writes on its own initiative, in a separate group that may be in progress when a response is sent.
    So a response is a violation only if none of the writes since the previous response is safe.
    """
    pending, writes, answers, violations = {}, 0, 0, []
    unsafe = set()
    for number, line in enumerate(lines):
        if match := RESUMED.match(line):
            thread, call, rest = match["thread"], match["call"], match["rest"]
            covered = pending.pop((thread, call), None)
            if call in ("fdatasync", "fsync") and rest.rstrip().endswith("= 0") and covered is not None:
                unsafe -= covered
            continue
        if not (match := CALL.match(line)):
            continue
        thread, call, rest = match["thread"], match["call"], match["rest"]
        unfinished = rest.rstrip().endswith("<unfinished ...>")
        if call == "pwrite64" and "-wal>" in rest:
            writes += 1
            unsafe.add(number)
        elif call in ("fdatasync", "fsync") and "-wal>" in rest and with_syncs:
            if unfinished:
                pending[(thread, call)] = set(unsafe)
            elif rest.rstrip().endswith("= 0"):
                unsafe.clear()
        elif call in ("write", "writev", "sendto", "sendmsg") and "HTTP/1.1 2" in rest:
            if writes:
                answers += 1
                if len(unsafe) == writes:
                    violations.append(line.strip()[:160])
            writes, unsafe = 0, set()
    return {"answers": answers, "violations": violations}


class Registry:
    """A registry under strace, with an operator."""

    def __init__(self, folder):
        self.trace = folder / "trace"
        settings = folder / "registry.yaml"
        settings.write_text(f"listen: 127.0.0.1:0\ndatabase: {folder}/registry.sqlite\nidentities:\n  given: open\n")
        program = str(PROGRAMS / "findmybike-registry")
        self.operator = subprocess.run(
            [program, "operator", "create", "--config", settings], check=True, capture_output=True, text=True
        ).stdout.strip()
        calls = "trace=pwrite64,fdatasync,fsync,write,writev,sendto,sendmsg"
        self.process = subprocess.Popen(
            ["strace", "-f", "-y", "-s", "32", "-e", calls, "-o", self.trace, program, "serve", "--config", settings],
            stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if match := re.search(r"address=(\S+).*\] listening", line):
                self.url = "http://" + match[1]
                break
        else:
            sys.exit("the registry did not start under strace: install the Debian package strace")
        threading.Thread(target=lambda: list(self.process.stderr), daemon=True).start()

    def post(self, path, body, token=None, method="POST"):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), headers, method=method)
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)

    def stop(self):
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        for child in children:
            os.kill(int(child), signal.SIGTERM)
        self.process.wait(timeout=120)


def visit(number, seen):
    """A visit whose identifier is a UUID of version 7."""
    return {"id": f"01890000-0000-7000-8000-{number:012x}", "stay": f"01890000-0000-7000-8000-{number:012x}",
            "identity": {"uuid": "494E5445-4C4C-495F-524F-434B535F4857", "major": 20594, "minor": 62207},
            "firstSeen": seen, "lastSeen": seen, "count": 2, "rssi": {"min": -80, "max": -60}, "measuredPower": -59,
            "proximity": "near", "ended": False}


def play(registry):
    """Makes each kind of write once, and twenty reports."""
    invitation = registry.post(
        "/v1/invitations", {"name": "Café", "place": {"latitude": 51.5, "longitude": -0.12}}, registry.operator)
    station = registry.post("/v1/station/enrolment", {"code": invitation["code"]})["token"]
    owner = registry.post("/v1/owners", {})["token"]
    bike = registry.post("/v1/bikes", {
        "kind": "bicycle", "make": "Brompton", "model": "C Line", "colours": ["green"],
        "identity": {"uuid": "494E5445-4C4C-495F-524F-434B535F4857", "major": 20594, "minor": 62207}}, owner)
    registry.post(
        f"/v1/claims/{bike['id']}/acceptance", {"identity": bike["pending"]["claimed"]}, registry.operator, "PUT")
    report = registry.post(f"/v1/bikes/{bike['id']}/reports", {}, owner)
    for number in range(20):
        answer = registry.post("/v1/sightings", {"visits": [visit(number, report["opened"])]}, station)
        if answer["results"][0]["result"] != "stored":
            sys.exit(f"a visit was not stored: {answer}")
    registry.post(f"/v1/bikes/{bike['id']}/reports/{report['id']}/closure", {"outcome": "recovered"}, owner)
    return 27


with tempfile.TemporaryDirectory() as name:
    traced = Registry(pathlib.Path(name))
    try:
        expected = play(traced)
    finally:
        traced.stop()
    verdict = judge(traced.trace.read_text(errors="replace").splitlines(), "--without-syncs" not in sys.argv)
    print(json.dumps(verdict | {"writes": expected}))
