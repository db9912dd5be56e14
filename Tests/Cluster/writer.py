"""A process that stands in for a registry: it records visits, sequences the audit and delivers alerts, on PostgreSQL.

It goes on until it is killed, or told by SIGTERM to end. A history file says what was answered.
"""
import argparse
import pathlib
import random
import signal
import threading
import time
import uuid

import libpq
from history import History
from primary import NoPrimary, Primary, Reconnecting

ERRORS = (libpq.InDoubt, libpq.Refused, NoPrimary)


class Writer:
    def __init__(self, options):
        self.name, self.lease, self.pause = options.name, options.lease, options.pause
        self.history = History(options.history / (options.name + ".jsonl"))
        self.ports, self.first = options.ports, options.first_writable
        self.stopping = threading.Event()

    def connection(self):
        return Reconnecting(Primary(self.ports, self.first))

    def record(self, number):
        """Records visits; repeats them under the same identifiers until they are answered, as a station does."""
        chance, database = random.Random("%s %d" % (self.name, number)), self.connection()
        while not self.stopping.wait(self.pause * chance.uniform(0.5, 1.5)):
            visits = [str(uuid.UUID(int=chance.getrandbits(128), version=4)) for _ in range(chance.randint(1, 4))]
            report = chance.randint(1, 8)
            pause = chance.uniform(0.005, 0.03) if chance.random() < 0.2 else 0
            while not self.stopping.is_set():
                began = time.monotonic()
                try:
                    database.run("SELECT record($1, $2, $3)", "{%s}" % ",".join(visits), report, pause)
                except ERRORS as problem:
                    self.history.note("unanswered", ids=visits, problem=str(problem)[:200], began=began)
                    self.stopping.wait(0.1)
                    continue
                self.history.note("answered", kind="sighting", ids=visits, began=began)
                break

    def sequence(self):
        database = self.connection()
        while not self.stopping.wait(0.05):
            try:
                database.run("SELECT sequence_audit(200)")
            except ERRORS:
                self.stopping.wait(0.1)

    def deliver(self):
        database = self.connection()
        while not self.stopping.wait(0.05):
            try:
                claimed = database.run("SELECT id, attempts FROM claim($1, 20)", self.lease)
            except ERRORS:
                self.stopping.wait(0.1)
                continue
            for alert, _ in claimed:
                # What a delivery takes.
                time.sleep(0.004)
                self.history.note("delivered", alert=alert, run=self.name)
            if claimed:
                self.settle(database, claimed)

    def settle(self, database, claimed):
        """Records deliveries. Only the latest claim counts: this process may have been stopped beyond its lease."""
        alerts, attempts = ("{%s}" % ",".join(column) for column in zip(*claimed))
        try:
            settled = database.run("SELECT settle($1, $2)", alerts, attempts)
        except ERRORS:
            return
        for [alert] in settled:
            self.history.note("settled", alert=alert, run=self.name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--name", required=True)
    parser.add_argument("--ports", type=int, nargs="+", required=True)
    parser.add_argument("--history", type=pathlib.Path, required=True)
    parser.add_argument("--lease", type=float, required=True, help="seconds")
    parser.add_argument("--pause", type=float, required=True, help="seconds between two requests of one writer")
    parser.add_argument("--writers", type=int, default=4)
    parser.add_argument("--first-writable", action="store_true", help="take the first server that takes writes")
    options = parser.parse_args()
    writer = Writer(options)
    work = [threading.Thread(target=writer.record, args=(number,)) for number in range(options.writers)]
    work += [threading.Thread(target=writer.sequence), threading.Thread(target=writer.deliver)]
    signal.signal(signal.SIGTERM, lambda *_: writer.stopping.set())
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()


if __name__ == "__main__":
    main()
