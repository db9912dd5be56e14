"""Measures the owner's pages on an emulated phone, the median of several visits. Started by run-pages.sh.

Usage: phone.py PROGRAMS VISITS [good|slow]
PROGRAMS: the folder of findmybike-registry.

The phone is Chromium with a screen of 390×844, the CPU slowed 4 times, 150 ms for each request and 1.6 Mbit/s (by default),
or 400 ms and 400 kbit/s (slow), all by the DevTools protocol. Each visit is one of a new browser profile, without anything in its cache. As in the operators' guide,
Caddy is in front of the registry, with TLS and HTTP/2.
"""

import contextlib
import json
import pathlib
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests/Pages"))
from playwright.sync_api import sync_playwright  # noqa: E402
from stage import Registry, caddy, free_port, missing_bike  # noqa: E402

PROGRAMS, VISITS = sys.argv[1], int(sys.argv[2])
IS_SLOW = sys.argv[3:] == ["slow"]
LATENCY, RATE = (400, 400e3 / 8) if IS_SLOW else (150, 1.6e6 / 8)
NETWORK = {"offline": False, "latency": LATENCY, "downloadThroughput": RATE, "uploadThroughput": RATE}

# Web Vitals as browsers report them: Largest Contentful Paint, Layout Instability, Event Timing.
OBSERVER = """
    window.vitals = { lcp: 0, cls: 0, interactions: [] };
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => (vitals.lcp = entry.startTime)))
        .observe({ type: "largest-contentful-paint", buffered: true });
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
        if (!entry.hadRecentInput) vitals.cls += entry.value;
    })).observe({ type: "layout-shift", buffered: true });
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
        if (entry.interactionId) vitals.interactions.push(entry.duration);
    })).observe({ type: "event", buffered: true, durationThreshold: 16 });
    // When the page first had what a person has come for, by its own clock: the frame after that.
    window.shown = {};
    const look = () => SIGNS.filter((sign) => !(sign in shown) && document.querySelector(sign)).forEach((sign) => {
        shown[sign] = 0;
        requestAnimationFrame(() => setTimeout(() => { shown[sign] = performance.now(); }));
    });
    new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true });
    // When a sighting's row came into the page, by the clock of this machine.
    window.rows = {};
    new MutationObserver(() => document.querySelectorAll(".trail > li h3").forEach((place) => {
        rows[place.textContent] ??= Date.now();
    })).observe(document, { childList: true, subtree: true });
"""

# What a person has come for, on the pages that are measured on a slow line.
SIGNS = {"welcome": "h1", "bikes": ".card", "trail, with the map": ".leaflet-container path.latest", "reported": "main.searching"}

# The last words of a row's name, and its goal.
GOALS = {"welcome: shown, s": 1.8, "bikes: shown, s": 2.2, "map: shown, s": 3, "reported, s": 4, "requests": 20, "frame, s": 1.5,
         "with the map: kB": 100, "kB": 40, "LCP, s": 1, "CLS": 0.02, "is shown: ms": 1000, "ms": 200}

measured = {}


def note(name, value):
    measured.setdefault(name, []).append(value)


def print_row(name, values):
    value = statistics.median(values)
    goal = next(goal for words, goal in GOALS.items() if name.endswith(words))
    print(f"  {name:34} {value:9.3f}   ({min(values):.3f} to {max(values):.3f}); goal: at most {goal}"
          + ("" if value <= goal else "  MISSED"))


class Phone:
    """A browser profile of its own, signed in with a token unless there is none."""

    def __init__(self, browser, url, token=None, **options):
        self.url = url
        phone = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 3, "is_mobile": True, "has_touch": True}
        self.context = browser.new_context(**phone | {"locale": "en-GB", "ignore_https_errors": True} | options)
        self.context.add_init_script(OBSERVER.replace("SIGNS", json.dumps(list(SIGNS.values()))))
        if token:
            answer = self.context.request.post(
                f"{url}/v1/sessions", data={"token": token},
                headers={"Origin": url, "Sec-Fetch-Site": "same-origin"})
            assert answer.ok, answer.text()
            # As the sign-in page marks it.
            self.context.add_init_script("localStorage.setItem('signedIn', '1')")
        self.page = self.context.new_page()
        self.bytes, self.requests = 0, 0
        self.devtools = self.context.new_cdp_session(self.page)
        self.devtools.send("Network.enable")
        self.devtools.on("Network.loadingFinished", self.count)
        self.devtools.send("Network.emulateNetworkConditions", NETWORK)
        self.devtools.send("Emulation.setCPUThrottlingRate", {"rate": 4})

    def count(self, event):
        self.bytes += event["encodedDataLength"]
        self.requests += 1

    def open(self, path, sign):
        self.page.goto(self.url + path)
        self.page.locator(sign).first.wait_for()
        # Later paints and shifts count, too.
        self.page.wait_for_timeout(1500)
        return self.page.evaluate("() => vitals")

    def tap(self, locator):
        """The slowest of a tap's events: from the finger to the next paint."""
        self.page.evaluate("() => { vitals.interactions = []; }")
        locator.tap()
        self.page.wait_for_timeout(600)
        # Shorter ones than 16 ms are not reported.
        return max(self.page.evaluate("() => vitals.interactions"), default=16)

    def wait_for(self, expression):
        """The value of an expression in the page, once it is true."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            answer = self.devtools.send("Runtime.evaluate", {"expression": expression, "returnByValue": True})
            # Before the page's own document is there, the expression fails.
            if value := answer["result"].get("value"):
                return value
            self.page.wait_for_timeout(20)
        sys.exit(f"phone.py: after a minute, the page has no {expression}, but: {self.page.inner_text('body')}")

    def tap_button(self, text):
        """Taps the first button with a text, once it is there."""
        x, y = self.wait_for(f"""(() => {{
            const button = [...document.querySelectorAll("button")].find((button) => button.textContent === "{text}");
            button?.scrollIntoView({{block: "center", behavior: "instant"}});
            const box = button?.getBoundingClientRect();
            return box?.width ? [box.x + box.width / 2, box.y + box.height / 2] : null;
        }})()""")
        self.page.touchscreen.tap(x, y)

    def close(self):
        self.context.close()


def first_visits(url, browser, owner, bike, other):
    pages = {"welcome": ("/", "h1", None), "sign-in": ("/sign-in", "h1", None),
             "bikes": ("/my", ".card", owner["token"]),
             "bike": (f"/my/bikes/{other['id']}", "button.alarm", owner["token"]),
             "trail, with the map": (f"/my/bikes/{bike['id']}", ".trail > li", owner["token"])}
    for name, (path, sign, token) in pages.items():
        phone = Phone(browser, url, token)
        vitals = phone.open(path, sign)
        note(f"{name}: kB", phone.bytes / 1000)
        note(f"{name}: LCP, s", vitals["lcp"] / 1000)
        note(f"{name}: CLS", vitals["cls"])
        # A second visit of the same browser, with the service worker.
        phone.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        vitals = phone.open(path, sign)
        note(f"{name}, again: LCP, s", vitals["lcp"] / 1000)
        phone.close()


def slow_visits(url, browser, owner, bike):
    """First visits until what a person has come for is there. Playwright's locators would compile their own script first,
    which takes such a phone some tenths of a second: here the page is only asked for its clock."""
    pages = {"welcome": ("/", None), "bikes": ("/my", owner["token"]),
             "trail, with the map": (f"/my/bikes/{bike['id']}", owner["token"])}
    for name, (path, token) in pages.items():
        phone = Phone(browser, url, token)
        phone.page.goto(url + path, wait_until="commit")
        there = phone.wait_for(f"shown[{SIGNS[name]!r}]")
        frame = phone.wait_for("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
        note(f"{name}: frame, s", frame / 1000)
        note(f"{name}: shown, s", there / 1000)
        phone.page.wait_for_timeout(3000)
        note(f"{name}: kB", phone.bytes / 1000)
        note(f"{name}: requests", phone.requests)
        phone.close()


def report(url, browser, owner, registry):
    """From opening the list of bikes until the report of one of them is there."""
    registry.bike(owner["token"], make="Honda", model="Dax", kind="motorbike")
    phone = Phone(browser, url, owner["token"])
    phone.page.goto(url + "/my", wait_until="commit")
    phone.tap_button("It’s gone")
    phone.tap_button("Report as missing")
    # A page that is shown without loading the document again has the same clock.
    note("reported, s", phone.wait_for(f"shown[{SIGNS['reported']!r}]") / 1000)
    phone.close()


def taps(url, browser, owner):
    phone = Phone(browser, url, owner["token"])
    phone.open("/my", ".card")
    note("tap on ‘It’s gone’: ms", phone.tap(phone.page.get_by_role("button", name="It’s gone").first))
    phone.page.get_by_role("button", name="Cancel").tap()
    note("tap on a bike: ms", phone.tap(phone.page.locator("a.card.missing").first))
    phone.close()


def live(url, browser, registry, number):
    """A new sighting's way to an open trail."""
    owner, bike, _ = missing_bike(registry)
    registry.hear(number % 2, bike, 60, 50)
    phone = Phone(browser, url, owner["token"])
    phone.open(f"/my/bikes/{bike['id']}", ".live.on")
    registry.hear(2, bike, 2, 0, ended=False)
    stored = time.time()
    phone.page.wait_for_function("() => rows['Tankstelle Ost']")
    note("stored until it is shown: ms", max(0, phone.page.evaluate("() => rows['Tankstelle Ost']") - stored * 1000))
    phone.close()


@contextlib.contextmanager
def staged():
    """A registry behind Caddy, and a browser: the address, the registry and the browser."""
    url = f"https://localhost:{(port := free_port())}"
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        registry = Registry(PROGRAMS, folder, public=url, more="proxy: {trusted: 127.0.0.1}\nlog: {level: warning}\n")
        stack.callback(registry.stop)
        stack.enter_context(caddy(folder, port, registry))
        playwright = stack.enter_context(sync_playwright())
        # Service workers begin only at a certificate that the browser accepts.
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium",
                                             args=["--no-sandbox", "--ignore-certificate-errors"])
        stack.callback(browser.close)
        yield url, registry, browser


def main():
    with staged() as (url, registry, browser):
        owner, bike, _ = missing_bike(registry)
        other = registry.bike(owner["token"], make="Vespa", model="Primavera", kind="scooter")
        for station in range(4):
            registry.hear(station, bike, 900 - station * 200, 800 - station * 200)
        for number in range(VISITS):
            print(f"visit {number + 1} of {VISITS}", file=sys.stderr, flush=True)
            if IS_SLOW:
                slow_visits(url, browser, owner, bike)
                report(url, browser, missing_bike(registry)[0], registry)
                continue
            first_visits(url, browser, owner, bike, other)
            taps(url, browser, owner)
            live(url, browser, registry, number)
    for name, values in measured.items():
        print_row(name, values)


if __name__ == "__main__":
    main()
