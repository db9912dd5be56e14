"""The calls: first what makes stations, owners and bikes, then random ones."""
import datetime
import random

UUID = "494E5445-4C4C-495F-524F-434B535F4857"
STATIONS, OWNERS, BIKES = 6, 8, 5


class Call:
    """One call. Names between angle brackets stand for what each registry has made itself."""

    def __init__(self, kind, method, path, body=None, token=None, keeps=None, keeps_tag=None, **headers):
        self.kind, self.method, self.path, self.body, self.token = kind, method, path, body, token
        # The names of parts of the answer, each with the path to it.
        self.keeps, self.keeps_tag = keeps or {}, keeps_tag
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


def script(seed, number):
    yield from preparation()
    yield from Script(seed).calls(number)


def preparation():
    for station in range(STATIONS):
        place = {"latitude": 51.5 + station / 50, "longitude": -0.12, "accuracy": 10}
        body = {"name": "Station %d" % station, "venue": "Venue %d" % (station // 2), "place": place}
        if station == STATIONS - 1:
            body["mobile"] = True
        yield Call("invitation", "POST", "/v1/invitations", body, "operator", {"invitation%d" % station: ["code"]})
        yield Call(
            "enrolment", "POST", "/v1/station/enrolment", {"code": "<invitation%d>" % station},
            keeps={"station%d" % station: ["token"], "place%d" % station: ["station", "id"]})
    for owner in range(OWNERS):
        yield Call("owner", "POST", "/v1/owners", {}, keeps={
            "owner%d" % owner: ["token"]})
        for channel in range(owner % 3):
            # Nobody listens there.
            yield Call(
                "channel", "POST", "/v1/channels", {"kind": "webhook", "url": "http://127.0.0.1:9/%d" % channel},
                "owner%d" % owner)
        for bike in range(owner * BIKES, owner * BIKES + BIKES):
            body = {
                "kind": "bicycle", "make": "Brompton", "model": "C Line %d" % bike, "colours": ["green"],
                "identity": identity(bike)}
            yield Call("bike", "POST", "/v1/bikes", body, "owner%d" % owner, {"bike%d" % bike: ["id"]})
            yield Call(
                "claim", "PUT", "/v1/claims/<bike%d>/acceptance" % bike, {"identity": identity(bike)}, "operator")
            if bike % 5 != 4:
                yield report(bike)


def identity(bike):
    return {"uuid": UUID, "major": 7, "minor": 100 + bike}


# The identities of bikes.
OWN = [identity(bike) for bike in range(OWNERS * BIKES)]


def report(bike):
    return Call(
        "report", "POST", "/v1/bikes/<bike%d>/reports" % bike,
        {"policeReference": "CRIME-%d" % bike, "missingSince": text(now() - datetime.timedelta(days=10))}, "owner%d" % (bike // BIKES),
        {"report%d" % bike: ["id"]})


def now():
    return datetime.datetime.now(datetime.timezone.utc)


def text(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (moment.microsecond // 1000)


MOMENT = datetime.timedelta(milliseconds=2)


class Script:
    def __init__(self, seed):
        self.chance, self.number = random.Random("differential %d" % seed), 0
        # When other calls were under way. One registry gets such a call some milliseconds after the other.
        self.others = []
        # The visits that each station has reported.
        self.visits = {station: [] for station in range(STATIONS)}

    def calls(self, number):
        kinds = [
            (52, self.report_visits), (8, self.report_wrongly), (14, self.read_trail), (5, self.read), (4, self.close),
            (5, self.reopen), (3, self.judge), (3, self.heartbeat), (2, self.test), (2, self.change), (2, self.operate)]
        makers = [maker for _, maker in kinds]
        made = 0
        while made < number:
            calls = self.chance.choices(makers, [weight for weight, _ in kinds])[0]()
            for call in calls if isinstance(calls, list) else [calls]:
                begin = now()
                yield call
                made += 1
                if call.kind != "visits":
                    self.others.append((begin - MOMENT, now() + MOMENT))

    def time(self, seconds):
        """A time that both registries put before, or both after each other call."""
        moment = now() + datetime.timedelta(seconds=seconds)
        for begin, end in reversed(self.others):
            if begin <= moment <= end:
                moment = begin - MOMENT
        return text(moment)

    def bike(self):
        return self.chance.randrange(OWNERS * BIKES)

    def report_visits(self):
        station = self.chance.randrange(STATIONS)
        count = 1 if self.chance.random() < 0.5 else self.chance.randint(2, 40)
        visits = [self.visit(station) for _ in range(count)]
        if self.chance.random() < 0.1:
            visits += self.chance.sample(visits, min(3, len(visits)))
        self.chance.shuffle(visits)
        return Call("visits", "POST", "/v1/sightings", {"visits": visits}, "station%d" % station)

    def visit(self, station):
        known, chance = self.visits[station], self.chance
        visit = dict(chance.choice(known)) if known and chance.random() < 0.45 else self.new_visit()
        kind = chance.randrange(24)
        # What depends on the time of arrival is not reported again: the registries get it some milliseconds apart.
        is_repeatable = kind not in (10, 13, 17)
        if kind < 6:
            visit["lastSeen"], visit["count"] = self.time(chance.uniform(-60, 0)), visit["count"] + chance.randrange(9)
        elif kind < 8:
            visit["ended"] = True
        elif kind == 8:
            visit["identity"] = identity(self.bike())
        elif kind == 9:
            visit["stay"] = self.identifier(2)
        elif kind == 10:
            visit["confirmation"] = {
                "answer": chance.choice(["seen", "absent"]), "time": self.time(chance.uniform(-600, 900))}
        elif kind == 11:
            visit["place"] = {"latitude": 51.5 + chance.randrange(9) / 20, "longitude": -0.12, "accuracy": 20}
        elif kind == 12:
            visit["timeUncertain"] = chance.random() < 0.7
        elif kind == 13:
            # Days ago, where no other visit comes before or after it by some milliseconds.
            visit["secondsAgo"] = 977 * chance.randrange(270, 800)
        elif kind == 14:
            visit["receiver"] = chance.choice([
                {"name": "yard"}, {"name": "door", "place": {"latitude": 51.5, "longitude": -0.12}}, {"name": ""}, 3])
        elif kind == 15:
            visit["rssi"] = chance.choice([None, {"min": -95, "max": -40}, {"min": -40, "max": -95}])
        elif kind == 16:
            visit["measuredPower"], visit["proximity"] = chance.choice([(-70, "immediate"), (300, "x"), (20, "far")])
        elif kind == 17:
            # Within what is accepted, in the future, too old, and too long.
            visit["lastSeen"] = self.time(chance.choice([200, 4000, -40 * 86400, 0]))
            visit["firstSeen"] = self.time(chance.choice([100, -41 * 86400, -30 * 3600]))
        elif kind == 18:
            visit["later"] = "a field of a newer station"
        if is_repeatable:
            known.append(visit)
        return visit

    def new_visit(self):
        chance = self.chance
        first = chance.choice([-20, -120, -900, -3000, -5000, -9000])
        last = min(first + chance.choice([0, 10, 300, 1500]), 0)
        visit = {
            "id": self.identifier(1),
            "stay": self.identifier(2) if chance.random() < 0.8 else stay(chance.randrange(20)),
            "identity": identity(chance.randrange(OWNERS * BIKES + 6)),
            "firstSeen": self.time(first), "lastSeen": self.time(last),
            "count": chance.randint(1, 90), "rssi": {"min": -chance.randint(70, 99), "max": -chance.randint(40, 70)},
            "measuredPower": -59, "proximity": chance.choice(["immediate", "near", "far", "unknown"]), "ended": False}
        for name in ("rssi", "count", "measuredPower", "proximity"):
            if chance.random() < 0.03 and name != "count":
                del visit[name]
        return visit

    def identifier(self, kind):
        self.number += 1
        return "00000000-0000-7000-8%03x-%012x" % (kind, self.number)

    def report_wrongly(self):
        chance = self.chance
        station = "station%d" % chance.randrange(STATIONS)
        visit = self.new_visit()
        wrong = chance.randrange(10)
        if wrong == 0:
            return Call("wrong visits", "POST", "/v1/sightings", '{"visits":[', station)
        if wrong == 1:
            return Call("wrong visits", "POST", "/v1/sightings", {"visits": [visit] * 501}, station)
        if wrong == 2:
            token = chance.choice([None, "owner0", "operator"])
            return Call("wrong visits", "POST", "/v1/sightings", {"visits": [visit]}, token)
        if wrong == 3:
            return Call("wrong visits", "POST", "/v1/sightings", "visits", station, Content_Type="text/plain")
        if wrong == 4:
            visits = chance.choice([[], {}, None, "x"])
            return Call("wrong visits", "POST", "/v1/sightings", {"visits": visits}, station)
        visits = [self.new_visit() for _ in range(chance.randint(1, 30))]
        for visit in visits:
            if chance.random() < 0.7:
                name = chance.choice(["id", "stay", "identity", "firstSeen", "lastSeen", "secondsAgo", "place"])
                visit[name] = chance.choice([None, "", 7, {}, [], "2026-13-01T00:00:00Z", {"major": -1}])
        visits.append(chance.choice([3, None, visits[0]]))
        return Call("wrong visits", "POST", "/v1/sightings", {"visits": visits}, station)

    def trail(self, bike):
        return "/v1/bikes/<bike%d>/reports/<report%d>/sightings" % (bike, bike)

    def read_trail(self):
        bike, chance = self.bike(), self.chance
        accept = chance.choice([
            "application/json", "application/json", "application/json", "text/csv", "application/gpx+xml",
            "application/geo+json"])
        limit = chance.choice(["", "?limit=3", "?limit=100"])
        # Sometimes somebody else's.
        owner = bike // BIKES if chance.random() < 0.95 else chance.randrange(OWNERS)
        return Call("trail", "GET", self.trail(bike) + limit, token="owner%d" % owner, Accept=accept)

    def read(self):
        bike = self.bike()
        owner = "owner%d" % (bike // BIKES)
        path, token = self.chance.choice([
            ("/v1/bikes/<bike%d>" % bike, owner), ("/v1/bikes", owner), ("/v1/owner/export", owner),
            ("/v1/bikes/<bike%d>/reports" % bike, owner), ("/v1/bikes/<bike%d>/history" % bike, owner),
            ("/v1/bikes/<bike%d>/reports/<report%d>/stations" % (bike, bike), owner),
            ("/v1/missing", "station0"), ("/v1/missing", owner), ("/v1/audit?limit=100", "operator"),
            ("/v1/stations", "operator"), ("/v1/station/coverage", "station1"), ("/openapi.json", None)])
        return Call("read", "GET", path, token=token)

    def close(self):
        bike = self.bike()
        return Call(
            "closure", "POST", "/v1/bikes/<bike%d>/reports/<report%d>/closure" % (bike, bike),
            {"outcome": "recovered", "recoveredBy": self.chance.choice(["police", "owner", "nobody"])},
            "owner%d" % (bike // BIKES))

    def reopen(self):
        return report(self.bike())

    def judge(self):
        chance = self.chance
        known = [visit for visits in self.visits.values() for visit in visits if visit["identity"] in OWN]
        visit = chance.choice(known or [self.new_visit()])
        bike = (visit["identity"]["minor"] - 100) % (OWNERS * BIKES)
        act = chance.choice(["dismissal", "acknowledgement"])
        path = "%s/%s/%s" % (self.trail(bike), visit["id"], act)
        return Call("judgement", "POST", path, {}, "owner%d" % (bike // BIKES))

    def heartbeat(self):
        chance = self.chance
        begins = now() - datetime.timedelta(minutes=15 * chance.randint(2, 8))
        begins = begins.replace(minute=begins.minute // 15 * 15, second=0).strftime("%Y-%m-%dT%H:%M:%SZ")
        body = {"version": "1.0.0", "adapters": [{"name": "hci0", "state": "scanning"}]}
        if chance.random() < 0.7:
            body["coverage"] = [{
                "begins": begins, "listened": chance.choice([900, 400]), "adverts": 12, "devices": 3, "restarts": 0}]
        return Call("heartbeat", "PUT", "/v1/station/heartbeat", body, "station%d" % chance.randrange(STATIONS))

    def test(self):
        bike = self.bike()
        return Call("test", "POST", "/v1/bikes/<bike%d>/beacon/test" % bike, {}, "owner%d" % (bike // BIKES))

    def change(self):
        bike = self.bike()
        patch = self.chance.choice([{"colours": ["red", "blue"]}, {"notes": "x" * 20}, {"make": ""}, {"model": "T"}])
        return self.changed("/v1/bikes/<bike%d>" % bike, patch, "owner%d" % (bike // BIKES))

    def changed(self, path, patch, token):
        return [
            Call("read", "GET", path, token=token, keeps_tag="tag"),
            Call("change", "PATCH", path, patch, token, If_Match="<tag>" if self.chance.random() < 0.9 else '"x"')]

    def operate(self):
        # No other place or venue: then sightings are judged again beside the calls, in each registry at another time.
        station = self.chance.randrange(STATIONS)
        patch = self.chance.choice([{"name": "Renamed %d" % self.chance.randrange(9)}, {"name": ""}])
        return self.changed("/v1/stations/<place%d>" % station, patch, "operator")


def stay(number):
    return "00000000-0000-7000-8003-%012x" % number
