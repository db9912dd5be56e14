"""A registry with its pages, stations that hear bikes, and browsers that look at it."""

import atexit
import contextlib
import json
import os
import pathlib
import random
import re
import socket
import subprocess
import sys
import time
import urllib.request
import uuid

# Last: the folder has a trace.py, and so has Python.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Programs/ProgramTests/Fixtures"))
from ports import free_port  # noqa: E402

SETTINGS = """\
listen: 127.0.0.1:{port}
publicURL: {public}
database: {folder}/registry.sqlite
evidence:
  keyFile: {folder}/key
beacons:
  keyFile: {folder}/beacons-key
webpush:
  keyFile: {folder}/push-key
  contact: mailto:operator@example.org
mail:
  server: smtp://127.0.0.1:9
  from: alerts@example.org
identities:
  given: open
webhooks:
  allowPrivateAddresses: true
limits:
  owners: off
  codes: off
  checks: off
  dailyChecks: off
"""

PLACES = [("Parkhaus Mitte", 52.5231, 13.4021, 30), ("Café Sprocket", 52.5205, 13.4095, 10),
          ("Tankstelle Ost", 52.5163, 13.4384, 20), ("Radwerkstatt Süd", 52.4851, 13.4282, 10)]


TESTS = []


def test(function):
    TESTS.append(function)
    return function


def some(looks):
    """Of the looks of a page, the ones that this run tries: the first two, or all of them with TEST_DEPTH=full."""
    return looks if os.environ.get("TEST_DEPTH") == "full" else looks[:2]


class Registry:
    """The registry's program on a free port of this machine, with four stations."""

    def __init__(self, programs, folder, public=None, more=""):
        """`public`: the registry’s own address, if it is another one. `more`: further settings."""
        self.folder, self.programs = pathlib.Path(folder), pathlib.Path(programs)
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        settings = self.folder / "registry.yaml"
        text = SETTINGS.format(port=self.port, folder=folder, public=public or self.url)
        settings.write_text(text + more, encoding="utf-8")
        self.settings = ["--config", str(settings)]
        self.run("key", "create")
        self.run("key", "create-beacons")
        self.run("key", "create-web-push")
        self.operator = self.run("operator", "create")
        self.log = open(self.folder / "registry.log", "w", encoding="utf-8")
        self.process = None
        atexit.register(lambda: self.process and self.process.kill())
        self.start()
        self.stations = []
        self.enrol_stations()

    def run(self, *arguments):
        result = subprocess.run([self.programs / "findmybike-registry", *arguments, *self.settings], text=True,
                                capture_output=True, timeout=120, check=False)
        if result.returncode:
            raise SystemExit(f"findmybike-registry {' '.join(arguments)}: {result.stderr}")
        return result.stdout.strip()

    def start(self):
        self.process = subprocess.Popen([self.programs / "findmybike-registry", "serve", *self.settings],
                                        stdout=subprocess.DEVNULL, stderr=self.log,
                                        # A test stops it for a while. In a group without a parent, the kernel would
                                        # hang up on the whole group as soon as another process of it ended.
                                        process_group=0)
        for _ in range(600):
            with contextlib.suppress(OSError):
                return urllib.request.urlopen(f"{self.url}/livez", timeout=5).close()
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise SystemExit(f"the registry did not start:\n{(self.folder / 'registry.log').read_text()}")

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=60)

    def call(self, method, path, body=None, token=None, etag=None):
        headers = {"Content-Type": "application/json"} | ({"If-Match": etag} if etag else {})
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if method == "POST":
            headers["Idempotency-Key"] = str(uuid.uuid4())
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as response:
            text = response.read()
        return json.loads(text) if text else None

    def enrol_stations(self):
        """New stations at the same places; one that reports many tests' bikes would be doubted for it."""
        self.stations = [self.enrol(*place) for place in PLACES]

    def enrol(self, name, latitude, longitude, accuracy):
        place = {"latitude": latitude, "longitude": longitude, "accuracy": accuracy}
        code = self.call("POST", "/v1/invitations", {"name": name, "place": place}, self.operator)["code"]
        return self.call("POST", "/v1/station/enrolment", {"code": code})["token"]

    def owner(self):
        """An owner with a token of the command line, and its recovery codes."""
        return self.call("POST", "/v1/owners", {})

    def bike(self, token, **fields):
        draft = {"kind": "bicycle", "make": "Brompton", "model": "C Line", "colours": ["green", "black"]} | fields
        return self.call("POST", "/v1/bikes", draft, token)

    def report(self, token, bike, **fields):
        return self.call("POST", f"/v1/bikes/{bike['id']}/reports", fields, token)

    def hear(self, station, bike, begin, end, ended=True, result="stored", receiver=None):
        """A station hears a bike from `begin` to `end`, in seconds before now."""
        now = time.time()
        visit = {"id": visit_id(now - begin), "stay": visit_id(now - begin), "identity": bike["identity"],
                 "firstSeen": instant(now - begin), "lastSeen": instant(now - end), "count": 30,
                 "rssi": {"min": -84, "max": -61}, "measuredPower": -59, "proximity": "near", "ended": ended}
        if receiver:
            visit["receiver"] = receiver
        results = self.call("POST", "/v1/sightings", {"visits": [visit]}, self.stations[station])["results"]
        assert results[0]["result"] == result, results


@contextlib.contextmanager
def caddy(folder, port, registry):
    """Caddy with a certificate that it signs itself."""
    file = pathlib.Path(folder, "Caddyfile")
    file.write_text("{\n  admin off\n  auto_https disable_redirects\n  skip_install_trust\n}\n"
                    f"https://localhost:{port} {{\n  tls internal\n  reverse_proxy 127.0.0.1:{registry.port}\n}}\n")
    with open(f"{folder}/caddy.log", "w") as log:
        process = subprocess.Popen(["caddy", "run", "--config", file, "--adapter", "caddyfile"], stdout=log, stderr=log,
                                   env={"HOME": folder, "PATH": "/usr/bin:/bin"})
    try:
        for _ in range(300):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait(timeout=30)


def missing_bike(registry):
    """An owner whose bike has been missing for an hour."""
    owner = registry.owner()
    bike = registry.bike(owner["token"])
    return owner, bike, registry.report(owner["token"], bike, missingSince=instant(time.time() - 3600))


def signed_up_with_bike(visitor):
    """Makes an account in this browser, with a passkey, and a bike; returns the bike’s identifier."""
    visitor.add_authenticator()
    page = visitor.page
    visitor.open("/sign-up")
    page.get_by_role("button", name="Create a passkey").click()
    page.get_by_role("link", name="I have kept my codes").click()
    page.get_by_role("link", name="Add a bike").click()
    page.get_by_label("Make").fill("Brompton")
    page.get_by_label("Model").fill("C Line")
    page.get_by_text("Green", exact=True).click()
    page.get_by_role("button", name="Add this bike").click()
    page.wait_for_url("**/my/bikes/*")
    return page.url.rpartition("/")[2]


def stored(page, count=1):
    """Waits until the registry has photos: before that, the page shows those of this device."""
    page.wait_for_function("(count) => document.querySelectorAll('.photos .frame button').length === count", arg=count)


def kept_in(page, language):
    """Waits until the browser has kept the pages in a language that was just chosen, with a service worker that waits."""
    page.wait_for_function("""async (language) => {
        const registration = await navigator.serviceWorker.getRegistration();
        return !registration.installing && registration.waiting?.scriptURL.endsWith(`language=${language}`);
    }""", arg=language)


def instant(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def visit_id(seconds):
    """A UUIDv7 of this time (RFC 9562, section 5.7)."""
    bits = random.getrandbits(74)
    return str(uuid.UUID(int=int(seconds * 1000) << 80 | 7 << 76 | bits >> 62 << 64 | 2 << 62 | bits & (1 << 62) - 1))


class Visitor:
    """A person's browser, which fails the test if a page logs an error, breaks its policy or leaves the registry."""

    PHONE = {"width": 390, "height": 844}

    def __init__(self, browser, registry, **options):
        self.registry, self.faults = registry, []
        self.context = browser.new_context(**{"viewport": self.PHONE, "locale": "en-GB"} | options)
        self.context.on("weberror", lambda error: self.faults.append(f"error: {error.error}"))
        self.context.on("console", self.heard)
        self.context.on("request", self.asked)
        # A violation is also in the console, where a test may allow errors; this one no test can allow.
        self.context.expose_function("policyBroken", lambda what: self.faults.append(f"policy: {what}"))
        self.context.add_init_script("""document.addEventListener("securitypolicyviolation", (event) =>
            policyBroken(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`))""")
        self.page = self.context.new_page()
        self.allowed = []

    def heard(self, message):
        if message.type in ("error", "warning") and not any(re.search(text, message.text) for text in self.allowed):
            self.faults.append(f"console: {message.text}")

    def asked(self, request):
        if not request.url.startswith((self.registry.url, "blob:", "data:")):
            self.faults.append(f"left the registry: {request.url}")

    def sign_up(self):
        """Makes an account with a passkey, and returns its recovery codes."""
        self.add_authenticator()
        self.open("/sign-up")
        self.page.get_by_role("button", name="Create a passkey").click()
        self.page.locator(".codes li").nth(9).wait_for()
        codes = self.page.locator(".codes li").all_inner_texts()
        self.page.get_by_role("link", name="I have kept my codes").click()
        self.page.wait_for_url("**/my")
        return codes

    def send(self, method, path, body=None):
        """Calls the API as this browser."""
        headers = {"Origin": self.registry.url, "Sec-Fetch-Site": "same-origin"}
        if method == "POST":
            headers["Idempotency-Key"] = str(uuid.uuid4())
        response = self.context.request.fetch(self.registry.url + path, method=method, data=body, headers=headers)
        assert response.ok, response.text()
        return response.json()

    def add_authenticator(self):
        """A passkey store whose owner always agrees (WebAuthn, section 11: user agent automation)."""
        session = self.context.new_cdp_session(self.page)
        session.send("WebAuthn.enable")
        session.send("WebAuthn.addVirtualAuthenticator", {"options": {
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
            "isUserVerified": True, "automaticPresenceSimulation": True}})
        return session

    def open(self, path):
        self.page.goto(self.registry.url + path)
        self.page.wait_for_selector("h1")
        # On a first visit, a search is shown before what stands around it.
        self.page.wait_for_function(
            "() => !/^.my.bikes/.test(location.pathname) || !document.querySelector('main.searching') || document.querySelector('[data-part=photos]')")

    def sign_in(self, secret, then="/my"):
        self.open("/sign-in")
        self.page.get_by_text("Lost your phone? Use a code").click()
        self.page.get_by_label("Recovery code").fill(secret)
        self.page.get_by_role("button", name="Sign in", exact=True).click()
        self.page.wait_for_url(f"**{then}")

    def close(self):
        self.context.close()
        assert not self.faults, self.faults
