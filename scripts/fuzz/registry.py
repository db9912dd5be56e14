"""Sends hostile requests to every route of a running registry, and fails if it ends or answers 500.

Usage: registry.py --program FILE [--seconds N] [--seed N]
The same seed makes the same requests in the same order, except for identifiers, which the registry draws. Each request
comes from one client alone, because the goal is to find out whether one stranger can stop the process.
"""
import argparse
import base64
import json
import os
import pathlib
import random
import socket
import sys
import tempfile
import time
import urllib.error

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "contract"))
from check import APP_KEY, PHOTO, Registry  # noqa: E402

INT64 = 2**63
NUMBERS = [
    "0", "-0", "-1", "1", str(INT64 - 1), str(-INT64), str(INT64), str(INT64 // 1000 + 1), str(2**53 + 1), "1e308", "1e400",
    "-1e400", "1e-400", "0." + "9" * 300, "9" * 390, "00", "+1", "0x10", "NaN", "Infinity", "1_000", "١", "1.0", "5e0",
]
MARKS = "a" + "\u0301" * 2000
TEXTS = [
    "", " ", "\0", "a\0b", "*", "%", "%%", "%2", "%zz", "..", "../../etc/passwd", "'; DROP TABLE owner; --", "\r\nX: y",
    MARKS, "\u0301", "\u202e", "\ufeff", "\ud83d\ude00" * 50, "\U0010ffff", "K" * 7000, "true", "null", "{}", "[]",
    "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", "019aa4e1-1c2d-7a3b-8c4d-5e6f7081920",
]
TIMES = [
    "0000-01-01T00:00:00Z", "9999-12-31T23:59:60Z", "9999-12-31T23:59:59-23:59", "0000-01-01T00:00:00+23:59",
    "2026-11-21T06:13:05." + "9" * 300 + "Z", "1970-01-01T00:00:00Z", "-292277022657-01-27T08:29:52Z", "2026-02-30T00:00:00Z",
]
FIELDS = {
    "Last-Event-ID": NUMBERS + TEXTS,
    "If-Match": ["*", '""', '"', '"0"', f'"{INT64}"', f'"{-INT64}"', '"a", "b"', "W/\"0\"", ", " * 3000] + TEXTS,
    "If-None-Match": ["*", '"0-0"', f'"{2**64}-ffffffffffffffff"', f'"{2**64 - 1}-0", "x"', '"', ',' * 7000] + TEXTS,
    "Idempotency-Key": ["a", "a" * 255, "a" * 256, "a b"] + TEXTS,
    "Recovery-Code": ["AAAAA-AAAAA-AAAAA-AAAAA", "I" * 7000] + TEXTS,
    "Range": ["bytes=0-", f"bytes={INT64}-{INT64}", "bytes=-1", "bytes=5-1"] + TEXTS,
    "Accept": [
        "*/*", "text/event-stream", "application/gpx+xml", "text/csv", "application/geo+json;q=nan", "a/b;q=" + "9" * 400,
        "/", ";", "*/*;q=-1e400", "text/*;q=0, */*;q=inf", ",;" * 3000,
    ] + TEXTS,
    "Accept-Language": ["de", "-" * 7000, ",,"] + TEXTS,
    "A-IM": ["findmybike", ",;findmybike;"] + TEXTS,
    "Prefer": [f"wait={INT64}", "wait=-1", "wait=0", "wait", "wait==1", "=,=;wait=١", "wait=" + "9" * 300] + TEXTS,
    "Content-Type": ["application/json", "application/merge-patch+json", "text/plain", "application/json;" * 400] + TEXTS,
    "X-Forwarded-For": ["::", "1.2.3.4, 5.6.7.8", ",", "[", "[::1", "1.2.3.4:99999999999", ":" * 7000] + TEXTS,
    "Forwarded": ['for="[2001:db8::1]:4711"', "for=_x", "for=", '"' * 7001, ";=;" * 2000] + TEXTS,
    "Expect": ["100-continue", "x"],
    "Host": ["", "a:b:c", "[::1", "x" * 5000],
}
AUTHORIZATIONS = [
    "Bearer {}", "bEaReR {}", "Bearer    {}", "Bearer\t{}", "Bearer {} x", "Basic {}", "{}", "Bearer", "Bearer ", " ",
    "Bearer fmbo_" + "A" * 43, "Bearer " + "A" * 7000, "Bearer {}, Bearer {}", "Bearer " + "\u0301" * 3000,
]


class World:
    """One principal of each kind, and their resources; made again after a request has removed one of them."""

    def __init__(self, registry):
        self.registry = registry
        self.make()

    def make(self):
        call = self.registry.call
        owner = call("POST", "/v1/owners")["token"]
        scopes = {
            scope: call("POST", "/v1/owner/tokens", {"name": scope, "scope": scope}, owner) for scope in ("read", "report")
        }
        bike = call("POST", "/v1/bikes", {"kind": "bicycle", "make": "A", "model": "B", "colours": ["red"]}, owner)
        report = call("POST", f"/v1/bikes/{bike['id']}/reports", {"policeReference": "C"}, owner)
        channel = call("POST", "/v1/channels", {"kind": "webhook", "url": "https://example.org/a"}, owner)["channel"]
        draft = {"name": "Fuzz", "place": {"latitude": 1, "longitude": 2}}
        code = call("POST", "/v1/invitations", draft, self.registry.operator)["code"]
        station = call("POST", "/v1/station/enrolment", {"code": code})
        photo = self.add_photo(bike["id"], owner)
        self.identity = bike["identity"]
        self.tokens = {
            "none": None, "owner": owner, "read": scopes["read"]["token"], "report": scopes["report"]["token"],
            "station": station["token"], "operator": self.registry.operator,
        }
        self.ids = {
            "bike": bike["id"], "report": report["id"], "channel": channel["id"], "station": station["station"]["id"],
            "id": scopes["read"]["details"]["id"], "photo": photo["id"],
        }

    def add_photo(self, bike, owner):
        request = urllib.request.Request(
            f"{self.registry.url}/v1/bikes/{bike}/photos", data=PHOTO, method="POST",
            headers={"Content-Type": "image/jpeg", "Authorization": f"Bearer {owner}"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def mend(self):
        for name, path in [("owner", "/v1/owner"), ("read", "/v1/owner"), ("report", "/v1/owner"), ("station", "/v1/missing")]:
            try:
                self.registry.call("GET", path, token=self.tokens[name])
            except urllib.error.HTTPError as error:
                if error.code not in (401, 403):
                    raise
                return self.make()


class Requests:
    """Hostile requests of one operation, from a seed."""

    def __init__(self, world, chance, path, method, operation):
        self.world, self.chance, self.path, self.method, self.operation = world, chance, path, method, operation

    def one(self, principal):
        pick, often = self.chance.choice, lambda share: self.chance.random() < share
        headers = [("Host", "localhost"), ("Connection", "close")]
        if (token := self.world.tokens[principal]) is not None:
            spelling = pick(AUTHORIZATIONS) if often(0.1) else AUTHORIZATIONS[0]
            headers.append(("Authorization", spelling.replace("{}", token)))
        for name, values in FIELDS.items():
            if name in self.wanted_fields() and often(0.6) or often(0.04):
                headers.append((name, pick(values)))
        body = self.body() if self.method not in ("GET", "HEAD") and often(0.95) else b""
        if body and not any(name == "Content-Type" for name, _ in headers):
            headers.append(("Content-Type", next(iter(self.content()), "application/json")))
        if self.method in ("PATCH", "PUT", "DELETE", "POST") and often(0.5):
            headers.append(("If-Match", "*"))
        lines = [f"{self.method} {self.target()} HTTP/1.1"] + [f"{n}: {v}" for n, v in headers]
        if body or self.method != "GET":
            if often(0.1):
                lines.append("Transfer-Encoding: chunked")
                sizes = pick(["ffffffffffffffff", "-1", f"{len(body) + 5:x}"]) if often(0.1) else f"{len(body):x}"
                body = f"{sizes}\r\n".encode() + body + b"\r\n0\r\n\r\n"
            else:
                length = pick([len(body) + 1, INT64, -1, "x"]) if often(0.02) else len(body)
                lines.append(f"Content-Length: {length}")
        return self.encoded("\r\n".join(lines)) + b"\r\n\r\n" + body

    @staticmethod
    def encoded(text):
        return text.encode("utf-8", "surrogatepass")

    def wanted_fields(self):
        return [p["name"] for p in self.operation.get("parameters", []) if p["in"] == "header"]

    def target(self):
        path = self.path
        for name in [p["name"] for p in self.operation.get("parameters", []) if p["in"] == "path"]:
            known = self.world.ids.get(name)
            hostile = self.quoted(self.chance.choice(TEXTS + NUMBERS))
            path = path.replace("{%s}" % name, known if known and self.chance.random() < 0.8 else hostile)
        names = [p["name"] for p in self.operation.get("parameters", []) if p["in"] == "query"]
        query = [f"{name}={self.query_value(name)}" for name in names if self.chance.random() < 0.7]
        if self.chance.random() < 0.05:
            query.append("&=&" * 50)
        return path + ("?" + "&".join(query) if query else "")

    def query_value(self, name):
        if name == "key" and self.chance.random() < 0.8:
            return APP_KEY
        text = self.chance.choice(NUMBERS + TEXTS + TIMES)
        if name == "code" and self.chance.random() < 0.6:
            return f"{self.chance.choice(NUMBERS)}.x"
        if name == "cursor" and self.chance.random() < 0.8:
            return base64.urlsafe_b64encode(self.encoded(text)).decode().rstrip("=")
        return self.quoted(text)

    def quoted(self, text):
        shape = self.chance.random()
        raw = self.encoded(text)[:2500]
        if shape < 0.1:
            return text.replace("\r", "").replace("\n", "").replace(" ", "")[:7000]
        return "".join(f"%{byte:02X}" if shape < 0.4 or not chr(byte).isalnum() else chr(byte) for byte in raw)

    def body(self):
        shape = self.chance.random()
        if shape < 0.15:
            return self.chance.choice([
                b"[" * 7000, b'{"a":' * 1500, b"\xff\xfe", b'"\xc3\x28"', b"{", b'{"a":1,"a":2}', b"nul", b"",
                b'"\\ud800"', b"-", b"1e", b'{"' + MARKS.encode() + b'":1}', b"{}" + b" " * 9000, b"\x00", b"[1,]",
                b'{"visits":[' + b"{}," * 600 + b"{}]}", b'{"visits":[' + b"[]," * 300 + b"0]}",
            ])
        content = self.content()
        if "image/jpeg" in content:
            return self.photo()
        example = next((form["example"] for form in content.values() if "example" in form), {})
        text = json.dumps(self.own(json.loads(json.dumps(example))))
        for _ in range(self.chance.choice([0, 1, 1, 2, 4])):
            text = self.broken(text)
        return self.encoded(text)

    def content(self):
        return self.operation.get("requestBody", {}).get("content", {})

    def photo(self):
        """The photo with some bytes replaced, and sometimes cut."""
        photo = bytearray(PHOTO)
        for _ in range(self.chance.choice([0, 1, 1, 2, 8])):
            photo[self.chance.randrange(len(photo))] = self.chance.randrange(256)
        return bytes(photo[: self.chance.randrange(len(photo))] if self.chance.random() < 0.2 else photo)

    def own(self, value):
        """The example with the identity of the bike that is missing, so that visits are stored."""
        if isinstance(value, dict):
            return {k: self.world.identity if k == "identity" else self.own(v) for k, v in value.items()}
        return [self.own(v) for v in value] if isinstance(value, list) else value

    def broken(self, text):
        """The text with one value, or one name, replaced."""
        try:
            value = json.loads(text)
        except ValueError:
            return text
        places = list(self.places(value))
        if not places:
            return text
        holder, key = self.chance.choice(places)
        if isinstance(holder, dict) and self.chance.random() < 0.2:
            holder[self.chance.choice(TEXTS)] = holder.pop(key)
        else:
            holder[key] = "@raw@"
        raw = self.chance.choice(
            [lambda: self.chance.choice(NUMBERS), lambda: json.dumps(self.chance.choice(TEXTS + TIMES)),
             lambda: self.chance.choice(["null", "true", "[]", "{}", "[[]]", '{"a":{}}', "[" * 40 + "]" * 40])])()
        return json.dumps(value, ensure_ascii=self.chance.random() < 0.5).replace('"@raw@"', raw)

    def places(self, value):
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
        for key, inner in list(items):
            yield value, key
            yield from self.places(inner)


def status_of(address, request, patience):
    """The status of the answer; 0 if the connection ended without one, None if it is still open."""
    host, port = address.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.settimeout(patience)
        try:
            connection.sendall(request)
            answer = b""
            while b"\r\n" not in answer:
                part = connection.recv(65536)
                if not part:
                    return 0
                answer += part
            return int(answer.split(b" ", 2)[1])
        except TimeoutError:
            return None
        except OSError:
            return 0


def drive(registry, seconds, seed):
    chance = random.Random(seed)
    world = World(registry)
    contract = registry.call("GET", "/openapi.json")
    operations = [
        (path, method.upper(), operation) for path, methods in contract["paths"].items() for method, operation in methods.items()
    ]
    address = registry.url.removeprefix("http://")
    counts, end, done = {}, time.monotonic() + seconds, 0
    rounds, slowest = 0, (0, "")
    while time.monotonic() < end:
        rounds += 1
        chance.shuffle(operations)
        for path, method, operation in operations:
            for principal in world.tokens:
                request = Requests(world, chance, path, method, operation).one(principal)
                # A request that may wait for changes gets little time; every other request gets enough even on a busy machine.
                waits = path == "/v1/missing" or path.endswith("/sightings") and method == "GET"
                begin = time.monotonic()
                status = status_of(address, request, 0.3 if waits else 60)
                slowest = max(slowest, (time.monotonic() - begin, f"{method} {path}"))
                done += 1
                counts[status] = counts.get(status, 0) + 1
                if status == 500 or status is None and not waits or registry.process.poll() is not None:
                    verdict = {500: "answered 500", None: "did not answer"}.get(status, "ended")
                    sys.exit(f"registry.py: the registry {verdict} after request {done} of seed {seed}:\n{request[:3000]!r}")
            if time.monotonic() > end and rounds > 1:
                break
        world.mend()
    shown = ", ".join(f"{count}× {status or 'none'}" for status, count in sorted(counts.items(), key=lambda c: str(c[0])))
    print(f"{done} requests on {len(operations)} operations in {rounds} rounds: {shown}; slowest {slowest}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=20261122)
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    # The registry waits for the rest of a body that is shorter than announced.
    os.environ["FINDMYBIKE_TIMEOUTS_BODY"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        registry = Registry(options.program, folder)
        try:
            drive(registry, options.seconds, options.seed)
        except SystemExit:
            print(*registry.said().splitlines()[-10:], sep="\n", file=sys.stderr)
            raise
        finally:
            ended = registry.end() if registry.process.poll() is None else registry.process.returncode
        if ended:
            sys.exit(f"registry.py: the registry ended with {ended}")


if __name__ == "__main__":
    main()
