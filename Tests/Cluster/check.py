"""Checks several registries on two database machines under faults. Called by scripts/cluster.sh."""
import argparse
import pathlib
import sys

import faults
import history
import invariants
import libpq
import running
from breaking import Breaking
from httpwork import HTTPWork
from machines import Pair
from primary import NoPrimary
from sqlwork import SQLWork
from web import Unexpected

# The rules that a control breaks; the check must notice.
CONTROLS = {"asynchronous": "every answered sighting is stored", "by-number": "the reader missed no version",
            "first-writable": "nobody writes to an old primary"}


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/cluster.sh check")
    parser.add_argument("--minutes", type=float, default=2, metavar="N",
                        help="how long the load lasts, 0.5 to 240 (default 2)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the faults (default 1)")
    parser.add_argument("--registries", type=int, default=3, metavar="N", help="how many processes, 1 to 8 (default 3)")
    parser.add_argument("--workload", choices=("sql", "http"), default="sql",
                        help="SQL writers in place of registries, or registries (default sql)")
    parser.add_argument("--database", choices=("postgresql", "sqlite"), default="postgresql",
                        help="sqlite: one registry without database machines")
    parser.add_argument("--programs", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--control", choices=tuple(CONTROLS), help="break a rule on purpose; the check must notice")
    parser.add_argument("--keep", action="store_true", help="keep the folder with logs and history")
    options = parser.parse_args()
    if not 0.5 <= options.minutes <= 240 or not 1 <= options.registries <= 8:
        parser.error("--minutes must be 0.5 to 240, and --registries 1 to 8")
    if options.database == "sqlite":
        if options.workload != "http" or options.control:
            parser.error("--database sqlite needs --workload http, and has no controls")
        options.registries = 1
    if options.workload == "http" and options.control in ("by-number", "first-writable"):
        parser.error("--control %s needs --workload sql: a registry has no such mode" % options.control)
    options.seconds = options.minutes * 60
    # A claim of an alert lasts up to 60 s. Longer runs stop a registry for longer than that.
    options.pace = faults.Pace(
        lose=20.0 if options.database == "postgresql" else 0,
        pause=75.0 if options.seconds >= 300 else options.seconds / 12,
        # Long enough for writers to give up elsewhere.
        back=(8.0, 8.0) if options.control == "first-writable" else (1.0, 3.0),
        # SQL writers watch no other host.
        left=5.0 if options.workload == "http" else 0)
    return options


def check(options, folder, cleaning):
    """Runs the load and the faults; returns the verdicts."""
    tell = running.Teller()
    (folder / "history").mkdir(mode=0o700)
    record = history.History(folder / "history" / "check.jsonl")
    pair = None
    if options.database == "postgresql":
        pair = Pair(folder / "machines", synchronous=options.control != "asynchronous")
        cleaning.append(pair.stop)
        pair.make()
        tell("two machines: primary a, %s standby b" % ("synchronous" if pair.names else "asynchronous"))
    work = (SQLWork if options.workload == "sql" else HTTPWork)(options, pair, folder, record)
    cleaning.append(work.stop)
    work.begin()
    script = faults.script(options.seed, options.seconds, options.registries, options.pace)
    tell("%d registries at work; %d faults with seed %d in %g s" % (
        options.registries, len(script), options.seed, options.seconds))
    breaking = Breaking(script, work.services, pair, record, tell)
    cleaning.append(breaking.stopping.set)
    breaking.start()
    breaking.stopping.wait(options.seconds)
    breaking.join()
    tell("the load ends")
    work.end()
    tell("the rest is done")
    events = history.read(folder / "history")
    verdicts = work.verdicts(events) + [
        invariants.old_primary_unused(events), invariants.ended_by_themselves(events, work.passing)]
    print("\n%s; %s" % (work.numbers_of(events), breaking.numbers()))
    if breaking.outages:
        print("from the loss of a primary until its machine follows again: %.1f to %.1f s" % (
            min(breaking.outages), max(breaking.outages)))
    for what, waits in zip(("a read after a promotion", "a write after the standby's return"),
                           invariants.first_answers(events)):
        if waits:
            print("%s is answered after %.1f s at most" % (what, max(waits)))
    for verdict in verdicts:
        print(verdict)
    return verdicts


def main():
    options = arguments()
    failures = (libpq.InDoubt, libpq.Refused, NoPrimary, Unexpected, OSError)
    return running.run("cluster", options, CONTROLS.get(options.control), check, failures)


if __name__ == "__main__":
    sys.exit(main())
