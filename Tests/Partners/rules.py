"""What must hold after any faults: pure functions of the recorded history and of what is stored at the end.

Each one returns a `Verdict`.
"""
import collections

import shared
from history import of
from invariants import Verdict

# The process that has not read a partner's list itself learns of it within seconds, also on a busy machine.
KNOWN_EVERYWHERE = 5.0


class Excuses:
    """The times in which a visit may be lost, by what operators did or by a restored backup."""

    def __init__(self, events):
        self.restored = [(event["city"], event["since"], event["at"]) for event in of(events, "backup restored")]
        self.suspended = self.spans(events, "suspending", "resumed")
        self.removed = self.spans(events, "removing", "joined")
        self.closing = {event["report"]: event["at"] for event in of(events, "closing")}
        self.clocks = of(events, "clock")
        # When each visit was heard first, and when the home registry's answer about it.
        self.heard, self.told = {}, {}
        for event in of(events, "heard"):
            self.heard.setdefault(event["visit"], event["at"])
            if event["told"]:
                self.told.setdefault(event["visit"], event["at"])

    @staticmethod
    def spans(events, begin, end):
        """(city, partner, since, until) for each time between two events."""
        spans, since = [], {}
        for event in events:
            if event["event"] == begin:
                since[event["city"], event["partner"]] = event["at"]
            elif event["event"] == end and (event["city"], event["partner"]) in since:
                spans.append((event["city"], event["partner"], since.pop((event["city"], event["partner"])), event["at"]))
        return spans + [(*pair, at, float("inf")) for pair, at in since.items()]

    def ahead(self, city, at):
        """By how much a city's clock was ahead of this machine's."""
        return next((event["ahead"] for event in reversed(self.clocks)
                     if event["city"] == city and event["at"] <= at), 0.0)

    def excuses(self, heard):
        """Whether the visit of this answer need not be at its home registry."""
        at, guest, home = heard["at"], heard["guest"], heard["home"]
        told = heard["told"]
        closing = self.closing.get(heard["report"])
        if closing is not None and (at >= closing or heard["ahead"] != self.ahead(home, closing)):
            return True
        for city, since, until in self.restored:
            # The guest remembers answers: this one may be from before the restore, and then the visit is lost with
            # what was stored after the backup.
            if city == home != guest and told and self.heard[heard["visit"]] <= until <= at \
                    and not self.told[heard["visit"]] < since:
                return True
            # What waited at its guest may have arrived after the backup. A report is answered up to seconds after it
            # has arrived, but never before the list was read.
            if city == home and heard["read_at"] <= until and not (at < since and told):
                return True
            if city == guest and since <= at and heard["read_at"] <= until and not told:
                return True
        if guest == home:
            return False
        if heard["since"] + KNOWN_EVERYWHERE > at:
            return True
        # The guest has stopped; the station’s list may be older.
        if any((city, partner) == (guest, home) and since <= at and heard["read_at"] <= until
               for city, partner, since, until in self.suspended):
            return True
        # What waits is deleted with the partnership.
        return any({city, partner} == {guest, home} and heard["read_at"] <= until and not told
                   for city, partner, _, until in self.removed)

    def forgotten(self, home, at):
        """Whether a home registry was restored to a state before this time."""
        return any(city == home and since <= at <= until for city, since, until in self.restored)


def demanded(events):
    """For each visit that must be at its home registry, one of its answers."""
    excuses = Excuses(events)
    return {event["visit"]: event for event in of(events, "heard") if not excuses.excuses(event)}


def arrived(events, stored):
    """Every visit that a station was answered is stored at its home registry."""
    wanted = demanded(events)
    return Verdict("every answered visit is at home", len(wanted), tuple(
        "%(visit)s to %(report)s, by %(station)s at %(at).3f, of %(home)s" % event
        for visit, event in wanted.items() if visit not in stored))


def names_of(station, guest, home):
    """What a station is called at a home registry."""
    return station if guest == home else "%s (via %s)" % (station, guest)


def witnessed(events, stored):
    """No sighting without a station that has reported it."""
    reported = {event["visit"]: event for event in of(events, "reported")}
    broken = []
    for visit, sighting in stored.items():
        event = reported.get(visit)
        if event is None:
            broken.append("%s of %s: nobody reported it" % (visit, sighting["station"]["name"]))
        elif event["report"] != sighting["report"]:
            broken.append("%s of %s: reported for %s, stored for %s" % (
                visit, sighting["station"]["name"], event["report"], sighting["report"]))
        elif sighting["station"]["name"].partition(" (via ")[0] != event["station"]:
            broken.append("%s: of %s in place of %s" % (visit, sighting["station"]["name"], event["station"]))
    return Verdict("no sighting without a station", len(stored), tuple(broken))


def told(events, stored):
    """The first sighting at each station is announced; one that came late may be announced with others."""
    wanted, late = set(), set()
    for visit, event in demanded(events).items():
        sighting = stored.get(visit)
        if sighting is None:
            continue
        if sighting["late"]:
            late.add(event["report"])
        else:
            wanted.add((event["report"], names_of(event["station"], event["guest"], event["home"])))
    deliveries = of(events, "delivered")
    known = {(event["report"], event["name"]) for event in deliveries}
    reports = {event["report"] for event in deliveries}
    missing = [*(wanted - known), *(late - reports)]
    return Verdict("every alert was delivered", len(wanted) + len(late), tuple(map(str, missing)))


def announced_once(events):
    """No visit is announced twice, unless its registry has forgotten the first time with a restored backup, or the
    partnership has ended in between: then it comes from another station. An alert may be delivered long after it was made,
    so the partnership is that in which its station was announced first."""
    excuses = Excuses(events)
    homes = {event["report"]: event["home"] for event in of(events, "opened")}
    guests = {event["visit"]: event["guest"] for event in of(events, "heard")}
    began = {}
    for event in of(events, "delivered"):
        began.setdefault(event["station"], event["at"])
    alerts = collections.defaultdict(set)
    for event in of(events, "delivered", type="sighting.created"):
        home, guest = homes.get(event["report"]), guests.get(event["sighting"])
        if not excuses.forgotten(home, event["at"]):
            partnership = sum({again["city"], again["partner"]} == {home, guest} and again["at"] <= began[event["station"]]
                              for again in of(events, "joining"))
            alerts[event["report"], event["sighting"], partnership].add(event["alert"])
    return Verdict("no visit is announced twice", len(alerts), tuple(
        "%s of %s: %d alerts" % (visit, report, len(found))
        for (report, visit, _), found in alerts.items() if len(found) > 1))
