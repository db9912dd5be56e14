"""A partner that means ill: what it lists, and what it forwards."""
import copy
import hashlib
import http.server
import json
import random
import struct
import threading
import time
import uuid

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import shared
from web import Client, identifier

TITLE = "findmybike forwarded visit 1\n"
OFFER = "findmybike partner offer 1"
NAME = "Mallory"
BATCH = 100


def signed_offer(code, url, token, key, receiver):
    """The body that makes the registry at `receiver` a partner: docs/design/partner-registries.md describes its proof."""
    public = key.public_key()
    digest = lambda content: hashlib.sha256(content).hexdigest()
    text = "\n".join((
        OFFER, "join " + receiver, "code " + digest(code.replace("-", "").encode()), "token " + digest(token.encode()),
        "key " + digest(public.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)),
        "url " + url))
    pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
    return {"code": code, "url": url, "token": token, "publicKey": pem, "proof": key.sign(text.encode()).hex()}


class Bits:
    def __init__(self):
        self.text = []

    def add(self, number, parameter):
        self.text.append("1" * (number >> parameter) + "0" + format(number & (1 << parameter) - 1, "0%db" % parameter))

    def bytes(self):
        text = "".join(self.text)
        text += "0" * (-len(text) % 8)
        return int("1" + text, 2).to_bytes(len(text) // 8 + 1, "big")[1:] if text else b""


def full_list(hashes, number, count=None, digest=None):
    """A missing list as bytes, as docs/missing-list.md describes it; `count` and `digest` may be wrong on purpose."""
    hashes = sorted(set(hashes))
    parameter = max(1, (((1 << 40) // max(1, len(hashes))).bit_length() - 1))
    bits, last = Bits(), -1
    for value in hashes:
        bits.add(value - last - 1, parameter)
        last = value
    digest = digest or hashlib.sha256(b"".join(value.to_bytes(5, "big") for value in hashes)).digest()
    header = struct.pack(">4s4BQQI32s", b"FMBL", 1, 0, 40, parameter, number, number, count or len(hashes), digest)
    return header + bits.bytes()


class Lists(http.server.ThreadingHTTPServer):
    """Answers requests for the list in the present manner."""

    daemon_threads = True
    MANNERS = ("empty", "endless", "slow", "garbage", "wrong hash", "too long", "always new", "not waiting", "huge count")

    def __init__(self, seed):
        self.chance, self.manner, self.number = random.Random(seed), "empty", 0
        self.answered, self.ended = 0, threading.Event()
        self.too_long = full_list((self.chance.randrange(1 << 40) for _ in range(3000)), 1)
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """A registry that has had enough closes its connection."""

    def stop(self):
        self.ended.set()
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        server = self.server
        server.answered += 1
        server.number += 1
        manner = server.manner
        if manner in ("endless", "slow"):
            self.send_response(200)
            self.send_header("Content-Type", "application/vnd.findmybike.missing-list")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            part = bytes(1 if manner == "slow" else 65536)
            while not server.ended.wait(0.5 if manner == "slow" else 0) and server.manner == manner:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            return
        if manner == "not waiting" and self.headers.get("If-None-Match"):
            self.send_response(304)
            self.end_headers()
            return
        hashes = [server.chance.randrange(1 << 40) for _ in range(200 if manner == "always new" else 0)]
        body = {
            "garbage": lambda: server.chance.randbytes(5000),
            "wrong hash": lambda: full_list(hashes + [1, 2, 3], server.number, digest=bytes(32)),
            "too long": lambda: server.too_long,
            "huge count": lambda: full_list([1], server.number, count=0xFFFFFFFF),
        }.get(manner, lambda: full_list(hashes, server.number))()
        self.send_response(200)
        self.send_header("Content-Type", "application/vnd.findmybike.missing-list")
        self.send_header("ETag", '"%d-%016x"' % (server.number, server.number))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Mallory:
    """The hostile partner of a city, with a signing key that the city has pinned."""

    def __init__(self, city, lists, url, limits, seed):
        self.city, self.lists, self.chance = city, lists, random.Random("%d mallory" % seed)
        self.key = Ed25519PrivateKey.generate()
        code = city.invite(NAME)["code"]
        own = "fmb_partner_" + "a" * 43
        answer = Client(city.port).insist(
            "POST", "/v1/partner/acceptance", signed_offer(code, url, own, self.key, city.public_url), (201,))
        terms = answer.json()
        city.change(NAME, {"limits": limits})
        self.client = Client(city.port, terms["token"])
        home = serialization.load_pem_public_key(terms["publicKey"].encode())
        self.to = hashlib.sha256(home.public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)).hexdigest()

    def again(self):
        """The same partner with another connection, for another thread."""
        other = copy.copy(self)
        other.client = Client(self.city.port, self.client.token)
        return other

    def identity(self):
        return {"uuid": str(uuid.UUID(int=self.chance.getrandbits(128))), "major": 1, "minor": 100}

    def visit(self, identity=None):
        moment = self.city.clock.text(-1)
        return {"id": identifier(), "stay": identifier(), "identity": identity or self.identity(), "firstSeen": moment,
                "lastSeen": moment, "count": 3, "measuredPower": -59, "proximity": "near", "ended": False}

    def signed(self, visit, station=None, key=None, to=None):
        statement = TITLE + json.dumps({
            "to": to or self.to, "received": self.city.clock.text(), "visit": visit, "station": {
                "id": station or identifier(), "name": "Nowhere", "mobile": False,
                "place": {"latitude": 51.5, "longitude": -0.12, "accuracy": 10}}}, sort_keys=True)
        return {"statement": statement, "signature": (key or self.key).sign(statement.encode()).hex()}

    def send(self, visits):
        """The status and the results of one batch; None without an answer."""
        try:
            answer = self.client.call("POST", "/v1/partner/visits", {"visits": visits}, seconds=60)
        except OSError:
            return None, []
        return answer.status, [
            result["result"] for result in answer.json()["results"]] if answer.status == 200 else []

    def sent(self, visits):
        """The same, again until there is an answer."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            status, results = self.send(visits)
            if status not in (None, 502, 503, 504):
                return status, results
            time.sleep(0.2)
        return None, []


class Attack:
    """Everything that Mallory tries, and what came of it: `found` are pairs of what was tried and what was wrong."""

    def __init__(self, mallory, bait, flood, seconds):
        self.mallory, self.bait, self.flood, self.seconds = mallory, bait, flood, seconds
        self.tried, self.found, self.taken, self.refused = 0, [], 0, 0

    def run(self, stopping):
        """Lists of each manner in turn, and meanwhile visits."""
        threads = [threading.Thread(target=work, args=(stopping,), daemon=True) for work in (self.list, self.forward)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def list(self, stopping):
        lists = self.mallory.lists
        for manner in lists.MANNERS[1:]:
            lists.manner = manner
            if stopping.wait(self.seconds / len(lists.MANNERS)):
                break
        lists.manner = "empty"

    def expect(self, what, answer, *allowed):
        self.tried += 1
        if answer not in allowed:
            self.found.append("%s: %s" % (what, answer))

    def forward(self, stopping):
        mallory = self.mallory
        # For bikes that nobody misses.
        self.expect("never listed", mallory.sent([mallory.signed(mallory.visit()) for _ in range(3)]), (200, ["ignored"] * 3))
        # With a key that is not pinned, and for another registry: the whole batch is refused.
        good = mallory.visit(self.bait.identity)
        for what, signed in (
                ("a stranger’s key", mallory.signed(good, key=Ed25519PrivateKey.generate())),
                ("for another registry", mallory.signed(good, to="0" * 64)),
                ("a damaged statement", dict(mallory.signed(good), statement=TITLE + "{}"))):
            self.expect(what, mallory.sent([mallory.signed(mallory.visit()), signed])[0], 422)
        # What it can do: invent sightings of a bike on our list. A replay is the same sighting.
        replayed = mallory.signed(good)
        for _ in range(5):
            self.expect("replays", mallory.sent([replayed] * 3), (200, ["stored"] * 3))
        # False stations.
        for _ in range(3):
            self.expect("false stations", mallory.sent([
                mallory.signed(mallory.visit(self.bait.identity)) for _ in range(20)])[0], 200)
        # A flood: the same batches again and again cost Mallory nothing.
        batches = [[mallory.signed(mallory.visit()) for _ in range(BATCH)] for _ in range(3)]
        sent = 0
        while sent < self.flood and not stopping.is_set():
            status, _ = mallory.send(batches[sent // BATCH % len(batches)])
            if status is None:
                # The registry was just killed.
                time.sleep(0.1)
                continue
            self.taken += BATCH if status == 200 else 0
            self.refused += BATCH if status == 429 else 0
            self.expect("flood", status, 200, 429, 503)
            sent += BATCH
