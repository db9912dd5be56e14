"""The load of SQL writers: processes that write as registries do, readers, and what is stored at the end."""
import pathlib
import sys
import threading
import time

import invariants
import libpq
from history import of
from primary import NoPrimary, Primary, Reconnecting
from services import Service

HERE = pathlib.Path(__file__).resolve().parent
ERRORS = (libpq.InDoubt, libpq.Refused, NoPrimary)

BY_HORIZON = """
SELECT number, xid::text FROM sighting
WHERE (xid, number) > ($2::xid8, $1::bigint) AND xid < pg_snapshot_xmin(pg_current_snapshot())
ORDER BY xid, number"""
BY_NUMBER = "SELECT number, '0' FROM sighting WHERE number > $1::bigint AND $2::text IS NOT NULL ORDER BY number"


class SQLWork:
    """Three processes of four writers each, a reader of all numbers, and one of a report's revision."""

    # The statuses with which a process may end while the database is away.
    passing = ()

    def __init__(self, options, pair, folder, history):
        self.options, self.pair, self.folder, self.history = options, pair, folder, history
        self.by_number = options.control == "by-number"
        self.stopping = threading.Event()
        self.numbers, self.threads = set(), []
        self.services = [self.service(number) for number in range(options.registries)]

    def service(self, number):
        name = "writer%d" % (number + 1)
        # Shorter than the pause of a process, so that its claims run out.
        lease = max(1.0, self.options.pace.pause / 2)

        wrong = ["--first-writable"] if self.options.control == "first-writable" else []

        def command(generation):
            return [sys.executable, "-B", str(HERE / "writer.py"), "--name", "%s.%d" % (name, generation), "--history",
                    str(self.folder / "history"), "--lease", str(lease), "--pause", "0.15", "--ports",
                    *map(str, self.pair.ports), *wrong]

        return Service(name, command, self.folder / (name + ".log"), self.history)

    def begin(self):
        self.pair.primary.script("findmybike", HERE / "schema.sql")
        for service in self.services:
            service.start()
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self.read_numbers, self.read_revision)]
        for thread in self.threads:
            thread.start()

    def read_numbers(self):
        """Follows the writers' numbers; `end` waits until it has had the time to read all."""
        database, last = Reconnecting(Primary(self.pair.ports)), ("0", "0")
        while not self.stopping.wait(0.002):
            try:
                rows = database.run(BY_NUMBER if self.by_number else BY_HORIZON, *last)
            except ERRORS:
                self.stopping.wait(0.05)
                continue
            self.numbers.update(int(row[0]) for row in rows)
            last = tuple(rows[-1]) if rows else last

    def read_revision(self):
        database = Reconnecting(Primary(self.pair.ports))
        while not self.stopping.wait(0.1):
            try:
                [[revision]] = database.run("SELECT revision FROM report WHERE key = 1")
            except ERRORS:
                continue
            self.history.note("revision", reader="reader", revision=int(revision))

    def end(self):
        """Ends the writers; sees that the audit is sequenced and that no alert is left, then stops the readers."""
        for service in self.services:
            service.stop()
            self.history.note("ended", run=service.run)
        # Claims of processes that died run out first.
        last = Service("writer0", self.drainer, self.folder / "writer0.log", self.history)
        last.start()
        deadline = time.monotonic() + 60
        unfinished = """
            SELECT 1 FROM audit_head
            WHERE length < (SELECT count(*) FROM audit) OR EXISTS (SELECT 1 FROM alert WHERE due IS NOT NULL)"""
        while self.ask(unfinished) and time.monotonic() < deadline:
            time.sleep(0.2)
        last.stop()
        # Whoever goes by numbers would wait for those that were missed.
        [[count]] = self.ask("SELECT count(*) FROM sighting")
        deadline = time.monotonic() + (1 if self.by_number else 20)
        while len(self.numbers) < int(count) and time.monotonic() < deadline:
            time.sleep(0.1)
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    def drainer(self, generation):
        """The command line of a process that writes nothing, and only finishes the others' work."""
        command = self.services[0].command(generation)
        command[command.index("--name") + 1] = "writer0.%d" % generation
        return [*command, "--writers", "0"]

    def stop(self):
        self.stopping.set()
        for service in self.services:
            service.stop(2)

    def ask(self, sql):
        connection = Primary(self.pair.ports).connect()
        try:
            return connection.run(sql, seconds=30)
        finally:
            connection.close()

    def verdicts(self, events):
        visits = {row[0] for row in self.ask("SELECT visit FROM sighting")}
        numbers = [int(row[0]) for row in self.ask("SELECT number FROM sighting")]
        alerts = [row[0] for row in self.ask("SELECT id FROM alert")]
        commitments = {
            row[0]: bytes.fromhex(row[1]) for row in self.ask("SELECT seq, encode(commitment, 'hex') FROM audit")}
        places = [(row[0], bytes.fromhex(row[1])) for row in
                  self.ask("SELECT seq, encode(chain, 'hex') FROM audit_chain ORDER BY place")]
        recorded = {row[0] for row in self.ask("SELECT visit FROM audit")}
        return [
            invariants.answered_writes(events, "sighting", visits),
            invariants.Verdict("every sighting has an entry and an alert", len(visits),
                               tuple((visits ^ recorded) | (visits ^ set(alerts)))),
            invariants.missed(self.numbers, numbers, "version"),
            invariants.seen_stays(self.numbers, numbers, "version"),
            invariants.never_back(events, "revision", "reader", "revision"),
            invariants.chain(commitments, places),
            invariants.delivered(events, alerts),
            invariants.settled_once(events),
            invariants.explained_repeats(events),
        ]

    def numbers_of(self, events):
        """What the run did, in one line."""
        answered = sum(len(event["ids"]) for event in of(events, "answered"))
        return "%d sightings answered, %d attempts without an answer, %d versions read" % (
            answered, len(of(events, "unanswered")), len(self.numbers))
