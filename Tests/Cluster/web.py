"""Calls to the registries, repeated until they are answered as clients of the API may repeat them."""
import http.client
import json
import threading
import time
import urllib.parse
import uuid

# Nothing was changed, or nobody knows: try again with the same key or identifiers.
AGAIN = (429, 502, 503, 504)
# Seconds after which a call that is not answered breaks a rule: longer than any fault.
PATIENCE = 180


class Stopped(Exception):
    """The load ended before the call was answered."""


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)


class Unexpected(Exception):
    """An answer that the contract does not allow here."""


class Client:
    """One caller with its token; used by one thread at a time."""

    def __init__(self, port, token=None, stopping=None):
        self.port, self.token, self.stopping = port, token, stopping or threading.Event()
        self.connection, self.repeats = None, 0

    def call(self, method, path, body=None, seconds=15, **headers):
        """One attempt; raises `OSError` or `HTTPException` without an answer."""
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            fields["Authorization"] = "Bearer " + self.token
        content = None
        if body is not None:
            content = json.dumps(body).encode()
            fields["Content-Type"] = "application/json"
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            if self.connection.sock is not None:
                self.connection.sock.settimeout(seconds)
            else:
                self.connection.timeout = seconds
            self.connection.request(method, path, content, fields)
            response = self.connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        except (OSError, http.client.HTTPException):
            self.close()
            raise

    def insist(self, method, path, body=None, expected=(200,), **headers):
        """Repeats a call until it is answered with an expected status."""
        if method == "POST":
            headers.setdefault("Idempotency_Key", str(uuid.uuid4()))
        deadline = time.monotonic() + PATIENCE
        while not self.stopping.is_set():
            if time.monotonic() > deadline:
                raise Unexpected("%s %s: not answered for %d s" % (method, path, PATIENCE))
            try:
                answer = self.call(method, path, body, **headers)
            except (OSError, http.client.HTTPException):
                answer = None
            if answer is not None and answer.status in expected:
                return answer
            if answer is not None and answer.status not in AGAIN:
                said = answer.body[:300].decode(errors="replace")
                raise Unexpected("%s %s: %d %s" % (method, path, answer.status, said))
            self.repeats += 1
            self.stopping.wait(0.2)
        raise Stopped

    def all(self, path):
        """The items of all pages."""
        items, cursor = [], ""
        while cursor is not None:
            page = self.insist("GET", path + "?limit=100" + cursor).json()
            items += page["items"]
            cursor = "&cursor=" + urllib.parse.quote(page["next"], safe="") if "next" in page else None
        return items

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def identifier():
    """A UUIDv7 (RFC 9562)."""
    value = int(time.time() * 1000) << 80 | uuid.uuid4().int & (1 << 80) - 1
    value = value & ~(0xF << 76) | 7 << 76
    return str(uuid.UUID(int=value & ~(0b11 << 62) | 0b10 << 62))


def now():
    moment = time.time()
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment)) + ".%03dZ" % (moment % 1 * 1000)
