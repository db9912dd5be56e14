"""The pages in WebKit, the engine of iPhones: Debian's WebKitGTK, driven by WebDriver.

https://www.w3.org/TR/webdriver2/. It has no passkeys and no Web Push; its window is that of Fixtures/webkit_window.py.
"""

import base64
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

import displays
from finders import sticker
from midnight import listen
from stage import Registry, caddy, free_port, missing_bike, test, visit_id

WINDOW = pathlib.Path(__file__).resolve().parent / "Fixtures/webkit_window.py"
# The name of an element's identifier (WebDriver, section 12.1).
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
# The last of these elements, inside the open dialog if there is one, that is shown and has this text.
NAMED = """
    const [selector, text] = arguments;
    const place = [...document.querySelectorAll("dialog[open]")].pop() ?? document;
    const found = [...place.querySelectorAll(selector)].filter((element) => element.checkVisibility() &&
        (element.getAttribute("aria-label") ?? element.textContent).trim().startsWith(text)).pop();
    // The driver itself would scroll as smoothly as the page wishes, and click before the element is there.
    found?.scrollIntoView({behavior: "instant", block: "center"});
    return found ?? null;
"""


class WebKit:
    """A window of WebKit as large as a phone, without anything kept from before."""

    def __init__(self, language="en-GB", size="390x844"):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="findmybike-webkit-"))
        self.port, self.session, self.processes = free_port(), "", []
        read, write = os.pipe()
        self.start("Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp", pass_fds=[write])
        os.close(write)
        with open(read, encoding="ascii") as display:
            number = display.readline().strip()
        environment = {"DISPLAY": f":{number}", "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1", "HOME": str(self.folder),
                       "XDG_RUNTIME_DIR": str(self.folder), "PATH": "/usr/bin:/bin", "WEBKIT_LANGUAGE": language,
                       "WEBKIT_SIZE": size, "WEBKIT_FAULTS": str(self.folder / "faults")}
        self.start("WebKitWebDriver", f"--port={self.port}", env=environment)
        options = {"binary": str(WINDOW), "args": ["--automation"]}
        wanted = {"acceptInsecureCerts": True, "webkitgtk:browserOptions": options}
        try:
            self.session = f"/session/{self.begin({'alwaysMatch': wanted})['sessionId']}"
        except AssertionError:
            self.close()
            raise

    def begin(self, capabilities):
        for _ in range(240):
            with contextlib.suppress(urllib.error.URLError):
                return self.call("POST", "/session", {"capabilities": capabilities})
            time.sleep(0.25)
        raise AssertionError("WebKitWebDriver did not start")

    def start(self, *command, **options):
        self.processes.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                               start_new_session=True, **options))

    def call(self, method, path, body=None):
        data = None if method == "GET" else json.dumps(body or {}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{self.session}{path}", data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path} {body}: {error.read().decode()}") from None

    def evaluate(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait_for(self, script, *arguments):
        """What a script gives once it is something; while a page is left, it may fail."""
        for _ in range(240):
            with contextlib.suppress(AssertionError):
                if value := self.evaluate(script, *arguments):
                    return value
            time.sleep(0.125)
        shown = self.evaluate("return location.href + ' shows: ' + document.body.innerText.slice(0, 600)")
        raise AssertionError(f"{script} {arguments}: not within half a minute; {shown}")

    def open(self, url):
        self.call("POST", "/url", {"url": url})
        self.wait_for("return document.querySelector('h1')?.textContent")

    def shows(self, text):
        return self.wait_for("return document.body.innerText.includes(arguments[0])", text)

    def find(self, selector, text=""):
        return self.wait_for(NAMED, selector, text)[ELEMENT]

    def press(self, selector, text=""):
        """Clicks an element; another one in its place, if the page has drawn it again meanwhile."""
        for _ in range(5):
            try:
                return self.call("POST", f"/element/{self.find(selector, text)}/click")
            except AssertionError as error:
                if "stale element reference" not in str(error):
                    raise
        raise AssertionError(f"{selector} {text}: drawn again and again")

    def type(self, selector, text):
        self.call("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def picture(self, name, folder=pathlib.Path(".build/webkit")):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.png").write_bytes(base64.b64decode(self.call("GET", "/screenshot")))

    def faults(self):
        file = self.folder / "faults"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def close(self):
        for process in reversed(self.processes):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=30)
        shutil.rmtree(self.folder, ignore_errors=True)


@contextlib.contextmanager
def staged(programs):
    """A registry behind TLS: unlike other browsers, WebKit keeps no cookie of a session from http://localhost."""
    url = f"https://localhost:{(port := free_port())}"
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="findmybike-webkit-"))
        registry = Registry(programs, folder, public=url, more="proxy: {trusted: 127.0.0.1}\n")
        stack.callback(registry.stop)
        stack.enter_context(caddy(folder, port, registry))
        yield registry, url


@contextlib.contextmanager
def window(name, **options):
    """A window that must log no error and break no policy; its last picture is in .build/webkit."""
    webkit = WebKit(**options)
    try:
        yield webkit
        assert not webkit.faults(), webkit.faults()
        # An error would have been noticed.
        webkit.evaluate("setTimeout(() => { throw new Error('on purpose'); })")
        for _ in range(100):
            if "on purpose" in webkit.faults():
                break
            time.sleep(0.1)
        else:
            raise AssertionError("an error on purpose was not noticed")
    finally:
        webkit.picture(name)
        webkit.close()


def sign_in(webkit, url, secret):
    webkit.open(f"{url}/sign-in")
    # Without passkeys, the other way is open.
    webkit.type("input[name=secret]", secret)
    webkit.press("details button", "Sign in")


@test
def owners_in_webkit(registry, _):
    """In WebKit: both languages, what is said without passkeys, a recovery code, a report by a dialog with date and
    time, and a trail that is live."""
    with staged(registry.programs) as (registry, url):
        listen(registry)
        owner = registry.owner()
        bike = registry.bike(owner["token"])
        with window("welcome", language="de-DE") as webkit:
            webkit.open(url)
            webkit.shows("Finde dein Rad wieder, wenn es weg ist")
            webkit.evaluate("const choice = document.querySelector('header select.language'); choice.value = 'en';"
                            "choice.dispatchEvent(new Event('change', {bubbles: true}));")
            webkit.shows("Find your bike when it is gone")
            assert webkit.evaluate("return document.documentElement.lang") == "en"
            webkit.press("a", "Create an account")
            webkit.shows("This browser cannot keep passkeys")
            webkit.open(f"{url}/about")
            webkit.shows("4 stations listen now.")
        with window("trail") as webkit:
            sign_in(webkit, url, owner["recoveryCodes"][0])
            webkit.shows("9 codes are left")
            webkit.press("button", "Go on")
            webkit.press("button", "It’s gone")
            assert webkit.wait_for("return document.querySelector('dialog[open]')?.matches(':modal')")
            webkit.picture("gone")
            webkit.press("summary", "When, where and police reference")
            # A browser without such fields would say that it is text.
            assert webkit.evaluate("return document.querySelector('dialog input').type") == "datetime-local"
            webkit.press("button", "Report as missing")
            webkit.wait_for("return location.pathname === arguments[0]", f"/my/bikes/{bike['id']}")
            webkit.shows("No station has heard it yet")
            webkit.shows("4 stations listen for it.")
            webkit.wait_for("return document.querySelector('.live.on')")
            webkit.picture("reported")
            # A sighting counts from the report on.
            time.sleep(1.1)
            registry.hear(2, bike, 0, 0, ended=False)
            webkit.wait_for("return document.querySelector('.latest-place')?.textContent === 'Tankstelle Ost'")
            webkit.wait_for("return document.querySelector('.leaflet-container path')")
            webkit.press("a", "My bikes")
            webkit.shows("Last heard")
            webkit.call("POST", "/back")
            webkit.wait_for("return document.querySelector('.live.on')")


@test
def strangers_in_webkit(registry, _):
    """In WebKit: a finder writes and gets the answer, a buyer checks, somebody who is followed looks a beacon up and
    writes, a friend follows a search by a link and writes, and a venue's display takes an answer."""
    with staged(registry.programs) as (registry, url):
        owner, bike, report = missing_bike(registry)
        token = owner["token"]
        displays.beat(registry)
        path = f"/v1/bikes/{bike['id']}"
        with window("finder") as webkit:
            webkit.open(sticker(registry, owner, bike)["link"])
            webkit.type("textarea", "It stands behind the station.")
            webkit.press("button", "Send")
            webkit.shows("Your message has been sent.")
            [conversation] = registry.call("GET", f"{path}/conversations", None, token)["items"]
            registry.call("POST", f"{path}/conversations/{conversation['id']}/answers", {"text": "On my way."}, token)
            webkit.shows("On my way.")
        with window("check") as webkit:
            webkit.open(f"{url}/check")
            webkit.type("main form input", "WTU 123")
            webkit.press("main form button", "Check")
            webkit.shows("This proves nothing.")
        with window("followed") as webkit:
            webkit.open(f"{url}/followed")
            for name in ("uuid", "major", "minor"):
                webkit.type(f"form[action='/followed/beacon'] [name={name}]", str(bike["identity"][name]))
            webkit.press("button", "Look it up")
            webkit.shows("It belongs to this registry")
            webkit.type("textarea", "In my coat.")
            webkit.press("button", "Send")
            webkit.shows("Sent to the operator")
        with window("share") as webkit:
            webkit.open(registry.call("POST", f"{path}/shares", {}, token)["link"])
            webkit.wait_for("return document.querySelector('.live.on')")
            registry.hear(0, bike, 30, 20)
            webkit.wait_for("return document.querySelector('.latest-place')?.textContent === 'Parkhaus Mitte'")
            webkit.wait_for("return document.querySelector('.leaflet-container path')")
            webkit.press("summary", "Write to the owner")
            webkit.type("textarea", "I see it.")
            webkit.press("form button", "Send")
            webkit.wait_for("return document.querySelector('form textarea')?.value !== 'I see it.'")
        with window("display", size="1024x768") as webkit:
            code = registry.call("POST", f"/v1/stations/{displays.station(registry)}/displays", {"name": "Bar"},
                                 registry.operator)["code"]
            webkit.open(f"{url}/display#{code}")
            webkit.press("button", "Connect")
            webkit.shows("No missing bike is here")
            displays.hear(registry, bike, visit_id(time.time()), 20, 0)
            webkit.evaluate("dispatchEvent(new Event('online'))")
            webkit.press(".answers button", "I see it")
            webkit.wait_for("return document.querySelector('.answers [aria-pressed=true]')")
            sightings = registry.call("GET", f"{path}/reports/{report['id']}/sightings", None, token)["items"]
            answers = [each["confirmation"]["answer"] for each in sightings if "confirmation" in each]
            assert answers == ["seen"], sightings
