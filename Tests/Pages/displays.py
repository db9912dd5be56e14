"""Displays at venues: paired once, they show missing bikes to staff, take answers, and say when they are cut off."""

import contextlib
import json
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import time
import types
import urllib.error
import urllib.request

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from stage import Registry, Visitor, free_port, instant, missing_bike, some, test, visit_id

RULES = {"rules": {"target-size": {"enabled": True}}}
TABLET = {"width": 1024, "height": 768}
OFFLINE = "ERR_|Failed to load resource|service worker"


def station(registry, name="Café Sprocket"):
    """The newest station with a name."""
    page, found = "/v1/stations?limit=100", []
    while page:
        answer = registry.call("GET", page, token=registry.operator)
        found += [each["id"] for each in answer["items"] if each["name"] == name]
        page = answer.get("next") and f"/v1/stations?limit=100&cursor={answer['next']}"
    return found[-1]


def pair(visitor, registry, name="Counter"):
    path = f"/v1/stations/{station(registry)}/displays"
    code = registry.call("POST", path, {"name": name}, registry.operator)
    visitor.open(f"/display#{code['code']}")
    visitor.page.get_by_role("button", name=re.compile("Connect|Verbinden")).click()
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text(re.compile("bike|Rad|Räder"))
    return code


def refresh(page):
    """Makes the display ask now, as it does when the network returns."""
    page.evaluate("() => { dispatchEvent(new Event('online')); }")


def hear(registry, bike, visit, begin, end, ended=False):
    """The café hears a bike, in seconds before now; the same visit may be reported again."""
    now = time.time()
    body = {"id": visit, "stay": visit, "identity": bike["identity"], "firstSeen": instant(now - begin),
            "lastSeen": instant(now - end), "count": 30, "rssi": {"min": -84, "max": -61}, "measuredPower": -59,
            "proximity": "near", "ended": ended, "receiver": {"name": "bar"}}
    results = registry.call("POST", "/v1/sightings", {"visits": [body]}, registry.stations[1])["results"]
    assert results[0]["result"] == "stored", results


def beat(registry, **changes):
    heartbeat = {"version": "1.0.0", "adapters": [{"name": "hci0", "state": "scanning", "silentSeconds": 0}],
                 "listVersion": 1} | changes
    registry.call("PUT", "/v1/station/heartbeat", heartbeat, registry.stations[1])


def stored(page):
    return page.evaluate("() => localStorage.getItem('display') ?? ''")


@test
def a_display(registry, browser):
    """A screen is paired by a link and one tap; it shows a bike, staff answer twice, and the owner learns both."""
    owner, bike, report = missing_bike(registry)
    beat(registry)
    visitor = Visitor(browser, registry, viewport=TABLET)
    page = visitor.page
    visitor.allowed.append("status of 401")
    pair(visitor, registry)
    expect(page.get_by_role("heading", level=1)).to_have_text("No missing bike is here")
    expect(page.get_by_text("The station is listening")).to_be_visible()
    assert "#" not in page.url, page.url
    cookie = next(each for each in visitor.context.cookies() if each["name"] == "__Host-display")
    assert cookie["httpOnly"] and cookie["secure"] and cookie["sameSite"] == "Strict", cookie
    visit = visit_id(time.time())
    hear(registry, bike, visit, 20, 0)
    begin = time.monotonic()
    expect(page.get_by_role("heading", level=1)).to_have_text("A missing bike is here", timeout=30_000)
    print(f"    a bike was on the display {time.monotonic() - begin:.1f} s after it was sent")
    expect(page.get_by_role("heading", name="Brompton C Line")).to_be_visible()
    expect(page.get_by_text("Green, Black · Bicycle")).to_be_visible()
    expect(page.get_by_text("Receiver: bar")).to_be_visible()
    expect(page.get_by_text("Do not confront anyone")).to_be_visible()
    expect(page.get_by_text("call the police")).to_be_visible()
    for button in page.locator(".answers button").all():
        assert button.bounding_box()["height"] >= 48
    for name, answer in (("I see it", "seen"), ("Not here", "absent")):
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
        expect(page.get_by_role("button", name=name)).to_be_focused()
        path = f"/v1/bikes/{bike['id']}/reports/{report['id']}/sightings"
        sighting = registry.call("GET", path, token=owner["token"])["items"][0]
        assert sighting["confirmation"]["answer"] == answer, sighting
    expect(page.get_by_text("somebody here looked and did not see it")).to_be_visible()
    assert "Brompton" in page.get_by_role("alert").all_inner_texts()[-1]
    secrets = [owner["owner"]["id"], bike["id"], report["id"], cookie["value"], "fmb_", str(bike["identity"]["uuid"])]
    assert "Brompton" in stored(page) and not any(secret in stored(page) + page.content() for secret in secrets)
    # The same screen after a restart of the browser.
    state = visitor.context.storage_state()
    visitor.close()
    visitor = Visitor(browser, registry, viewport=TABLET, storage_state=state)
    page = visitor.page
    visitor.open("/display")
    expect(page.get_by_role("heading", name="Brompton C Line")).to_be_visible()
    expect(page.get_by_role("button", name="Not here")).to_have_attribute("aria-pressed", "true")
    hear(registry, bike, visit, 20, 0, ended=True)
    refresh(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("No missing bike is here")
    assert "Brompton" not in stored(page) and "Brompton" not in page.content()
    visitor.close()


@test
def a_display_is_revoked(registry, browser):
    """A wrong code is refused in words, nobody types what the link brings, and a revoked display shows nothing."""
    owner, bike, _ = missing_bike(registry)
    visitor = Visitor(browser, registry, viewport=TABLET)
    page = visitor.page
    visitor.allowed.append("status of 40[13]")
    visitor.open("/display")
    expect(page.get_by_role("heading", level=1)).to_have_text("Connect this screen")
    page.get_by_label("Code").fill("00000-00000")
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_role("alert").filter(has_text="mistyped")).to_be_visible()
    code = pair(visitor, registry)
    hear(registry, bike, visit_id(time.time()), 5, 0)
    refresh(page)
    expect(page.get_by_role("heading", name="Brompton C Line")).to_be_visible()
    # A link does not connect the screen elsewhere by itself.
    page.goto("about:blank")
    visitor.open("/display#AAAAA-BBBBB")
    expect(page.get_by_label("Code")).to_have_value("AAAAA-BBBBB")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="Brompton C Line")).to_be_visible()
    registry.call("DELETE", f"/v1/stations/{station(registry)}/displays/{code['display']}", token=registry.operator)
    refresh(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Connect this screen")
    expect(page.get_by_text("no longer connected")).to_be_visible()
    assert stored(page) == "" and "Brompton" not in page.content()
    visitor.close()


@test
def a_display_without_a_connection(registry, browser):
    """A server that is gone or hangs is noticed within 60 s; a reload shows the last state; it recovers by itself."""
    _, bike, _ = missing_bike(registry)
    visitor = Visitor(browser, registry, viewport=TABLET)
    page = visitor.page
    visitor.allowed.append("status of 401|" + OFFLINE)
    pair(visitor, registry)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    visit = visit_id(time.time())
    hear(registry, bike, visit, 5, 0)
    refresh(page)
    expect(page.get_by_role("heading", name="Brompton C Line")).to_be_visible()
    banner = page.get_by_role("status").filter(has_text=re.compile("No connection since .*may be out of date"))
    expect(banner).to_have_count(0)

    begin = time.monotonic()
    registry.process.send_signal(signal.SIGSTOP)
    try:
        expect(banner).to_be_visible(timeout=60_000)
        print(f"    a server that hangs was noticed after {time.monotonic() - begin:.0f} s")
    finally:
        registry.process.send_signal(signal.SIGCONT)
    expect(banner).to_have_count(0, timeout=30_000)

    registry.stop()
    try:
        begin = time.monotonic()
        expect(banner).to_be_visible(timeout=60_000)
        print(f"    a server that is gone was noticed after {time.monotonic() - begin:.0f} s")
        page.reload()
        expect(page.get_by_role("heading", name="Brompton C Line")).to_be_visible()
        expect(banner).to_be_visible(timeout=60_000)
        # What is shown is said as past, and everything that can be tapped stays on the screen.
        expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("A missing bike was here at .*[0-9]"))
        expect(page.get_by_text(re.compile("is here|is listening|Here since"))).to_have_count(0)
        expect(page.locator(".health.good")).to_have_count(0)
        for control in page.locator(".answers button, footer select, footer button").all():
            expect(control).to_be_in_viewport(ratio=1)
        page.get_by_role("button", name="I see it").click()
        expect(page.get_by_text("Your answer was not sent")).to_be_visible()
        expect(page.get_by_role("button", name="I see it")).to_have_attribute("aria-pressed", "false")
        # After a night, nothing of the bike is left on the screen or in its memory.
        page.evaluate("""() => {
            const kept = JSON.parse(localStorage.getItem("display"));
            kept.at -= 10 * 3600000;
            localStorage.setItem("display", JSON.stringify(kept));
        }""")
        page.reload()
        expect(banner).to_be_visible()
        expect(page.get_by_role("heading", name="Brompton C Line")).to_have_count(0)
        assert "Brompton" not in page.content()
    finally:
        registry.start()
    expect(banner).to_have_count(0, timeout=60_000)
    expect(page.get_by_role("heading", name="Brompton C Line")).to_be_visible()
    visitor.close()


@test
def a_display_for_everybody(registry, browser):
    """No state of a display breaks a rule of WCAG 2.2 AA or is wider than the screen, in light and dark, en and de."""
    _, bike, _ = missing_bike(registry)
    looks = [("light", "en-GB", 390, 844), ("dark", "de-DE", 1024, 768), ("light", "de-DE", 320, 640),
             ("dark", "en-GB", 768, 1024), ("light", "en-GB", 1920, 1080)]
    found = []
    for scheme, locale, width, height in some(looks):
        visitor = Visitor(browser, registry, color_scheme=scheme, locale=locale, reduced_motion="reduce",
                          viewport={"width": width, "height": height})
        visitor.allowed.append("status of 40[13]|" + OFFLINE)
        page = visitor.page

        def check(state):
            wide = page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
            found.extend([f"{state} {scheme} {locale} {width}: wider than the screen"] if wide else [])
            for rule in Axe().run(page, options=RULES).response["violations"]:
                nodes = [node["html"][:90] for node in rule["nodes"]][:2]
                found.append(f"{state} {scheme} {locale} {width}: {rule['id']} {nodes}")

        visitor.open("/display")
        expect(page.get_by_role("textbox")).to_be_visible()
        check("pairing")
        beat(registry)
        code = pair(visitor, registry, f"{scheme} {locale} {width}")
        check("calm")
        visit = visit_id(time.time())
        hear(registry, bike, visit, 5, 0)
        beat(registry, adapters=[])
        refresh(page)
        expect(page.get_by_role("heading", name="Brompton C Line")).to_be_visible()
        check("found")
        page.locator(".answers button").first.click()
        expect(page.locator(".answers button").first).to_have_attribute("aria-pressed", "true")
        check("answered")
        # As after a while without a connection.
        visitor.context.set_offline(True)
        page.evaluate("() => { const now = Date.now; Date.now = () => now() + 120000; }")
        expect(page.get_by_role("status")).not_to_be_empty()
        check("lost")
        visitor.context.set_offline(False)
        hear(registry, bike, visit, 5, 0, ended=True)
        path = f"/v1/stations/{station(registry)}/displays/{code['display']}"
        registry.call("DELETE", path, token=registry.operator)
        visitor.close()
    assert not found, "\n".join(found)


@test
def a_display_is_small(registry, browser):
    """What a display loads before it asks for bikes is at most 30 kB."""
    visitor = Visitor(browser, registry, service_workers="block")
    visitor.allowed.append("status of 401|Service Worker")
    session = visitor.context.new_cdp_session(visitor.page)
    session.send("Network.enable")
    sizes = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    visitor.open("/display")
    visitor.page.wait_for_load_state("networkidle")
    print(f"    {len(sizes)} files, {sum(sizes) / 1000:.1f} kB")
    assert sum(sizes) <= 30_000, (json.dumps(sizes), sum(sizes))
    visitor.close()


# A bike that stands at the counter all the time.
SCENARIO = """\
name: at the counter
duration: 30m
beacons:
  - name: missing bike
    identity: {uuid}:{major}:{minor}
    measuredPower: -59
    interval: 500ms
    missing: true
    position: {{ x: 3, y: 2 }}
"""

MONITOR = """\
registry:
  url: {registry.url}
state: {folder}
station:
  tokenFile: {folder}/token
  latitude: 52.5205
  longitude: 13.4095
clock:
  trusted: true
status:
  socket: {folder}/status.sock
display:
  listen: "{address}:{port}"
"""


def own_address():
    """An address of this machine in a network if it has one: there browsers offer pages less than on the machine itself."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        # Nothing is sent.
        probe.connect(("192.0.2.1", 9))
        return probe.getsockname()[0]
    return "127.0.0.1"


class Monitor:
    """The monitor's program, which hears a bike by simulation and serves displays itself."""

    def __init__(self, registry, folder, bike):
        self.registry, self.folder, self.port = registry, folder, free_port()
        self.address = own_address()
        self.url = f"http://{self.address}:{self.port}"
        (folder / "token").write_text(registry.stations[1], encoding="utf-8")
        (folder / "token").chmod(0o600)
        (folder / "scenario.yaml").write_text(SCENARIO.format(**bike["identity"]), encoding="utf-8")
        (folder / "monitor.yaml").write_text(MONITOR.format(registry=registry, folder=folder, address=self.address, port=self.port),
                                             encoding="utf-8")
        self.log = open(folder / "monitor.log", "w", encoding="utf-8")
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [self.registry.programs / "findmybike-monitor", "--config", self.folder / "monitor.yaml", "--simulate",
             self.folder / "scenario.yaml", "--speed", "1"], stdout=self.log, stderr=self.log, process_group=0)
        self.wait("the page", lambda: urllib.request.urlopen(f"{self.url}/display", timeout=5).close() or True)

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=60)

    def wait(self, what, check):
        for _ in range(600):
            with contextlib.suppress(OSError):
                if check():
                    return
            assert self.process.poll() is None, (self.folder / "monitor.log").read_text()
            time.sleep(0.1)
        raise AssertionError(f"no {what}:\n{(self.folder / 'monitor.log').read_text()}")

    def display(self, *arguments):
        """Runs `findmybike venue display … --here`."""
        return subprocess.run([self.registry.programs / "findmybike", "venue", "display", *arguments, "--here", "--json",
                               "--config", self.folder / "monitor.yaml"], text=True, capture_output=True, timeout=60,
                              check=False)


@test
def a_display_of_the_monitor(registry, browser):
    """The monitor itself serves a display in the venue's network, also without the registry and after a restart."""
    with tempfile.TemporaryDirectory(prefix="findmybike-venue-") as name, contextlib.ExitStack() as ends:
        folder = pathlib.Path(name)
        (folder / "registry").mkdir()
        (folder / "monitor").mkdir()
        own = Registry(registry.programs, folder / "registry",
                       more="displays:\n  onVenueNetwork: true\n  contact: Anna, 030 5550123\n")
        ends.callback(lambda: own.process.poll() is None and own.stop())
        owner, bike, report = missing_bike(own)
        monitor = Monitor(own, folder / "monitor", bike)
        ends.callback(lambda: monitor.process.poll() is None and monitor.stop())
        # The registry's permission comes with the first heartbeat.
        monitor.wait("code", lambda: monitor.display("add", "--name", "Counter").returncode == 0)
        code = json.loads(monitor.display("add", "--name", "Counter").stdout)
        assert code["link"] == f"{monitor.url}/display#{code['code']}", code

        visitor = Visitor(browser, types.SimpleNamespace(url=monitor.url), viewport=TABLET)
        # This machine's own address may have a service worker, which the monitor does not serve: in a venue's network,
        # without encryption, browsers allow none.
        visitor.allowed.append("status of 401|404.* fetching the script|" + OFFLINE)
        page = visitor.page
        page.goto(code["link"])
        page.get_by_role("button", name="Connect").click()
        expect(page.get_by_role("heading", name="Brompton C Line")).to_be_visible(timeout=60_000)
        expect(page.get_by_role("heading", level=1)).to_have_text("A missing bike is here")
        expect(page.get_by_text("The station is listening")).to_be_visible()
        expect(page.get_by_text("Café Sprocket")).to_be_visible()
        expect(page.get_by_text("call the police")).to_be_visible()
        expect(page.get_by_text("Anna, 030 5550123")).to_be_visible()
        cookie = visitor.context.cookies()[0]
        assert cookie["httpOnly"] and cookie["sameSite"] == "Strict" and cookie["value"] not in page.content(), cookie
        page.get_by_role("button", name="I see it").click()
        expect(page.get_by_role("button", name="I see it")).to_have_attribute("aria-pressed", "true")
        path = f"/v1/bikes/{bike['id']}/reports/{report['id']}/sightings"

        def answered(answer):
            items = own.call("GET", path, token=owner["token"])["items"]
            return items and items[0].get("confirmation", {}).get("answer") == answer

        monitor.wait("answer", lambda: answered("seen"))

        # A guest in the same network sees nothing.
        for headers in ({}, {"Cookie": "findmybike-display=x"}, {"Host": "evil.example", "Cookie": f"{cookie['name']}={cookie['value']}"}):
            try:
                urllib.request.urlopen(urllib.request.Request(monitor.url + "/v1/display", headers=headers), timeout=5)
                raise AssertionError(f"shown to a guest: {headers}")
            except urllib.error.HTTPError as refusal:
                assert refusal.code in (401, 421) and b"Brompton" not in refusal.read(), refusal

        own.stop()
        page.get_by_role("button", name="Not here").click()
        expect(page.get_by_role("button", name="Not here")).to_have_attribute("aria-pressed", "true")
        monitor.stop()
        monitor.start()
        page.reload()
        expect(page.get_by_text("Café Sprocket")).to_be_visible()
        expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("bike"))
        own.start()
        monitor.wait("answer", lambda: answered("absent"))
        assert '"Counter"' in monitor.display("list").stdout
        assert monitor.display("revoke", "counter").returncode == 0
        refresh(page)
        expect(page.get_by_role("heading", level=1)).to_have_text("Connect this screen")
        assert stored(page) == "" and "Brompton" not in page.content()
        visitor.close()
