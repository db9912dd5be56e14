"""Signs owners up and in at a running registry with Chromium and its virtual authenticator, and checks that other sites
and thieves fail. Prints what it has checked. Usage: passkeys.py FOLDER (the folder of the built programs)."""
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

from playwright.sync_api import sync_playwright

from ports import free_port

COOKIE = "__Host-session"

# Functions that run in a page of the registry.
SCRIPT = """
(() => {
    const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
        .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    const bytes = (text) => Uint8Array.from(
        atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
    window.call = async (method, path, body) => {
        const headers = method === 'GET' ? {} : { 'Content-Type': 'application/json' };
        const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
        const content = await answer.text();
        return { status: answer.status, body: content ? JSON.parse(content) : null };
    };
    const challenge = async (isOwner) =>
        (await call('POST', isOwner ? '/v1/owner/challenge' : '/v1/passkeys/challenge', {})).body;
    window.register = async (isOwner) => {
        const made = await challenge(isOwner);
        const credential = await navigator.credentials.create({ publicKey: {
            challenge: bytes(made.challenge), rp: { id: made.relyingParty, name: 'FindMyBike' },
            user: { id: bytes(made.user), name: 'owner', displayName: 'owner' },
            pubKeyCredParams: made.algorithms.map((alg) => ({ type: 'public-key', alg })),
            excludeCredentials: made.credentials.map((id) => ({ type: 'public-key', id: bytes(id) })),
            authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        } });
        const response = credential.response;
        return {
            clientDataJSON: text(response.clientDataJSON), authenticatorData: text(response.getAuthenticatorData()),
            publicKey: text(response.getPublicKey()), publicKeyAlgorithm: response.getPublicKeyAlgorithm(),
        };
    };
    window.use = async (isOwner) => {
        const made = await challenge(isOwner);
        const credential = await navigator.credentials.get({ publicKey: {
            challenge: bytes(made.challenge), rpId: made.relyingParty, userVerification: 'required',
        } });
        const response = credential.response;
        return {
            credential: text(credential.rawId), clientDataJSON: text(response.clientDataJSON),
            authenticatorData: text(response.authenticatorData), signature: text(response.signature),
            userHandle: text(response.userHandle),
        };
    };
    // Resolves with the seconds until a stream ends.
    window.follow = (path) => new Promise((resolve) => {
        const start = performance.now();
        const source = new EventSource(path);
        window.opened = new Promise((open) => { source.onopen = open; });
        // The stream ends, and the reconnection is refused.
        source.onerror = () => {
            if (source.readyState === EventSource.CLOSED) resolve((performance.now() - start) / 1000);
        };
    });
})();
"""


def check(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")
    print(what, flush=True)


class Registry:
    def __init__(self, programs, folder, port, host="localhost"):
        self.port, self.url = port, f"http://localhost:{port}"
        settings = pathlib.Path(folder, "registry.yaml")
        settings.write_text(
            f"listen: 127.0.0.1:{port}\ndatabase: {folder}/registry.sqlite\npublicURL: http://{host}:{port}\n")
        self.log = pathlib.Path(folder, "log")
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [f"{programs}/findmybike-registry", "serve", "--config", settings], stderr=log, stdout=log)
        self.wait_for("listening")

    def wait_for(self, text):
        end = time.monotonic() + 120
        while text not in self.log.read_text():
            if self.process.poll() is not None or time.monotonic() > end:
                sys.exit(f"the registry has ended or hangs, and did not log ‘{text}’:\n{self.log.read_text()}")
            time.sleep(0.05)

    def call(self, method, path, body=None, headers=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} | (headers or {})
        request = urllib.request.Request(self.url + path, data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"null")

    def end(self):
        self.process.terminate()
        self.process.wait(timeout=120)


class Browser:
    """Chromium with a profile on disk and an authenticator that verifies its user."""

    def __init__(self, playwright, profile, url):
        self.playwright, self.profile, self.url = playwright, profile, url
        self.credentials = []
        self.start()

    def start(self):
        self.context = self.playwright.chromium.launch_persistent_context(
            self.profile, executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), headless=True,
            args=["--no-sandbox"])
        self.page = self.context.new_page()
        self.open()
        self.devtools = self.context.new_cdp_session(self.page)
        self.devtools.send("WebAuthn.enable")
        self.authenticator = self.devtools.send("WebAuthn.addVirtualAuthenticator", {"options": {
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
            "isUserVerified": True, "automaticPresenceSimulation": True,
        }})["authenticatorId"]
        for credential in self.credentials:
            self.add(credential)

    def open(self):
        # Any answer of the registry gives the page its origin.
        self.page.goto(f"{self.url}/livez")
        self.page.evaluate(SCRIPT)

    def saved(self):
        return self.devtools.send("WebAuthn.getCredentials", {"authenticatorId": self.authenticator})["credentials"]

    def add(self, credential):
        self.devtools.send(
            "WebAuthn.addCredential", {"authenticatorId": self.authenticator, "credential": credential})

    def forget(self):
        self.devtools.send("WebAuthn.clearCredentials", {"authenticatorId": self.authenticator})

    def restart(self):
        self.credentials = self.saved()
        self.context.close()
        self.start()

    def call(self, method, path, body=None):
        return self.page.evaluate("([method, path, body]) => call(method, path, body)", [method, path, body])

    def register(self, is_owner=False):
        return self.page.evaluate("(isOwner) => register(isOwner)", is_owner)

    def use(self, is_owner=False):
        return self.page.evaluate("(isOwner) => use(isOwner)", is_owner)

    def cookie(self):
        found = [cookie for cookie in self.context.cookies(self.url) if cookie["name"] == COOKIE]
        return found[0] if found else None


def problem(answer):
    return (answer["body"] or {}).get("type", "").rsplit(":", 1)[-1]


def signs_up(browser):
    answer = browser.call("POST", "/v1/sign-up", {"name": "Chromium", "passkey": browser.register()})
    check(answer["status"] == 201 and len(answer["body"]["recoveryCodes"]) == 10,
          "sign-up by passkey shows ten recovery codes")
    cookie = browser.cookie()
    check(cookie and cookie["httpOnly"] and cookie["secure"] and cookie["sameSite"] == "Strict" and cookie["path"] == "/",
          "the cookie is HttpOnly, Secure, Strict and for all paths")
    check(abs(cookie["expires"] - time.time() - 90 * 86_400) < 3600, "the cookie lasts 90 days")
    seen = browser.page.evaluate("() => document.cookie + JSON.stringify({...localStorage, ...sessionStorage})")
    check(seen == "{}", "the page cannot read the cookie, and storage holds nothing")
    return answer["body"]


def loses_its_bike(browser):
    bike = browser.call("POST", "/v1/bikes", {
        "kind": "bicycle", "make": "Brompton", "model": "C Line", "colours": ["green"]})["body"]
    report = browser.call("POST", f"/v1/bikes/{bike['id']}/reports", {"policeReference": "4471/26"})
    check(report["status"] == 201, "a session registers a bike and reports it missing")
    return f"/v1/bikes/{bike['id']}/reports/{report['body']['id']}"


def survives_restarts(browser):
    before = browser.cookie()["value"]
    browser.open()
    check(browser.call("GET", "/v1/session")["status"] == 200, "a reload keeps the session")
    browser.restart()
    answer = browser.call("GET", "/v1/session")
    check(answer["status"] == 200 and browser.cookie()["value"] == before, "a restart of the browser keeps the session")


def signs_in(browser, codes):
    check(browser.call("DELETE", "/v1/session")["status"] == 204 and browser.cookie() is None,
          "signing out removes the cookie")
    check(browser.call("GET", "/v1/session")["status"] == 401, "nobody is signed in then")
    assertion = {"name": "again", "passkey": browser.use()}
    check(browser.call("POST", "/v1/sessions", assertion)["status"] == 201, "an owner signs in by passkey")
    check(problem(browser.call("POST", "/v1/sessions", assertion)) == "passkey-refused", "a replayed assertion is refused")
    code = {"recoveryCode": codes[0]}
    check(browser.call("POST", "/v1/sessions", code)["status"] == 201, "an owner signs in by recovery code")
    sessions = browser.call("GET", "/v1/sessions")["body"]["items"]
    check(not any(session["name"] == "again" for session in sessions), "which ends the browser's former session")
    check(problem(browser.call("POST", "/v1/sessions", code)) == "code-unusable", "which works once")
    confirmed = browser.call("PUT", "/v1/session/confirmation", {"passkey": browser.use(True)})
    check(confirmed["status"] == 200 and confirmed["body"]["scope"] == "manage", "a passkey confirms the session")
    made = browser.call("POST", "/v1/owner/tokens", {"name": "pasted", "scope": "manage"})["body"]
    session = browser.call("POST", "/v1/sessions", {"name": "by token", "token": made["token"]})
    check(session["status"] == 201 and session["body"]["signedIn"] == "token", "an owner signs in by a pasted token")
    return made["token"]


def resists_other_sites(browser, registry, report):
    """A page of another origin on the same host: browsers send it the cookie, as same-site."""
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = b"<!doctype html><form method=post enctype=text/plain></form>"
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    target = f"{registry.url}{report}/closure"
    body = json.dumps({"outcome": "recovered"})
    for host in ("localhost", "127.0.0.1"):
        page = browser.context.new_page()
        answers = []
        page.on("response", lambda answer: answers.append(answer.status)
                if answer.url == target and answer.request.method == "POST" else None)
        page.goto(f"http://{host}:{server.server_port}/")
        page.evaluate(
            """async ([target, body]) => {
                const options = { method: 'POST', credentials: 'include', body };
                await fetch(target, { ...options, mode: 'no-cors' }).catch(() => {});
                await fetch(target, { ...options, headers: { 'Content-Type': 'application/json' } }).catch(() => {});
            }""", [target, body])
        with page.expect_navigation():
            page.evaluate(
                """([target, body]) => {
                    const form = document.forms[0];
                    form.action = target;
                    const field = document.createElement('input');
                    [field.name, field.value] = [body.slice(0, -1) + ', "a": "', '"}'];
                    form.append(field);
                    form.submit();
                }""", [target, body])
        expected = {403} if host == "localhost" else {401}
        check(answers and set(answers) == expected, f"changes that {host}:… sends are refused with {expected}")
        page.close()
    secret = browser.cookie()["value"]
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {}):
        status, answer = registry.call(
            "POST", f"{report}/closure", {"outcome": "recovered"}, {"Cookie": f"{COOKIE}={secret}"} | headers)
        check(status == 403 and answer["type"].endswith(":cross-site"), f"a change with the cookie and {headers} is refused")
    check("closed" not in browser.call("GET", report)["body"], "the report is still open")
    server.shutdown()


def ends_streams(browser, registry, report, token):
    session = browser.call("GET", "/v1/session")["body"]
    browser.page.evaluate("(path) => { window.ended = follow(path); }", f"{report}/sightings")
    browser.page.evaluate("() => window.opened")
    bearer = {"Authorization": f"Bearer {token}"}
    status, _ = registry.call("DELETE", f"/v1/sessions/{session['id']}", headers=bearer)
    check(status == 204, "a token ends the browser's session")
    seconds = browser.page.evaluate("() => window.ended")
    check(seconds <= 60, f"its open stream ends within 60 s ({seconds:.0f} s)")
    check(browser.call("GET", "/v1/owner")["status"] == 401 and browser.cookie() is None, "and its cookie is removed")


def lists_in_the_terminal(browser, programs, registry, token):
    check(browser.call("POST", "/v1/sessions", {"name": "again", "passkey": browser.use()})["status"] == 201,
          "the browser signs in again")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "token")
        file.write_text(token)
        file.chmod(0o600)

        def run(*words):
            return subprocess.run(
                [f"{programs}/findmybike", *words, "--registry", registry.url, "--token-file", file],
                capture_output=True, text=True, env={"HOME": folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"})

        listed = run("session", "list")
        check(listed.returncode == 0 and "again" in listed.stdout and "passkey" in listed.stdout,
              f"findmybike session list shows them: {listed.stderr}")
        ended = run("session", "revoke", "again", "--yes")
        check(ended.returncode == 0 and "signed out" in ended.stdout, f"findmybike session revoke ends one: {ended.stderr}")
        check("again" not in run("session", "list").stdout, "which is gone from the list then")
        check("localhost" in run("passkey", "list").stdout, "findmybike passkey list shows the host")


def notices_copies(browser):
    before = browser.saved()[0]
    check(browser.call("POST", "/v1/sessions", {"passkey": browser.use()})["status"] == 201, "the passkey still works")
    after = browser.saved()[0]
    check(after["signCount"] > before["signCount"], "the authenticator counts")
    browser.forget()
    browser.add(before)
    check(problem(browser.call("POST", "/v1/sessions", {"passkey": browser.use()})) == "passkey-copied",
          "a copy with an old counter is refused")
    browser.forget()
    browser.add(after)


def main():
    programs = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        port = free_port()
        registry = Registry(programs, folder, port)
        browser = Browser(playwright, f"{folder}/profile", registry.url)
        try:
            owner = signs_up(browser)
            report = loses_its_bike(browser)
            survives_restarts(browser)
            token = signs_in(browser, owner["recoveryCodes"])
            resists_other_sites(browser, registry, report)
            ends_streams(browser, registry, report, token)
            lists_in_the_terminal(browser, programs, registry, token)
            notices_copies(browser)
            registry.end()
            registry = Registry(programs, folder, port, host="bikes.localhost")
            registry.wait_for("made for another host")
            print("after a change of publicURL, the log says so")
            challenge = browser.call("POST", "/v1/passkeys/challenge", {})["body"]
            check(challenge["relyingParty"] == "bikes.localhost", "and new passkeys are for the new host")
        except SystemExit:
            print(registry.log.read_text()[-4000:], file=sys.stderr)
            raise
        finally:
            browser.context.close()
            registry.end()
    print("all checks passed")


if __name__ == "__main__":
    main()
