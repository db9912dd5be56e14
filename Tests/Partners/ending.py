"""The end of a run: everything arrives, and the rules are judged."""
import threading
import time

import hostile
import rules
import shared
import missinglist
from history import of, read
from invariants import Verdict, bounded, ended_by_themselves, explained_repeats
from machines import Failure
from web import Client

# After the load, retries that were put off for long are due at once, since a day passes. Lists are asked for again after
# 64 seconds at most.
PATIENCE = 150
# Seconds that a delivery may take while everything starts again at once.
UNDER_WAY = 15.0


class Ending:
    """Judges a run of `check`."""

    def __init__(self, check):
        self.check = check

    def verdicts(self):
        """Waits until everything has arrived; returns the verdicts."""
        world = self.check.world
        world.heal()
        quarantine = self.stop_mallory()
        self.check.disturbing.advance(self.check.disturbing.names, 86_400)
        # What a registry does once in a minute, it also does when it starts, such as recording visits that have grown.
        for service in world.services:
            service.kill()
        for city in world.cities.values():
            city.await_ready()
        # Those that were killed have kept the reading of lists for themselves, for 75 seconds.
        self.check.disturbing.advance(self.check.disturbing.names, 600)
        # What a control has broken does not arrive.
        deadline = time.monotonic() + (30 if self.check.options.control else PATIENCE)
        while True:
            self.stored, self.open_hashes = self.read_stored()
            events = read(self.check.folder / "history")
            verdicts = [rules.arrived(events, self.stored), rules.told(events, self.stored), self.lists_verdict(),
                        self.outboxes()]
            if all(verdict.holds for verdict in verdicts) or time.monotonic() > deadline:
                break
            time.sleep(1)
        has_arrived = all(verdict.holds for verdict in verdicts)
        self.check.tell("everything has arrived" if has_arrived else "not everything arrives")
        self.check.stopping.set()
        audits = [self.audit(city) for city in world.cities.values()]
        for service in world.services:
            service.stop()
            self.check.history.note("ended", run=service.run)
        events = read(self.check.folder / "history")
        return events, [
            *verdicts, rules.witnessed(events, self.stored), rules.announced_once(events),
            explained_repeats(events, UNDER_WAY),
            *quarantine,
            Verdict("the hostile partner gets the answers that are due", self.check.attack.tried,
                    tuple(self.check.attack.found)),
            Verdict("every list and every delta can be read", len(self.check.stations), tuple(
                "%(reader)s: %(problem)s" % event for event in of(events, "list broken"))),
            self.limit(), *audits,
            Verdict("the contract allows every answer", len(self.check.threads), tuple(self.check.unexpected)),
            *(city.answers() for city in world.cities.values()), ended_by_themselves(events, (74, 75)), bounded(events)]

    def stop_mallory(self):
        """Suspends the hostile partner and disputes all that it said."""
        city, bait = self.check.world.cities["Berlin"], self.check.bait
        stations = city.partner(hostile.NAME)["received"]["stations"]
        since = city.clock.text(-40 * 86_400)
        city.change(hostile.NAME, {"suspended": True}, "?quarantineSince=" + since)
        owner = next(event["owner"] for event in of(read(self.check.folder / "history"), "opened", report=bait.report))
        path = "/v1/bikes/%s/reports/%s/sightings" % (bait.bike, bait.report)
        deadline = time.monotonic() + 30
        while True:
            sightings = Client(city.port, owner).all(path)
            trusted = [sighting["id"] for sighting in sightings if sighting["level"] != "disputed"]
            if not trusted or time.monotonic() > deadline:
                break
            time.sleep(0.5)
        return [Verdict("all that a partner invented can be disputed", len(sightings), tuple(trusted)),
                Verdict("a partner’s stations are bounded", stations,
                        ("%d stations" % stations,) if stations > 5000 else ())]

    def limit(self):
        """The hostile partner's visits of each hour are limited: 5,000, counted anew after the clock was set."""
        clocks_set = len(of(read(self.check.folder / "history"), "clock", city="Berlin"))
        most, attack = 5000 * (2 + clocks_set), self.check.attack
        return Verdict("of a flood (%d refused), only so much is taken" % attack.refused, attack.taken,
                       ("%d visits" % attack.taken,) if attack.taken > most else ())

    def read_stored(self):
        """All sightings that owners see, and the hashes of all open searches."""
        stored, hashes = {}, []
        for owner in self.check.owners:
            client = Client(owner.city.port, owner.token)
            for bike in client.all("/v1/bikes"):
                for report in client.all("/v1/bikes/%s/reports" % bike["id"]):
                    if "closure" not in report:
                        hashes.append(missinglist.hash_of(bike["identity"]))
                    path = "/v1/bikes/%s/reports/%s/sightings" % (bike["id"], report["id"])
                    for sighting in client.all(path):
                        stored[sighting["id"]] = sighting
            client.close()
        return stored, sorted(hashes + [self.check.bait.hash])

    def lists_verdict(self):
        """Every station searches for all missing bikes, and for nothing else."""
        broken = []
        for station in self.check.stations:
            station.load_ends = threading.Event()
            station.reporter.stopping = station.load_ends
            station.follow()
            hashes = station.version[1] if station.version else []
            if hashes != self.open_hashes:
                broken.append("%s: %d too many, %d missing" % (
                    station.name, len(set(hashes) - set(self.open_hashes)), len(set(self.open_hashes) - set(hashes))))
        return Verdict("all stations search for all bikes", len(self.open_hashes), tuple(broken))

    def outboxes(self):
        broken, count = [], 0
        for city in self.check.world.cities.values():
            for partner in city.operator.all("/v1/partners"):
                if partner["name"] != hostile.NAME:
                    count += sum(partner["sent"][what] for what in ("stored", "ignored"))
                    if partner["sent"]["waiting"] or partner["sent"]["refused"]:
                        broken.append("%s for %s: %s" % (city.name, partner["name"], partner["sent"]))
        return Verdict("nothing waits, and nothing was refused", count, tuple(broken))

    def audit(self, city):
        try:
            return Verdict("%s: audit verify" % city.name, int(bool(city.tool("audit", "verify"))))
        except Failure as problem:
            return Verdict("%s: audit verify" % city.name, 1, (str(problem),))
