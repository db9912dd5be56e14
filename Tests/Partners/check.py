"""Checks three registries that are partners under faults and attacks. Called by scripts/partners.sh."""
import argparse
import http.client
import os
import pathlib
import sqlite3
import sys
import threading

import clocks
import hostile
import plan
import shared
import running
from cities import World, make_database
from disturbing import RESTORED, Disturbing
from ending import Ending
from history import History, of, read
from links import Authority, Link, Network
from machines import free_port
from owners import Searches
from visitors import CityOwner, CityStation
from web import Stopped, Unexpected
from webhooks import Receiver

STATIONS = 2

# The rules that a control breaks; the check must notice.
CONTROLS = {"lost": "every answered visit is at home", "invented": "no sighting without a station",
            "twice": "no visit is announced twice"}


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/partners.sh check")
    parser.add_argument("--minutes", type=float, default=2, metavar="N", help="how long the load lasts, 0.3 to 240 (default 2)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the faults (default 1)")
    parser.add_argument("--flood", type=int, default=20_000, metavar="N",
                        help="how many visits the hostile partner sends (default 20000)")
    parser.add_argument("--programs", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--control", choices=tuple(CONTROLS), help="break a rule on purpose; the check must notice")
    parser.add_argument("--keep", action="store_true", help="keep the folder with logs and history")
    options = parser.parse_args()
    if not 0.3 <= options.minutes <= 240 or not 0 <= options.flood <= 10_000_000:
        parser.error("--minutes must be 0.3 to 240, and --flood 0 to 10000000")
    options.seconds = options.minutes * 60
    return options


class Check:
    def __init__(self, options, folder, cleaning):
        self.options, self.folder, self.cleaning = options, folder, cleaning
        (folder / "history").mkdir(mode=0o700)
        self.history = History(folder / "history" / "check.jsonl")
        self.load_ends, self.stopping = threading.Event(), threading.Event()
        self.threads, self.unexpected = [], []
        self.searches = Searches()
        self.tell = running.Teller()

    def begin(self):
        options, folder = self.options, self.folder
        library = clocks.build(folder)
        city_clocks = [clocks.Clock(folder / ("clock%d" % number), library) for number in range(len(World.NAMES))]
        machine = make_database(folder / "machines", city_clocks[-1])
        self.cleaning.append(machine.stop)
        network = Network()
        self.cleaning.append(network.stop)
        # Only root can give the processes other authorities to trust.
        authority = foreign = None
        if os.geteuid() == 0:
            (folder / "certificates").mkdir()
            authority, foreign = (Authority(folder / "certificates", name) for name in ("authority", "stranger"))
        self.world = World(options.programs, folder, self.history, city_clocks, network, authority, machine)
        self.cleaning.append(self.world.stop)
        self.run_all([city.start for city in self.world.cities.values()])
        for pair in self.world.ring:
            self.world.join(*pair)
        self.tell("three registries are partners%s" % (
            "" if authority else "; not as root: without TLS, and the partners of each share one link to it"))
        receiver = Receiver(self.history, self.world.services)
        self.cleaning.append(receiver.stop)
        events = (self.load_ends, self.stopping)
        self.owners, self.stations = [], []
        for city in self.world.cities.values():
            for number in range(2):
                owner = CityOwner(
                    city, self.searches, self.history, events, "%d %s %d" % (options.seed, city.name, number),
                    receiver.url)
                owner.lose_bike()
                self.owners.append(owner)
            self.stations += [
                CityStation(city, number, len(self.stations) + number, self.searches, self.history, self.load_ends,
                            options.seed, min(options.seconds, 600) / 30)
                for number in range(STATIONS)]
        self.lists = hostile.Lists(options.seed)
        self.cleaning.append(self.lists.stop)
        port = free_port()
        Link(network, ("127.0.0.1", port), self.lists.server_port, authority)
        url = "%s://localhost:%d" % (self.world.scheme, port)
        berlin = self.world.cities["Berlin"]
        self.bait = self.bait_of(berlin, events)
        self.mallory = hostile.Mallory(berlin, self.lists, url, {"listed": 2000, "visits": 5000}, options.seed)
        self.attack = hostile.Attack(self.mallory, self.bait, options.flood, options.seconds)
        world = self.world
        script = plan.script(
            options.seed, options.seconds, len(world.services), len(world.links), len(World.NAMES))
        self.disturbing = Disturbing(script, world, foreign, self.history, self.tell)

    def bait_of(self, city, events):
        """A bike that no station reports, only the hostile partner."""
        return CityOwner(city, Searches(), self.history, events, "bait", None).lose_bike()

    def run_all(self, steps):
        """Runs steps side by side; raises the first problem."""
        problems = []

        def guarded(step):
            try:
                step()
            except Exception as problem:
                problems.append(problem)

        threads = [threading.Thread(target=guarded, args=(step,)) for step in steps]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if problems:
            raise problems[0]

    def start(self, work, *given):
        def guarded():
            try:
                work(*given)
            except Stopped:
                pass
            except (Unexpected, KeyError, ValueError) as problem:
                self.unexpected.append("%s: %r" % (work.__qualname__, problem))

        thread = threading.Thread(target=guarded, daemon=True)
        self.threads.append(thread)
        thread.start()

    def load(self):
        for station in self.stations:
            self.start(station.report)
        for owner in self.owners[::2]:
            if owner.city.name != RESTORED:
                self.start(owner.live)
        self.start(self.attack.run, self.load_ends)
        threading.Thread(target=self.measure, daemon=True).start()
        if self.options.control:
            self.start(self.control)
        self.disturbing.start()
        self.cleaning.append(self.disturbing.stopping.set)
        self.disturbing.stopping.wait(self.options.seconds)
        self.disturbing.join()
        self.load_ends.set()
        for thread in self.threads:
            thread.join()
        self.tell("the load ends")

    def control(self):
        """Breaks a rule."""
        berlin, mallory = self.world.cities["Berlin"], self.mallory.again()
        if self.options.control == "invented":
            search = next(search for owner in self.owners if owner.city is berlin for search in owner.open)
            mallory.sent([mallory.signed(mallory.visit(search.identity))])
        while self.options.control == "lost" and not self.load_ends.wait(0.02):
            # Whatever waits for a partner vanishes.
            database = sqlite3.connect(berlin.folder / "registry.sqlite", timeout=5)
            with database:
                database.execute("DELETE FROM partner_outbox")
            database.close()
        while self.options.control == "twice" and not self.load_ends.wait(0.5):
            # A visit that a station has reported comes again, as if by another station.
            events = read(self.folder / "history")
            open_here = {search.report: search.identity for owner in self.owners if owner.city is berlin
                         for search in owner.open}
            told = [event for event in of(events, "delivered") if event["report"] in open_here]
            if told:
                visit = mallory.visit(open_here[told[0]["report"]])
                mallory.sent([mallory.signed(visit | {"id": told[0]["sighting"]})])
                return

    def measure(self):
        while not self.stopping.wait(1):
            for service in self.world.services:
                run, size = service.run, service.size()
                if size:
                    self.history.note("size", run=run, **size)

    def numbers(self, events):
        heard = of(events, "heard")
        waits = [event for event in heard if event["guest"] != event["home"]]
        return "answered: %d visits, %d of them of partners’ bikes, %d with the partner’s answer; %d alerts; %s" % (
            len(heard), len(waits), sum(event["told"] for event in waits), len(of(events, "delivered")),
            self.disturbing.numbers())


def check(options, folder, cleaning):
    """Runs the load, the faults and the attacks; returns the verdicts."""
    whole = Check(options, folder, cleaning)
    whole.begin()
    whole.load()
    events, verdicts = Ending(whole).verdicts()
    print("\n" + whole.numbers(events))
    for verdict in verdicts:
        print(verdict)
    return verdicts


def main():
    options = arguments()
    failures = (Unexpected, OSError, http.client.HTTPException)
    return running.run("partners", options, CONTROLS.get(options.control), check, failures)


if __name__ == "__main__":
    sys.exit(main())
