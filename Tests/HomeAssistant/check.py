"""Listens with the monitor through a real Home Assistant that has two Bluetooth proxies: see scripts/home-assistant.sh."""

import asyncio
import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

from websockets.asyncio.client import connect

HERE = pathlib.Path(__file__).resolve().parents[2]
ROOT, PROGRAMS = (pathlib.Path(argument) for argument in sys.argv[1:3])
PORT = 8123
URL = f"http://127.0.0.1:{PORT}"
BEACON = "1AFF4C0002157F3A9C521B644E0D8A275D9E60C4B813126751{:02X}C5"


def post(path, fields, token=None, form=False):
    data = urllib.parse.urlencode(fields) if form else json.dumps(fields)
    headers = {"Content-Type": "application/x-www-form-urlencoded" if form else "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(URL + path, data.encode(), headers)
    with urllib.request.urlopen(request, timeout=300) as response:
        return json.load(response)


def commands(token, *wanted):
    """The results of commands of the WebSocket API."""

    async def run():
        results = []
        async with connect(f"ws://127.0.0.1:{PORT}/api/websocket") as socket:
            await socket.recv()
            await socket.send(json.dumps({"type": "auth", "access_token": token}))
            assert json.loads(await socket.recv())["type"] == "auth_ok"
            for number, command in enumerate(wanted, 1):
                await socket.send(json.dumps({"id": number, **command}))
                while (answer := json.loads(await socket.recv()))["id"] != number or answer["type"] != "result":
                    pass
                results.append(answer)
        return results

    return asyncio.run(run())


def long_lived(token, name):
    command = {"type": "auth/long_lived_access_token", "client_name": name, "lifespan": 30}
    return commands(token, command)[0]["result"]


def access(code):
    fields = {"grant_type": "authorization_code", "code": code, "client_id": f"{URL}/"}
    return post("/auth/token", fields, form=True)["access_token"]


def until(what, check, limit=150):
    began = time.monotonic()
    while not check():
        if time.monotonic() - began > limit:
            raise SystemExit(f"after {limit} s still not: {what}")
        time.sleep(0.5)
    print(f"{what}: after {time.monotonic() - began:.1f} s", flush=True)


class Program:
    """A program that ends with the check."""

    started = []

    def __init__(self, *command, **options):
        self.process = subprocess.Popen(command, text=True, **options)
        Program.started.append(self)

    def end(self):
        self.process.terminate()
        self.process.wait(60)


def home_assistant():
    log = open(ROOT / "srv/config/output.log", "a", encoding="utf-8")
    program = Program("chroot", str(ROOT), "/srv/ha/bin/hass", "-c", "/srv/config", stdout=log, stderr=log)

    def answers():
        with contextlib.suppress(OSError):
            urllib.request.urlopen(URL, timeout=5).close()
            return True
        return False

    until("Home Assistant answers", answers, 600)
    return program


def proxy(folder, number, name):
    adverts = folder / f"{name}.txt"
    adverts.write_text(f"AABBCCDDEE0{number} 1 -6{number} {BEACON.format(number)}\n", encoding="ascii")
    program = Program(
        sys.executable, HERE / "Tests/Radio/ESPHomeTests/Fixtures/proxy.py", adverts, "--rate", "1", "--times", "100000",
        "--newest", "--name", name, "--address", f"AA:00:00:00:00:0{number}", stdout=subprocess.PIPE)
    return program, int(program.process.stdout.readline())


def main(folder):
    (ROOT / "srv/config/configuration.yaml").write_text(
        "http:\n  server_host: 127.0.0.1\napi:\nwebsocket_api:\nbluetooth:\nconfig:\n", encoding="ascii")
    hass = home_assistant()
    user = {"name": "A", "username": "a", "password": "a long password", "language": "en", "client_id": f"{URL}/"}
    admin = access(post("/api/onboarding/users", user)["auth_code"])
    (kitchen, first), (yard, second) = proxy(folder, 1, "kitchen"), proxy(folder, 2, "yard")
    for port in (first, second):
        flow = post("/api/config/config_entries/flow", {"handler": "esphome"}, admin)["flow_id"]
        made = post(f"/api/config/config_entries/flow/{flow}", {"host": "127.0.0.1", "port": port}, admin)
        assert made["type"] == "create_entry", made

    token = folder / "token"
    token.touch(0o600)
    token.write_text(long_lived(admin, "monitor"), encoding="ascii")
    (folder / "station-token").write_text("x", encoding="ascii")
    (folder / "monitor.yaml").write_text(f"""
registry: {{url: "http://127.0.0.1:9"}}
station: {{tokenFile: {folder}/station-token, latitude: 51.5, longitude: -0.12}}
state: {folder}
status: {{socket: {folder}/status.sock}}
radio: {{backend: none}}
receivers:
  - {{name: home, home-assistant: "{URL}", tokenFile: {token}}}
  - {{name: yard, source: "AA:00:00:00:00:02"}}
""", encoding="ascii")
    Program(PROGRAMS / "findmybike-monitor", "--config", folder / "monitor.yaml",
            stderr=open(folder / "log", "w", encoding="utf-8"))

    def radios():
        command = [PROGRAMS / "findmybike", "venue", "status", "--json", "--socket", folder / "status.sock"]
        output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        return {radio["adapter"]: radio for radio in json.loads(output)["radios"]} if output else {}

    def listens(*names):
        known = radios()
        return all(name in known and known[name]["state"] == "scanning" for name in names)

    def fails(name, text):
        radio = radios().get(name)
        return bool(radio) and radio["state"] == "failed" and text in radio["lastError"]

    until("both proxies are heard", lambda: listens("home", "home.kitchen", "yard"))
    before = radios()["yard"]["reports"]
    until("a beacon that stays is heard again", lambda: radios()["yard"]["reports"] >= before + 2)

    hass.end()
    until("a restart is noticed", lambda: fails("yard", "Home Assistant"))
    hass = home_assistant()
    until("both are heard after the restart", lambda: listens("home", "home.kitchen", "yard"), 300)

    kitchen.end()
    until("a proxy that is off is noticed", lambda: fails("home.kitchen", "does not have this"))
    assert listens("home", "yard")

    made = commands(token.read_text(), {"type": "auth/refresh_tokens"})[0]["result"]
    revoked = next(entry["id"] for entry in made if entry["client_name"] == "monitor")
    fresh = long_lived(token.read_text(), "monitor again")
    commands(fresh, {"type": "auth/delete_refresh_token", "refresh_token_id": revoked})
    until("a revoked token is noticed", lambda: fails("home", "does not accept the token"))
    token.write_text(fresh, encoding="ascii")
    until("another token is used", lambda: listens("home", "yard"))

    print("Home Assistant: passed")


with tempfile.TemporaryDirectory() as name:
    try:
        main(pathlib.Path(name))
    except BaseException:
        for file in (pathlib.Path(name) / "log", ROOT / "srv/config/output.log"):
            if file.exists():
                print(f"--- {file.name}\n" + "\n".join(file.read_text(encoding="utf-8").splitlines()[-30:]))
        raise
    finally:
        for program in Program.started:
            if program.process.poll() is None:
                program.end()
