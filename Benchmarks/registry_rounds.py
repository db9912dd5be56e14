"""Interleaves the registry's calls with its limits and a peer and prints ratios of medians. Started by run-registry.sh.

Usage: registry_rounds.py PROGRAMS TOOLS ROUNDS [PEERS]
PROGRAMS: the folder of findmybike-registry and constant-server; TOOLS: of limit_batches and slow_sync.so;
PEERS: a folder with http/app_fastapi.py, http/post.lua and venv-http, for comparison.

The server runs on processor 0, the load on processor 1 with 32 connections. Each item is measured once in each round,
so that a change of the machine's speed affects all equally. Rates are per second of the server's processor time, which
stays the same on a shared machine. The rates per second of real time are printed beside them.

SYNC_US=100 with a TMPDIR in memory (/dev/shm) gives every program a disk whose sync takes that long, in case the real
disk is busy with other work.
"""

import os
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "registry"))
from stage import LOAD, SERVER, Registry, Server, free_port, wrk  # noqa: E402

PROGRAMS, TOOLS, ROUNDS = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3])
PEERS = pathlib.Path(sys.argv[4]).resolve() if len(sys.argv) > 4 else None
SECONDS = int(os.environ.get("SECONDS_EACH", "5"))
SMALL, LARGE, MISSING = 1000, int(os.environ.get("LARGE", "1000000")), 1000
CONNECTIONS = 32
# The duration of a sync, the same for all programs; by default the real disk's.
SYNC = ({"LD_PRELOAD": str(TOOLS / "slow_sync.so"), "SLOW_SYNC_US": os.environ["SYNC_US"]} if "SYNC_US" in os.environ
        else {})
SLOW_DISK = {"LD_PRELOAD": str(TOOLS / "slow_sync.so"), "SLOW_SYNC_US": "5000"}
results = {}


def note(name, measured):
    results.setdefault(name, []).append(measured)
    print(f"  {name:28} {measured['rate']:9,.0f} /s {measured['per cpu second']:9,.0f} per CPU second"
          f"   p50 {measured['p50']:6.2f} ms  p99 {measured['p99']:6.2f} ms", file=sys.stderr, flush=True)


def post(server, **more):
    run = sum(map(len, results.values()))
    return wrk(server, "visits.lua", SECONDS, CONNECTIONS, MISSING=MISSING, RUN=run, **more)


def calls(registry, server, suffix):
    """Each call of the registry once."""
    note("post" + suffix, post(server, TOKEN=registry.station))
    note("get bike" + suffix, wrk(server, "bikes.lua", SECONDS, CONNECTIONS, BIKES=registry.bikes, TOKEN=registry.owner))
    note("get missing" + suffix,
         wrk(server, "missing.lua", SECONDS, CONNECTIONS, TOKEN=registry.station, TAG=registry.tag()))


def constants(server):
    note("constant post", post(server, POST_PATH="/constant"))
    note("constant get", wrk(server, "bikes.lua", SECONDS, CONNECTIONS, BIKES=SMALL, GET_PATH="/constant/"))
    note("constant not modified", wrk(server, "missing.lua", SECONDS, CONNECTIONS, GET_PATH="/constant", TAG='"1"'))


def limit_batches(registry, folder):
    """The C loop on a copy of the same database, with batches of the same form."""
    if not (folder / "bodies").exists():
        write_bodies(folder / "bodies")
        # The server has it open: a copy of the file alone would lack what is in the log.
        with sqlite3.connect(registry.database) as source, sqlite3.connect(folder / "limit.sqlite") as target:
            source.backup(target)
    database = folder / "limit.sqlite"
    subprocess.run(["sqlite3", database, "DELETE FROM sighting"], check=True)
    text = subprocess.run([*SERVER, TOOLS / "limit_batches", database, folder / "bodies", "1"],
                          capture_output=True, text=True, check=True, env=os.environ | SYNC).stdout
    visits, seconds, cpu = map(float, text.split())
    note("limit of batches", {"rate": visits / 100 / seconds, "per cpu second": visits / 100 / cpu, "p50": 0, "p99": 0})


def write_bodies(path):
    """1,000 batches, as the load's script writes them."""
    script = pathlib.Path(__file__).parent / "registry/visits.lua"
    lua = (f"wrk = {{ format = function(_, _, _, body) return body end }} dofile('{script}') "
           "for _ = 1, 1000 do print(request()) end")
    variables = {"BATCH": "100", "MISSING": str(MISSING), "FIRST_SEEN": "2026-11-21T06:13:05Z",
                 "LAST_SEEN": "2026-11-21T06:14:05Z", "RUN": "4294967295"}
    with open(path, "w") as file:
        subprocess.run(["luajit", "-e", lua], stdout=file, check=True, env=os.environ | variables)


def fastapi(folder):
    folder.mkdir(exist_ok=True)
    port = free_port()
    command = [PEERS / "venv-http/bin/uvicorn", "app_fastapi:app", "--port", port, "--no-access-log", "--log-level",
               "warning"]
    return Server(command, port, {"MODE": "async", "SYNC": "FULL", "DB": str(folder / "peer.sqlite")} | SYNC,
                  directory=PEERS / "http")


def measure(folder):
    small = Registry(PROGRAMS, folder / "small", SMALL, MISSING)
    large = Registry(PROGRAMS, folder / "large", LARGE, MISSING)
    port = free_port()
    constant = Server([PROGRAMS / "constant-server", port, folder / "constant.sqlite"], port)
    servers = [large.start(SYNC), constant] + ([fastapi(folder / "peer")] if PEERS else [])
    small.start(SYNC)
    try:
        for number in range(ROUNDS):
            print(f"round {number + 1} of {ROUNDS}", file=sys.stderr, flush=True)
            constants(constant)
            calls(small, small.server, "")
            calls(large, large.server, ", large")
            small.forget_sightings()
            note("post, 100 visits each", post(small.server, TOKEN=small.station, BATCH=100))
            limit_batches(small, folder)
            if PEERS:
                note("FastAPI post", wrk(servers[2], PEERS / "http/post.lua", SECONDS, CONNECTIONS))
        resident = large.server.resident()
        large.server.stop()
        servers.remove(large.server)
        slow = large.start(SLOW_DISK)
        servers.append(slow)
        for _ in range(ROUNDS):
            note("post, sync takes 5 ms", post(slow, TOKEN=large.station))
        return resident
    finally:
        for server in [*servers, small.server]:
            server.stop()


def median(name, what="per cpu second"):
    return statistics.median(round_[what] for round_ in results[name])


def ratio(name, base, goal):
    values = sorted(
        one["per cpu second"] / other["per cpu second"] for one, other in zip(results[name], results[base]))
    value = statistics.median(values)
    print(f"  {name} / {base}: {value:.2f} ({values[0]:.2f} to {values[-1]:.2f}); goal: at least {goal}"
          + ("" if value >= goal else "  MISSED"))


def main():
    with tempfile.TemporaryDirectory() as name:
        resident = measure(pathlib.Path(name))
    print(f"\nmedians of {ROUNDS} rounds, {SECONDS} s each, {CONNECTIONS} connections")
    for what in results:
        print(f"  {what:28} {median(what, 'rate'):9,.0f} /s  {median(what):9,.0f} per CPU second"
              f"   p50 {median(what, 'p50'):6.2f} ms  p99 {median(what, 'p99'):6.2f} ms")
    print("\nratios of what a second of the processor does")
    ratio("post", "constant post", 0.5)
    ratio("post, 100 visits each", "limit of batches", 0.4)
    ratio("get bike", "constant get", 0.5)
    ratio("get missing", "constant not modified", 0.8)
    for call in ("post", "get bike", "get missing"):
        ratio(call + ", large", call, 0.8)
    if PEERS:
        ratio("post", "FastAPI post", 5)
    slow = median("post, sync takes 5 ms", "rate")
    print(f"  sync takes 5 ms: {slow:,.0f} posts/s; goal: at least 2,000" + ("" if slow >= 2000 else "  MISSED"))
    for what in results:
        if what.startswith(("post", "get")):
            times = median(what, "p99") / median(what, "p50")
            print(f"  {what}: p99 / p50 {times:.1f}; goal: at most 10" + ("" if times <= 10 else "  MISSED"))
    print(f"  resident under load with {LARGE:,} bikes: {resident:.1f} MB; goal: at most 64"
          + ("" if resident <= 64 else "  MISSED"))


main()
