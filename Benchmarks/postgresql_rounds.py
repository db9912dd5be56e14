"""Interleaves the registry on PostgreSQL with the database's limits and prints ratios. Started by run-postgresql.sh.

Usage: postgresql_rounds.py PROGRAMS TOOLS ROUNDS
PROGRAMS: the folder of findmybike-registry; TOOLS: of limit.

Each item is measured once in each round, so that a change of the machine's speed affects all equally. Rates of the
registry and of the limits are per second of all processors: PostgreSQL's and the program's, without the load's. A
standby follows all the time; only the items named so wait for it.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "postgresql"))
from cluster import Cluster  # noqa: E402
from registry import Registry  # noqa: E402
from promotion import promotions  # noqa: E402
from wakeups import wake_ups  # noqa: E402
from stage import wrk  # noqa: E402

PROGRAMS, TOOLS, ROUNDS = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3])
SECONDS = int(os.environ.get("SECONDS_EACH", "5"))
BIKES = int(os.environ.get("BIKES", "20000"))
CONNECTIONS = 32
ITEMS = os.environ.get("ITEMS", "rates,wake-ups,promotions").split(",")
PROMOTIONS = int(os.environ.get("PROMOTIONS", "5"))
results = {}


def note(name, **measured):
    """rate: visits a second; all, database: microseconds of processor time a visit."""
    results.setdefault(name, []).append(measured)
    print(f"  {name:32} {measured['rate']:9,.0f} visits/s  {measured['all']:7.1f} µs a visit, the database's"
          f" {measured['database']:7.1f}  p50 {measured['p50']:6.2f} ms  p99 {measured['p99']:6.2f} ms", file=sys.stderr,
          flush=True)


def limit(cluster, mode, connections):
    before = cluster.cpu()
    text = subprocess.run([TOOLS / "limit", mode, str(connections), str(SECONDS), cluster.address("limits")],
                          capture_output=True, text=True, check=True).stdout
    rows, seconds, cpu, p50, p99 = map(float, text.split())
    database = cluster.cpu() - before
    note(f"limit of {'sets' if mode == 'sets' else 'singles'}", rate=rows / seconds, all=(cpu + database) / rows * 1e6,
         database=database / rows * 1e6, p50=p50, p99=p99)


def post(name, cluster, registry, batch=1):
    before, begun = cluster.cpu(), registry.server.cpu()
    run = sum(map(len, results.values()))
    measured = wrk(registry.server, "visits.lua", SECONDS, CONNECTIONS, MISSING=BIKES, RUN=run, TOKEN=registry.station,
                   BATCH=batch)
    own = registry.server.cpu() - begun
    visits = measured["per cpu second"] * max(own, 0.01) * batch
    database = cluster.cpu() - before
    note(name, rate=measured["rate"] * batch, all=(own + database) / visits * 1e6, database=database / visits * 1e6,
         p50=measured["p50"], p99=measured["p99"])


def rates(primary, registry):
    for number in range(ROUNDS):
        print(f"round {number + 1} of {ROUNDS}", file=sys.stderr, flush=True)
        registry.forget_sightings()
        primary.sql("TRUNCATE sighting, alert, entry, chain; UPDATE head SET length = 0, xid = '0', seq = 0", "limits")
        limit(primary, "single", CONNECTIONS)
        post("single posts", primary, registry)
        limit(primary, "sets", 8)
        post("posts of 100", primary, registry, 100)
        post("posts of 25", primary, registry, 25)
        registry.tell_owners(True)
        post("single posts with alerts", primary, registry)
        post("posts of 100 with alerts", primary, registry, 100)
        registry.tell_owners(False)
        primary.set("synchronous_standby_names", "*")
        post("single posts, synchronous", primary, registry)
        post("posts of 100, synchronous", primary, registry, 100)
        primary.set("synchronous_standby_names", "")


def median(name, what):
    return statistics.median(one[what] for one in results[name])


def show(text, value, goal, is_met):
    print(f"  {text}: {value}; goal: {goal}" + ("" if is_met else "  MISSED"))


def ratio(name, base, what, goal):
    """The ratio of work done: of rates, or of what a second of the processors does."""
    pairs = zip(results[name], results[base])
    values = sorted(one[what] / other[what] if what == "rate" else other[what] / one[what] for one, other in pairs)
    value = statistics.median(values)
    show(f"{name} / {base}, {'real time' if what == 'rate' else 'processors'}",
         f"{value:.2f} ({values[0]:.2f} to {values[-1]:.2f})", f"at least {goal}", value >= goal)


def print_rates():
    print(f"\nmedians of {ROUNDS} rounds, {SECONDS} s each")
    for name in results:
        print(f"  {name:32} {median(name, 'rate'):9,.0f} visits/s  {median(name, 'all'):7.1f} µs a visit, the database's"
              f" {median(name, 'database'):7.1f}   p50 {median(name, 'p50'):6.2f} ms  p99 {median(name, 'p99'):6.2f} ms")
    print()
    ratio("posts of 100", "limit of sets", "all", 0.4)
    ratio("single posts", "limit of singles", "all", 0.5)
    ratio("posts of 100 with alerts", "limit of sets", "all", 0.4)
    ratio("single posts with alerts", "limit of singles", "all", 0.5)
    for name in ("posts of 25", "posts of 100", "posts of 100 with alerts"):
        time = median(name, "database")
        show(f"{name}: the database's time", f"{time:.0f} µs a visit", "at most 200 µs", time <= 200)
    for name in ("single posts", "posts of 100"):
        ratio(f"{name}, synchronous", name, "rate", 0.75)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        clusters = [Cluster.make(folder / "primary")]
        primary = clusters[0]
        try:
            registry = Registry(PROGRAMS, folder / "registry", [primary], BIKES)
            if "rates" in ITEMS:
                primary.sql("CREATE DATABASE limits")
                primary.script(pathlib.Path(__file__).parent / "postgresql/limit.sql", "limits")
                clusters.append(primary.make_standby(folder / "standby"))
                primary.await_standby()
                registry.start()
                # Prepares statements; and the station becomes one that reports too many bikes, once an hour.
                wrk(registry.server, "visits.lua", SECONDS, CONNECTIONS, MISSING=BIKES, RUN=1 << 31,
                    TOKEN=registry.station, BATCH=100)
                rates(primary, registry)
                registry.server.stop()
                print_rates()
                if os.environ.get("STATEMENTS"):
                    print(primary.sql("SELECT calls, round(total_exec_time) AS ms, round((total_plan_time)::numeric), "
                                      "rows, left(regexp_replace(query, '\\s+', ' ', 'g'), 150) FROM pg_stat_statements"
                                      " JOIN pg_database d ON d.oid = dbid WHERE datname = 'findmybike'"
                                      " ORDER BY total_exec_time DESC LIMIT 25"))
                clusters.pop().stop()
            if "wake-ups" in ITEMS:
                registry.start()
                other = Registry(PROGRAMS, folder / "other", [primary], like=registry)
                other.start()
                p50, p99, most = wake_ups(registry, other, 200)
                show("from a station's answer at one registry to the owner's event at another",
                     f"p50 {p50:.0f} ms, p99 {p99:.0f} ms, at most {most:.0f} ms", "p99 at most 250 ms", p99 <= 250)
                other.server.stop()
                registry.server.stop()
            if "promotions" in ITEMS:
                times, last = promotions(PROGRAMS, folder, primary, registry, PROMOTIONS)
                clusters[:] = [last]
                for begun, ended, answers, lost in times:
                    show("first answer after a promotion", f"{ended:.2f} s after its end, {begun:.2f} s after its "
                         f"beginning; {answers} answers, {lost} lost", "at most 1 s, none lost",
                         ended <= 1 and lost == 0)
        finally:
            for cluster in clusters:
                cluster.stop()


main()
