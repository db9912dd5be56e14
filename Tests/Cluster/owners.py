"""Simulated owners: bikes are lost and found, tokens revoked, owners erased, and trails followed live."""
import http.client
import json
import random
import threading

from web import Client, Unexpected

BIKE = {"kind": "bicycle", "make": "Brompton", "model": "C Line", "colours": ["green"]}


class Search:
    """A bike with an open report."""

    def __init__(self, bike, report):
        self.bike, self.identity, self.report = bike["id"], bike["identity"], report["id"]
        self.is_open = True


class Searches:
    """The searches that stations may report visits to."""

    def __init__(self):
        self.lock, self.items = threading.Lock(), []

    def add(self, search):
        with self.lock:
            self.items.append(search)

    def end(self, search):
        """Before the report is closed: from now on nobody knows whether a visit is stored."""
        with self.lock:
            search.is_open = False
            self.items.remove(search)

    def open(self):
        with self.lock:
            return list(self.items)


class Owner:
    """One owner with a channel for alerts."""

    def __init__(self, port, direct, searches, history, stopping, seed, webhook=None):
        self.port, self.direct, self.searches, self.history = port, direct, searches, history
        # When to change nothing more, and when to read no more.
        self.load_ends, self.stopping = stopping
        self.chance = random.Random("owner %s" % seed)
        created = Client(port, stopping=self.load_ends).insist("POST", "/v1/owners", {}, (201,)).json()
        self.token, self.code, self.id = created["token"], created["recoveryCodes"][0], created["owner"]["id"]
        self.history.note("answered", kind="owner", ids=[self.id], owner=self.token)
        self.client = Client(port, self.token, self.load_ends)
        if webhook:
            self.client.insist("POST", "/v1/channels", {"kind": "webhook", "url": webhook}, (201,))
        self.open, self.revoked = [], []

    def lose_bike(self):
        bike = self.client.insist("POST", "/v1/bikes", BIKE, (201,)).json()
        self.history.note("answered", kind="bike", ids=[bike["id"]], owner=self.token)
        return self.report(bike)

    def report(self, bike):
        report = self.client.insist("POST", "/v1/bikes/%s/reports" % bike["id"], {}, (201,)).json()
        self.history.note("answered", kind="report", ids=[report["id"]], owner=self.token)
        search = Search(bike, report)
        self.searches.add(search)
        self.open.append(search)
        return search

    def find_bike(self, search):
        self.searches.end(search)
        self.open.remove(search)
        self.client.insist(
            "POST", "/v1/bikes/%s/reports/%s/closure" % (search.bike, search.report),
            {"outcome": "recovered", "recoveredBy": "police"}, (200, 201))
        self.history.note("answered", kind="closure", ids=[search.report], owner=self.token)

    def live(self):
        """Loses bikes and finds them; the first one stays missing."""
        while not self.load_ends.wait(self.chance.uniform(1, 3)):
            if len(self.open) < 3:
                self.lose_bike()
            elif len(self.open) > 5 or self.chance.random() < 0.4:
                self.find_bike(self.chance.choice(self.open[1:]))
            else:
                self.lose_bike()

    def change_tokens(self):
        """Makes tokens, uses them at every registry, revokes them and uses them again."""
        client = Client(self.port, self.token, self.load_ends)
        while not self.load_ends.wait(self.chance.uniform(1, 3)):
            made = client.insist("POST", "/v1/owner/tokens", {"name": "short", "scope": "read"}, (201,)).json()
            self.use(made["token"])
            # 404: an attempt without an answer was the one that revoked it.
            client.insist("DELETE", "/v1/owner/tokens/" + made["details"]["id"], expected=(204, 404))
            self.revoked.append(made["token"])
            self.history.note("revoked", kind="revocation", token=made["token"][-8:])
            for _ in range(3):
                self.use(made["token"])
                self.load_ends.wait(0.3)
            # Earlier ones, too: a registry that was behind must catch up.
            self.use(self.chance.choice(self.revoked[-5:]))

    def erase(self):
        """Erases this owner."""
        while self.open:
            self.searches.end(self.open.pop())
        tag = self.client.insist("GET", "/v1/owner").headers["ETag"]
        # A bike is missing, so the token alone is not enough. 401 and 404: an attempt without an answer has erased the
        # owner, maybe after this one's token was looked up.
        self.client.insist("DELETE", "/v1/owner", expected=(204, 401, 404), If_Match=tag, Recovery_Code=self.code)
        self.history.note("revoked", kind="erasure of the owner", token=self.token[-8:])
        for _ in range(3):
            self.use(self.token)
            self.load_ends.wait(0.3)

    def use(self, token):
        """Uses a token at each registry: none of them may remember it."""
        for port in self.direct:
            client = Client(port, token)
            began = self.history.now()
            try:
                status = client.call("GET", "/v1/bikes", seconds=5).status
            except (OSError, http.client.HTTPException):
                continue
            finally:
                client.close()
            self.history.note("used", token=token[-8:], status=status, began=began)

    def watch(self, search):
        """Follows a search live, and continues after each interruption with `Last-Event-ID`."""
        path, last = "/v1/bikes/%s/reports/%s/sightings" % (search.bike, search.report), 0
        while not self.stopping.wait(0.1):
            last = self.watch_once(path, search.report, last)

    def watch_once(self, path, report, last):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", path, headers={
                "Authorization": "Bearer " + self.token, "Accept": "text/event-stream", "Last-Event-ID": str(last)})
            response = connection.getresponse()
            if response.status not in (200, 502, 503, 504):
                raise Unexpected("%s: %d" % (path, response.status))
            number = None
            while response.status == 200 and not self.stopping.is_set():
                line = response.readline()
                if not line:
                    break
                if line.startswith(b"id: "):
                    number = int(line[4:])
                elif line.startswith(b"data: ") and number is not None:
                    sighting = json.loads(line[6:])["id"]
                    self.history.note("trail", reader=report, revision=number, sighting=sighting)
                    # Only a complete event counts: its empty line follows.
                    last = number
        except (OSError, http.client.HTTPException, ValueError):
            pass
        finally:
            connection.close()
        return last
