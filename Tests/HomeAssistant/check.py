"""Listens with the monitor through a real Home Assistant that has Bluetooth proxies: see scripts/home-assistant.sh.

Usage: check.py ROOT PROGRAMS MINUTES
"""

import json
import pathlib
import subprocess
import sys
import time

import home
from home import Program, URL, commands, long_lived, until

ROOT, PROGRAMS, MINUTES = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), float(sys.argv[3])
BEACON = "1AFF4C0002157F3A9C521B644E0D8A275D9E60C4B813126751{:02X}C5"
# What counts within Home Assistant: its own callback for each advert of the company 0xFFFF, which the busy proxies send.
COUNTER = ROOT / "srv/config/custom_components/advert_counter"
MANIFEST = {
    "domain": "advert_counter", "name": "Adverts", "version": "1.0.0", "dependencies": ["bluetooth"], "requirements": [],
    "codeowners": [], "documentation": "", "iot_class": "local_push"}
COUNTING = """
import datetime
from homeassistant.components import bluetooth
from homeassistant.helpers.event import async_track_time_interval

async def async_setup(hass, config):
    count = 0
    def note(service_info, change):
        nonlocal count
        count += 1
    def show(now):
        hass.states.async_set("sensor.adverts", count)
    bluetooth.async_register_callback(
        hass, note, {"manufacturer_id": 0xFFFF, "connectable": False}, bluetooth.BluetoothScanningMode.PASSIVE)
    async_track_time_interval(hass, show, datetime.timedelta(seconds=1))
    show(None)
    return True
"""
# Of two busy proxies together: adverts a second.
SPEED = 400


def steady(folder, number, name):
    adverts = folder / f"{name}.txt"
    adverts.write_text(f"AABBCCDDEE0{number} 1 -6{number} {BEACON.format(number)}\n", encoding="ascii")
    return home.proxy(adverts, number, name, "--rate", "1", "--times", "100000")


def busy(folder, number, name, seconds):
    """Sixteen devices, each of whose adverts differs from the one before, so that Home Assistant passes it on."""
    adverts = folder / f"{name}.txt"
    lines = (f"C0000000{number:02X}{index:02X} 1 -70 09FFFFFF000000000000\n" for index in range(16))
    adverts.write_text("".join(lines), encoding="ascii")
    rate = SPEED / 2 / 16
    return home.proxy(
        adverts, number, name, "--counting", "--rate", str(rate), "--times", str(round(rate * seconds)))


def main(folder):
    COUNTER.mkdir(parents=True)
    (COUNTER / "manifest.json").write_text(json.dumps(MANIFEST), encoding="ascii")
    (COUNTER / "__init__.py").write_text(COUNTING, encoding="ascii")
    hass, admin = home.install(ROOT, home.SETTINGS + "advert_counter:\n")
    (kitchen, first), (yard, second) = steady(folder, 1, "kitchen"), steady(folder, 2, "yard")
    home.adopt(admin, first, second)

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

    if MINUTES > 0:
        # The token of a login ends after half an hour.
        at_speed(folder, long_lived(admin, "check"), radios)

    hass.end()
    until("a restart is noticed", lambda: fails("yard", "Home Assistant"))
    home.home_assistant(ROOT)
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


def at_speed(folder, token, radios):
    """Many adverts for some minutes: Home Assistant counts each, as without the monitor, and the monitor hears each."""
    seconds = MINUTES * 60
    street = [busy(folder, number, name, seconds) for number, name in ((3, "street"), (4, "lane"))]
    expected = 2 * 16 * round(SPEED / 2 / 16 * seconds)
    home.adopt(token, *(port for _, port in street))

    def counted():
        return int(home.get("/api/states/sensor.adverts", token)["state"])

    began = time.monotonic()
    until(f"Home Assistant has counted {expected} adverts", lambda: counted() >= expected, 3 * seconds + 60)
    rate = expected / (time.monotonic() - began)
    # What comes later would have been sent twice.
    time.sleep(5)
    heard = {name: radios()[name] for name in ("home.street", "home.lane")}
    reports = sum(radio["reports"] for radio in heard.values())
    lost = sum(radio["dropped"] for radio in radios().values())
    print(f"at speed for {MINUTES:g} minutes: {rate:.0f} adverts a second, {counted()} counted by Home Assistant of {expected} "
          f"sent, {reports} heard by the monitor, {lost} dropped", flush=True)
    assert counted() == expected and reports >= expected and not lost
    for program, _ in street:
        program.end()
        clients = program.process.stdout.read().splitlines()
        # Its form for a new device has the name of the library.
        assert all(client.startswith(("Home Assistant", "aioesphomeapi")) for client in clients), f"others asked: {clients}"


home.run(ROOT, main)
