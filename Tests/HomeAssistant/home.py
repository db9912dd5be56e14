"""A real Home Assistant in a Debian of its own, and what its checks have in common: see scripts/home-assistant.sh."""

import asyncio
import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

from websockets.asyncio.client import connect

HERE = pathlib.Path(__file__).resolve().parents[2]
PORT = 8123
URL = f"http://127.0.0.1:{PORT}"
SETTINGS = "http:\n  server_host: 127.0.0.1\napi:\nwebsocket_api:\nbluetooth:\nconfig:\n"


def get(path, token):
    request = urllib.request.Request(URL + path, headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


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


def home_assistant(root):
    log = open(root / "srv/config/output.log", "a", encoding="utf-8")
    program = Program("chroot", str(root), "/srv/ha/bin/hass", "-c", "/srv/config", stdout=log, stderr=log)

    def answers():
        with contextlib.suppress(OSError):
            urllib.request.urlopen(URL, timeout=5).close()
            return True
        return False

    until("Home Assistant answers", answers, 600)
    return program


def install(root, settings=SETTINGS):
    """Starts a Home Assistant without any past; it and an administrator's token."""
    (root / "srv/config/configuration.yaml").write_text(settings, encoding="ascii")
    hass = home_assistant(root)
    user = {"name": "A", "username": "a", "password": "a long password", "language": "en", "client_id": f"{URL}/"}
    return hass, access(post("/api/onboarding/users", user)["auth_code"])


def proxy(adverts, number, name, *more):
    """A Bluetooth proxy as of ESPHome 2026.7, and its port. Its advertisements are those of a file, or of its input."""
    program = Program(
        sys.executable, HERE / "Tests/Radio/ESPHomeTests/Fixtures/proxy.py", adverts, "--newest", "--name", name,
        "--address", f"AA:00:00:00:00:0{number}", *more, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    return program, int(program.process.stdout.readline())


def adopt(token, *ports):
    """Adds proxies to Home Assistant."""
    for port in ports:
        flow = post("/api/config/config_entries/flow", {"handler": "esphome"}, token)["flow_id"]
        made = post(f"/api/config/config_entries/flow/{flow}", {"host": "127.0.0.1", "port": port}, token)
        assert made["type"] == "create_entry", made


def run(root, main):
    """Runs a check in a folder of its own, and shows the logs if it fails."""
    with tempfile.TemporaryDirectory() as name:
        try:
            main(pathlib.Path(name))
        except BaseException:
            for file in (pathlib.Path(name) / "log", root / "srv/config/output.log"):
                if file.exists():
                    print(f"--- {file.name}\n" + "\n".join(file.read_text(encoding="utf-8").splitlines()[-30:]))
            raise
        finally:
            for program in Program.started:
                if program.process.poll() is None:
                    program.end()
