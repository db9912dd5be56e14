"""Simulated stations: they report visits of missing bikes, and follow the missing list."""
import hashlib
import http.client
import itertools
import random
import time

import missinglist
from web import Client, identifier, now


class Station:
    """One station with its token; `searches` are the searches that are open."""

    def __init__(self, number, port, direct, operator, searches, history, stopping, seed, arrivals):
        # Seconds between two bikes that come by here for the first time.
        self.number, self.searches, self.history, self.arrivals = number, searches, history, arrivals
        # When to report no more, and when to follow the list no more.
        self.load_ends, self.stopping = stopping
        self.chance = random.Random("%d station %d" % (seed, number))
        place = {"latitude": 51.5 + number / 20, "longitude": -0.12, "accuracy": 10}
        invitation = operator.insist(
            "POST", "/v1/invitations", {"name": "Station %d" % number, "place": place}, (201,)).json()
        enrolled = Client(port).insist("POST", "/v1/station/enrolment", {"code": invitation["code"]}, (200, 201)).json()
        self.reporter = Client(port, enrolled["token"], self.load_ends)
        # Half of them follow the list at each registry in turn, none of which may be behind another.
        ports = direct if number % 2 else [port]
        self.followers = [Client(port, enrolled["token"], self.stopping) for port in ports]
        self.id = enrolled["station"]["id"]
        self.known, self.version = [], None
        self.area, self.hour, self.next_arrival = set(), None, 0.0

    def near(self):
        """The open searches whose bikes pass here. A new one comes from time to time.

        There are at most ten in an hour: the registry disputes what a station says that hears too large a share of all.
        """
        hour = int(time.time() // 3600)
        if hour != self.hour:
            self.area, self.hour = set(), hour
        searches = self.searches.open()
        strangers = [search for search in searches if search.report not in self.area]
        if strangers and len(self.area) < 10 and time.monotonic() >= self.next_arrival:
            # The first ones are searched for longest.
            self.area.add(strangers[0 if len(self.area) < 2 else self.chance.randrange(len(strangers))].report)
            self.next_arrival = time.monotonic() + self.arrivals * self.chance.uniform(0.5, 1.5)
        near = [search for search in searches if search.report in self.area]
        return self.chance.sample(near, min(len(near), self.chance.randint(1, 3)))

    def report(self):
        """Posts batches of visits, each until it is answered."""
        while not self.load_ends.wait(self.chance.uniform(0.3, 0.9)):
            heard = self.near()
            visits = {}
            for search in heard:
                earlier = [entry for entry in self.known if entry[0] is search]
                if earlier and self.chance.random() < 0.3:
                    visit = dict(self.chance.choice(earlier)[1], lastSeen=now())
                    visit["count"] += 1
                else:
                    moment = now()
                    visit = {
                        "id": identifier(), "stay": identifier(), "identity": search.identity, "firstSeen": moment,
                        "lastSeen": moment, "count": 3, "measuredPower": -59, "proximity": "near", "ended": False}
                visits[visit["id"]] = (search, visit)
            if not visits:
                continue
            batch = {"visits": [visit for _, visit in visits.values()]}
            answer = self.reporter.insist("POST", "/v1/sightings", batch).json()
            for result in answer["results"]:
                search, visit = visits[result["id"]]
                if result["result"] == "stored":
                    self.history.note(
                        "answered", kind="sighting", ids=[visit["id"]], report=search.report, station=self.id)
                    self.known = [*self.known[-30:], (search, visit)]
                elif search.is_open:
                    self.history.note("not stored", id=visit["id"], report=search.report, result=result["result"])

    def follow(self):
        """Waits for changes of the list, and applies them."""
        for follower in itertools.cycle(self.followers):
            if self.stopping.is_set():
                return
            headers = {"Accept": "application/vnd.findmybike.missing-list", "A_IM": "findmybike",
                       "Prefer": "wait=%d" % (15 if len(self.followers) == 1 else 2)}
            if self.version:
                headers["If_None_Match"] = '"%d-%016x"' % self.version[0]
            try:
                answer = follower.call("GET", "/v1/missing", seconds=30, **headers)
            except (OSError, http.client.HTTPException):
                self.stopping.wait(0.3)
                continue
            if answer.status in (200, 226):
                self.apply(answer)
            elif answer.status != 304:
                # 409: the balancer has not closed an earlier request yet.
                self.stopping.wait(0.3)

    def apply(self, answer):
        try:
            version, hashes = missinglist.read(answer.body, self.version)
        except missinglist.Broken as problem:
            self.history.note("list broken", reader=self.id, problem=str(problem))
            self.version = None
            return
        digest = hashlib.sha256(repr(hashes).encode()).hexdigest()[:16]
        self.history.note("list", reader=self.id, version=version[0], mark=version[1], digest=digest,
                          full=answer.status == 200, again=self.version is not None)
        self.version = (version, hashes)
