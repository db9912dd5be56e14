"""A real Firefox that gets real Web Push messages, without the Internet."""

import base64
import contextlib
import http.server
import itertools
import json
import pathlib
import queue
import shutil
import subprocess
import tempfile
import threading
import time

from stage import free_port, missing_bike, test
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.sync.server import serve

# Firefox asks nobody on the Internet, and gets its messages from the push service of this test.
PREFERENCES = {
    "app.normandy.enabled": False, "browser.aboutwelcome.enabled": False, "browser.newtabpage.enabled": False,
    "browser.safebrowsing.update.enabled": False, "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False, "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "services.settings.server": "http://127.0.0.1:1/", "toolkit.telemetry.enabled": False,
    "dom.push.connection.enabled": True, "dom.push.testing.allowInsecureServerURL": True, "remote.active-protocols": 1,
    # Firefox draws its notifications itself, since this machine may have nothing that does.
    "alerts.useSystemBackend": False, "intl.accept_languages": "en-GB",
}


class PushService:
    """A push service on this machine: browsers connect to it as to Mozilla's (a WebSocket with the subprotocol
    push-notification), and it takes messages over HTTP (RFC 8030)."""

    def __init__(self):
        self.messages = []
        self.browser, self.channel = None, None
        self.socket = serve(self.serve_browser, "127.0.0.1", 0, subprotocols=["push-notification"])
        self.address = f"ws://127.0.0.1:{self.socket.socket.getsockname()[1]}/"
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                self.send_response(201)
                self.send_header("Content-Length", "0")
                self.end_headers()
                service.pass_on(dict(self.headers), body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self.server.server_port}/push/1"
        for run in (self.socket.serve_forever, self.server.serve_forever):
            threading.Thread(target=run, daemon=True).start()

    def serve_browser(self, browser):
        self.browser = browser
        with contextlib.suppress(ConnectionClosed):
            self.answer(browser)

    def answer(self, browser):
        for text in browser:
            said = json.loads(text)
            answer = {"messageType": said.get("messageType"), "status": 200}
            if answer["messageType"] == "hello":
                browser.send(json.dumps(answer | {"uaid": "a" * 32, "use_webpush": True, "broadcasts": {}}))
            elif answer["messageType"] == "register":
                self.channel = said["channelID"]
                browser.send(json.dumps(answer | {"channelID": self.channel, "pushEndpoint": self.endpoint}))
            elif answer["messageType"] == "unregister":
                browser.send(json.dumps(answer | {"channelID": said["channelID"]}))
            elif not said:
                browser.send("{}")

    def pass_on(self, headers, body):
        self.messages.append((headers, body))
        data = base64.urlsafe_b64encode(body).rstrip(b"=").decode()
        self.browser.send(json.dumps({
            "messageType": "notification", "channelID": self.channel, "version": str(len(self.messages)), "data": data,
            "headers": {"encoding": headers["Content-Encoding"]}}))

    def close(self):
        self.socket.shutdown()
        self.server.shutdown()


class Firefox:
    """Firefox with a profile of its own, driven by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/)."""

    def __init__(self, push):
        self.profile = tempfile.mkdtemp(prefix="findmybike-firefox-")
        preferences = PREFERENCES | {"dom.push.serverURL": push.address}
        pathlib.Path(self.profile, "user.js").write_text(
            "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items()))
        port = free_port()
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--profile", self.profile, "--remote-debugging-port", str(port),
             "--remote-allow-system-access", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={"HOME": self.profile, "PATH": "/usr/bin:/bin"})
        self.numbers, self.answers, self.faults = itertools.count(1), {}, []
        self.arrived = queue.Queue()
        self.link = self.connect(f"ws://127.0.0.1:{port}/session")
        threading.Thread(target=self.listen, daemon=True).start()
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded"])
        self.page = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def connect(self, url):
        for _ in range(240):
            with contextlib.suppress(OSError):
                return connect(url, max_size=None)
            if self.process.poll() is not None:
                break
            time.sleep(0.25)
        raise AssertionError("Firefox did not start")

    def listen(self):
        with contextlib.suppress(Exception):  # the connection ends with Firefox
            for text in self.link:
                message = json.loads(text)
                if message.get("method") == "log.entryAdded":
                    self.heard(message["params"])
                elif "id" in message:
                    self.arrived.put(message)

    def heard(self, entry):
        if entry["level"] in ("error", "warn"):
            self.faults.append(f"{entry['level']}: {entry['text']}")

    def call(self, method, **parameters):
        number = next(self.numbers)
        self.link.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = self.arrived.get(timeout=60)
            if answer["id"] == number:
                assert answer["type"] == "success", f"{method}: {answer}"
                return answer["result"]

    def evaluate(self, expression, page=None):
        result = self.call("script.evaluate", expression=f"(async () => JSON.stringify(await ({expression})))()",
                           target={"context": page or self.page}, awaitPromise=True)
        assert result["type"] == "success", result["exceptionDetails"]["text"]
        text = result["result"].get("value")
        return None if text is None else json.loads(text)

    def wait_for(self, expression, what, page=None):
        for _ in range(240):
            value = self.evaluate(expression, page)
            if value:
                return value
            time.sleep(0.25)
        raise AssertionError(f"{what}: not within a minute")

    def open(self, url):
        self.call("browsingContext.navigate", context=self.page, url=url, wait="complete")
        self.wait_for("document.querySelector('h1')?.textContent", url)

    def find(self, locator):
        for _ in range(80):
            nodes = self.call("browsingContext.locateNodes", context=self.page, locator=locator)["nodes"]
            if nodes:
                return nodes[0]
            time.sleep(0.25)
        raise AssertionError(f"the page does not show {locator}")

    def click(self, locator):
        """A click by the mouse, which the page can tell from one by a script."""
        node = self.find(locator)
        self.call("script.callFunction", functionDeclaration="(node) => node.scrollIntoView({block: 'center'})",
                  arguments=[{"sharedId": node["sharedId"]}], target={"context": self.page}, awaitPromise=False)
        origin = {"type": "element", "element": {"sharedId": node["sharedId"]}}
        self.call("input.performActions", context=self.page, actions=[{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": origin}, {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0}]}])

    def type(self, text):
        keys = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        self.call("input.performActions", context=self.page,
                  actions=[{"type": "key", "id": "keyboard", "actions": keys}])

    def sign_in(self, registry, token):
        self.open(f"{registry.url}/sign-in")
        self.click({"type": "css", "value": "summary"})
        self.click({"type": "css", "value": "input[name=secret]"})
        self.type(f"{token}\ue007")
        self.wait_for("location.pathname === '/my'", "signing in")

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=30)
        shutil.rmtree(self.profile, ignore_errors=True)


def button(name):
    return {"type": "accessibility", "value": {"role": "button", "name": name}}


NOTIFICATIONS = """navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
    .then((shown) => shown.map(({title, body, tag, data}) => ({title, body, tag, data})))"""


@test
def push_in_firefox(registry, _):
    """In Firefox a sighting arrives as an encrypted message, is shown with the page open, and a click opens the bike."""
    owner, bike, _ = missing_bike(registry)
    push = PushService()
    firefox = Firefox(push)
    try:
        firefox.call("permissions.setPermission", descriptor={"name": "notifications"}, state="granted", origin=registry.url)
        firefox.sign_in(registry, owner["token"])
        # A page that is loading while the worker becomes active is not claimed, and is without it until it is loaded again.
        firefox.wait_for(
            "navigator.serviceWorker.getRegistration().then((found) => found?.active?.state === 'activated')", "the service worker")
        firefox.open(f"{registry.url}/my/account")
        firefox.wait_for("navigator.serviceWorker.controller !== null", "a page that has the service worker")
        firefox.click(button("Turn on messages on this device"))
        firefox.wait_for("document.querySelector('.chip.good')?.textContent", "messages on this device")
        channels = registry.call("GET", "/v1/channels", token=owner["token"])["items"]
        assert [channel["kind"] for channel in channels] == ["webpush"] and channels[0]["verified"], channels

        registry.hear(0, bike, 30, 20)
        shown = firefox.wait_for(f"{NOTIFICATIONS}.then((all) => all.find(({{body}}) => body.includes('Parkhaus Mitte')))",
                                 "the notification")
        assert "Brompton C Line" in shown["title"] + shown["body"], shown
        headers, body = push.messages[-1]
        assert headers["Content-Encoding"] == "aes128gcm" and headers["Authorization"].startswith("vapid "), headers
        assert b"Brompton" not in body and b"Parkhaus" not in body
        print(f"    {shown['title']}: {shown['body'][:60]}…")
        click_on_notification(firefox, shown["title"])
        firefox.wait_for(f"location.pathname === '/my/bikes/{bike['id']}'", "the bike's page")
        firefox.wait_for("document.querySelector('.latest-place')?.textContent === 'Parkhaus Mitte'", "the trail")
        assert not firefox.faults, firefox.faults
    finally:
        firefox.close()
        push.close()


def click_on_notification(firefox, title):
    """A click on a notification that Firefox drew: it is a window of the browser's own, which opens some time after the
    notification is listed."""
    click = f"""document.readyState === "complete" && document.getElementById("alertTitleLabel")?.value === {json.dumps(title)}
        && document.getElementById("alertBox").click() === undefined"""
    for _ in range(240):
        for window in firefox.call("browsingContext.getTree", **{"moz:scope": "chrome"})["contexts"]:
            # A window may be closed or loaded meanwhile; it is looked for again.
            with contextlib.suppress(AssertionError):
                if "alert" in window["url"] and firefox.evaluate(click, window["context"]):
                    return
        time.sleep(0.25)
    raise AssertionError("Firefox showed no notification within a minute")
