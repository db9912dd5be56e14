"""Simulated stations and owners of one city."""
import http.client
import random
import time

import shared
import missinglist
from owners import BIKE, Owner, Search
from web import Client, identifier

# A registry disputes what a station reports that hears more different bikes in an hour.
MOST_BIKES = 8


class CityOwner(Owner):
    """An owner whose searches stations of all cities may report."""

    def __init__(self, city, searches, history, stopping, seed, webhook):
        self.city, self.all_searches = city, searches
        super().__init__(city.port, city.ports, searches, history, stopping, seed, webhook)

    def lose_bike(self):
        bike = self.client.insist("POST", "/v1/bikes", BIKE, (201,)).json()
        # Yesterday: clocks may be wrong by hours.
        report = self.client.insist(
            "POST", "/v1/bikes/%s/reports" % bike["id"],
            {"missingSince": self.city.clock.text(-86_400), "policeReference": "4711/26"}, (201,)).json()
        search = Search(bike, report)
        search.home, search.hash = self.city.name, missinglist.hash_of(bike["identity"])
        self.history.note("opened", report=report["id"], home=search.home, owner=self.token, identity=bike["identity"])
        self.searches.add(search)
        self.open.append(search)
        return search

    def find_bike(self, search):
        self.history.note("closing", report=search.report)
        super().find_bike(search)


class CityStation:
    """A station that follows its registry's list, and reports bikes that are on it."""

    def __init__(self, city, number, slot, searches, history, load_ends, seed, arrivals):
        self.city, self.searches, self.history, self.load_ends = city, searches, history, load_ends
        self.chance = random.Random("%d %s %d" % (seed, city.name, number))
        # Seconds between two bikes that come by here for the first time.
        self.arrivals, self.next_arrival, self.near_hour = arrivals, 0.0, None
        self.near, self.known, self.clock = set(), [], None
        self.name = "%s %d" % (city.name, number)
        # Far enough from each other that sightings at two stations do not share an alert (AlertRules.samePlace).
        place = {"latitude": 51.5 + slot * 0.006, "longitude": -0.12, "accuracy": 10}
        invitation = city.operator.insist(
            "POST", "/v1/invitations", {"name": self.name, "place": place}, (201,)).json()
        enrolled = Client(city.port).insist(
            "POST", "/v1/station/enrolment", {"code": invitation["code"]}, (200, 201)).json()
        self.reporter = Client(city.port, enrolled["token"], load_ends)
        self.version = None
        # For each hash, since when it has been on this station's list, and when that was last read.
        self.listed, self.read_at = {}, 0.0

    def follow(self):
        """Reads the list's changes, if the registry answers."""
        headers = {"Accept": "application/vnd.findmybike.missing-list", "A_IM": "findmybike"}
        if self.version:
            headers["If_None_Match"] = '"%d-%016x"' % self.version[0]
        began = self.history.now()
        try:
            answer = self.reporter.call("GET", "/v1/missing", seconds=5, **headers)
        except (OSError, http.client.HTTPException):
            return
        if answer.status in (200, 226):
            try:
                self.version = missinglist.read(answer.body, self.version)
            except missinglist.Broken as problem:
                self.history.note("list broken", reader=self.name, problem=str(problem))
                self.version = None
                return
            self.listed = {value: self.listed.get(value, began) for value in self.version[1]}
        if answer.status in (200, 226, 304):
            self.read_at = began

    def heard(self):
        hour = int(time.time() // 3600)
        if hour != self.near_hour:
            self.near, self.near_hour = set(), hour
        listed = [search for search in self.searches.open() if search.hash in self.listed]
        strangers = [search for search in listed if search.report not in self.near]
        if strangers and len(self.near) < MOST_BIKES and time.monotonic() >= self.next_arrival:
            # Those of other cities are what this is about.
            foreign = [search for search in strangers if search.home != self.city.name]
            self.near.add(self.chance.choice(foreign or strangers).report)
            self.next_arrival = time.monotonic() + self.arrivals * self.chance.uniform(0.5, 1.5)
        near = [search for search in listed if search.report in self.near]
        return self.chance.sample(near, min(len(near), self.chance.randint(1, 3)))

    def report(self):
        """Posts batches of visits, each until it is answered."""
        while not self.load_ends.wait(self.chance.uniform(0.2, 0.6)):
            self.follow()
            clock = self.city.clock
            if clock.generation != self.clock:
                # Visits from before the clock was set have ended.
                self.clock, self.known = clock.generation, []
            visits = {}
            for search in self.heard():
                visit = self.visit(search, clock)
                visits[visit["id"]] = (search, visit)
            if visits:
                self.post(visits, clock.ahead)

    def visit(self, search, clock):
        earlier = [visit for of, visit in self.known if of is search]
        if earlier and self.chance.random() < 0.4:
            visit = dict(self.chance.choice(earlier), lastSeen=clock.text())
            visit["count"] += 1
            return visit
        moment = clock.text()
        visit = {"id": identifier(), "stay": identifier(), "identity": search.identity, "firstSeen": moment,
                 "lastSeen": moment, "count": 3, "measuredPower": -59, "proximity": "near", "ended": False}
        # Before it is sent: a registry that knows it without an answer has it from this station, too.
        self.history.note("reported", visit=visit["id"], report=search.report, station=self.name)
        return visit

    def post(self, visits, ahead):
        read_at, listed = self.read_at, self.listed
        answer = self.reporter.insist("POST", "/v1/sightings", {"visits": [visit for _, visit in visits.values()]})
        for result in answer.json()["results"]:
            search, visit = visits[result["id"]]
            if result["result"] != "invalid":
                self.history.note(
                    "heard", visit=visit["id"], report=search.report, home=search.home, guest=self.city.name,
                    station=self.name, told=result["result"] == "stored", ahead=ahead, read_at=read_at,
                    since=listed.get(search.hash, read_at))
                self.known = [*self.known[-30:], (search, visit)]
