"""The load over HTTP: stations and owners in front of a balancer, and what the registries say at the end."""
import hashlib
import http.client
import json
import socket
import threading
import time
import urllib.request

import invariants
import missinglist
from history import of, read
from machines import Failure
from owners import Owner, Searches
from registries import Registries
from stations import Station
from web import Client, Stopped, Unexpected
from webhooks import Receiver

STATIONS, OWNERS = 6, 3
# An alert whose registry died is claimed again when its lease ends, which takes up to a minute.
PATIENCE = 150


class HTTPWork:
    # The statuses with which a registry may end while the database is away: systemd starts it again.
    passing = (74, 75)

    def __init__(self, options, pair, folder, history):
        self.options, self.pair, self.folder, self.history = options, pair, folder, history
        database = "postgresql://findmybike@%s/findmybike" % ",".join(
            "127.0.0.1:%d" % port for port in pair.ports) if pair else folder / "registry.sqlite"
        durability = "single" if options.control == "asynchronous" else "standby"
        self.registries = Registries(
            options.programs, database, options.registries, folder, history, durability if pair else None)
        self.services = self.registries.services
        # Those that write end before those that read.
        self.load_ends, self.stopping = threading.Event(), threading.Event()
        self.searches, self.receiver = Searches(), None
        self.writers, self.readers, self.unexpected = [], [], []
        self.doubtful, self.erased = None, []

    def begin(self):
        operator = Client(self.registries.port, self.registries.start())
        self.receiver = Receiver(self.history, self.services)
        port, seed = self.registries.port, self.options.seed
        self.stations = [
            Station(number, port, self.registries.ports, operator, self.searches, self.history,
                    (self.load_ends, self.stopping), seed, min(self.options.seconds, 3600) / 8)
            for number in range(STATIONS)]
        self.owners = [self.owner("%d %d" % (seed, number), self.receiver.url) for number in range(OWNERS)]
        self.watched = [(owner, owner.lose_bike()) for owner in self.owners]
        for station in self.stations:
            self.start(self.writers, station.report)
            self.start(self.readers, station.follow)
        for owner, search in self.watched:
            self.start(self.writers, owner.live)
            self.start(self.writers, owner.change_tokens)
            self.start(self.readers, owner.watch, search)
        self.start(self.writers, self.erase_owners)
        self.start(self.readers, self.measure)
        self.start(self.readers, self.read)

    def owner(self, seed, webhook=None):
        return Owner(
            self.registries.port, self.registries.ports, self.searches, self.history, (self.load_ends, self.stopping),
            seed, webhook)

    def start(self, threads, work, *arguments):
        thread = threading.Thread(target=self.guarded, args=(work, *arguments), daemon=True)
        threads.append(thread)
        thread.start()

    def guarded(self, work, *arguments):
        """Keeps what ends a thread: an answer that the contract does not allow breaks a rule."""
        try:
            work(*arguments)
        except Stopped:
            pass
        except (Unexpected, KeyError, ValueError) as problem:
            self.unexpected.append("%s: %r" % (work.__qualname__, problem))

    def read(self):
        """Reads at the registry that is never killed, again and again: how long does it not answer?"""
        client = Client(self.registries.ports[-1], self.owners[0].token)
        while not self.stopping.wait(0.2):
            try:
                self.history.note("read", status=client.call("GET", "/v1/bikes").status)
            except (OSError, http.client.HTTPException):
                continue

    def measure(self):
        """Notes how large the registries are."""
        while not self.stopping.wait(1):
            for service in self.services:
                run, size = service.run, service.size()
                if size:
                    self.history.note("size", run=run, **size)

    def erase_owners(self):
        """Owners who come, lose a bike and have themselves erased."""
        number = 0
        while not self.load_ends.wait(4):
            number += 1
            owner = self.owner("%d erased %d" % (self.options.seed, number))
            # Until they are erased, their bike is searched for like any other.
            self.owners.append(owner)
            owner.lose_bike()
            self.load_ends.wait(2)
            # An erasure that is never answered may be done or not.
            self.owners.remove(owner)
            self.doubtful = owner
            owner.erase()
            self.erased.append(owner.id)
            self.doubtful = None

    def end(self):
        """Ends the load, and waits until alerts, trails and lists have caught up."""
        self.load_ends.set()
        for thread in self.writers:
            thread.join()
        self.registries.await_ready()
        self.stored = self.read_stored()
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            events = read(self.folder / "history")
            if self.alerts(events).holds and self.trails(events)[1].holds:
                break
            time.sleep(2)
        self.lists = [self.list_at(port) for port in self.registries.ports]
        self.journals = self.missing_in_journals() if self.pair else ()
        self.stopping.set()
        try:
            self.audit, self.audit_problem = self.registries.tool("audit", "verify").splitlines()[0], ()
        except Failure as problem:
            self.audit, self.audit_problem = "", (str(problem),)
        for service in self.services:
            service.stop()
            self.history.note("ended", run=service.run)

    def stop(self):
        self.load_ends.set()
        self.stopping.set()
        self.registries.stop()
        if self.receiver:
            self.receiver.stop()

    def read_stored(self):
        """What the API shows to the owners who were not erased."""
        stored = {"owner": set(), "bike": set(), "report": set(), "closure": set(), "sighting": set(), "identities": [],
                  "all identities": [], "trails": {}, "reports of": {}}
        for owner in self.remaining():
            client = Client(self.registries.port, owner.token)
            if client.insist("GET", "/v1/owner", expected=(200, 401)).status == 401:
                continue
            stored["owner"].add(owner.id)
            for bike in client.all("/v1/bikes"):
                stored["bike"].add(bike["id"])
                stored["all identities"].append(bike["identity"])
                for report in client.all("/v1/bikes/%s/reports" % bike["id"]):
                    stored["report"].add(report["id"])
                    stored["reports of"].setdefault(owner.token, set()).add(report["id"])
                    if "closure" in report:
                        stored["closure"].add(report["id"])
                    else:
                        stored["identities"].append(bike["identity"])
                    path = "/v1/bikes/%s/reports/%s/sightings" % (bike["id"], report["id"])
                    stored["sighting"].update(sighting["id"] for sighting in client.all(path))
        for owner, search in self.watched:
            path = "/v1/bikes/%s/reports/%s/sightings" % (search.bike, search.report)
            stored["trails"][search.report] = self.trail(path, owner.token)
        return stored

    def remaining(self):
        """The owners who are not erased."""
        if self.doubtful is None:
            return self.owners
        answer = Client(self.registries.port, self.doubtful.token).insist("GET", "/v1/owner", expected=(200, 401))
        return self.owners if answer.status == 401 else [*self.owners, self.doubtful]

    def trail(self, path, token):
        """All events of a search: what comes before two seconds of silence."""
        request = urllib.request.Request(
            "http://127.0.0.1:%d%s" % (self.registries.port, path),
            headers={"Authorization": "Bearer " + token, "Accept": "text/event-stream", "Last-Event-ID": "0"})
        events, number = [], None
        try:
            with urllib.request.urlopen(request, timeout=2) as response:
                for line in response:
                    if line.startswith(b"id: "):
                        number = int(line[4:])
                    elif line.startswith(b"data: "):
                        events.append((number, json.loads(line[6:])["id"]))
        except socket.timeout:
            pass
        return events

    def list_at(self, port):
        """The hashes that a registry lists, once they are those of the open searches, or at last."""
        wanted = sorted({missinglist.hash_of(identity) for identity in self.stored["identities"]})
        known = {missinglist.hash_of(identity) for identity in self.stored["all identities"]}
        client = Client(port, self.stations[0].reporter.token)
        for _ in range(40):
            answer = client.call("GET", "/v1/missing", Accept="application/vnd.findmybike.missing-list")
            hashes = missinglist.read(answer.body)[1] if answer.status == 200 else None
            # Once ten bikes are missing, the list has a canary: one identity that belongs to no bike.
            strange = [value for value in hashes or () if value not in known]
            if len(strange) == 1:
                hashes = [value for value in hashes if value != strange[0]]
            if hashes == wanted:
                break
            time.sleep(0.5)
        return hashes, wanted

    def missing_in_journals(self):
        """For each registry what its journals do not contain: they are written within some seconds."""
        wanted = {"erasures": set(self.erased), "revocations": {
            hashlib.sha256(token.encode()).hexdigest() for owner in self.owners for token in owner.revoked}}
        for _ in range(40):
            missing = [
                "%s: %d %s" % (service.name, len(lines - self.registries.journal(service, kind)), kind)
                if lines - self.registries.journal(service, kind) else ""
                for service in self.services for kind, lines in wanted.items()]
            if not any(missing):
                break
            time.sleep(0.5)
        return missing

    def alerts(self, events):
        """At each station, the first sighting in a search is announced at once."""
        told = {report for owner in self.owners[:OWNERS]
                for report in self.stored["reports of"].get(owner.token, ())}
        expected = {(event["report"], event["station"]) for event in of(events, "answered", kind="sighting")
                    if event["report"] in told}
        arrived = {(event["report"], event["station"]) for event in of(events, "delivered")}
        return invariants.Verdict("every alert was delivered", len(expected), tuple(expected - arrived))

    def trails(self, events):
        return invariants.trails(events, self.stored["trails"])

    def kept(self, events):
        """The events of owners who were not erased."""
        mine = {owner.token for owner in self.owners}
        return [event for event in events if event["event"] != "answered"
                or event.get("owner") in mine or event.get("report") in self.stored["report"]]

    def verdicts(self, events):
        kept = self.kept(events)
        not_stored = [
            "%(id)s of report %(report)s: %(result)s" % event for event in of(events, "not stored")]
        broken = ["%(reader)s: %(problem)s" % event for event in of(events, "list broken")]
        return [
            *(invariants.answered_writes(kept, kind, self.stored[kind])
              for kind in ("owner", "bike", "report", "closure", "sighting")),
            invariants.Verdict("visits to open searches are stored", len(of(events, "answered", kind="sighting")),
                               tuple(not_stored)),
            invariants.Verdict("every list and every delta can be read", len(of(events, "list")), tuple(broken)),
            invariants.never_back(events, "list", "reader", "version"),
            invariants.one_content(events),
            invariants.Verdict("all registries list the open searches", len(self.lists), tuple(
                "%s hashes in place of %d" % (hashes and len(hashes), len(wanted))
                for hashes, wanted in self.lists if hashes != wanted)),
            *self.trails(events),
            self.alerts(events),
            invariants.explained_repeats(events),
            invariants.dead_after(events, "revocation"),
            invariants.dead_after(events, "erasure of the owner"),
            invariants.Verdict("every journal has what was erased and revoked", len(self.journals),
                               tuple(text for text in self.journals if text)),
            invariants.Verdict("audit verify: " + self.audit, 1, self.audit_problem),
            invariants.Verdict("the contract allows every answer", len(self.writers) + len(self.readers),
                               tuple(self.unexpected)),
            self.registries.answers(),
            invariants.bounded(events),
        ]

    def numbers_of(self, events):
        """What the run did, in one line."""
        sightings, lists = of(events, "answered", kind="sighting"), of(events, "list")
        clients = [owner.client for owner in self.owners] + [station.reporter for station in self.stations]
        return "; ".join((
            "answered: %d visits, %d reports, %d closures" % (
                len(sightings), len(of(events, "answered", kind="report")),
                len(of(events, "answered", kind="closure"))),
            "%d calls repeated" % sum(client.repeats for client in clients),
            "%d lists read, %d of them in place of a delta" % (
                len(lists), sum(1 for event in lists if event["full"] and event["again"])),
            "%d events of trails" % len(of(events, "trail")), "%d alerts" % len(of(events, "delivered"))))
