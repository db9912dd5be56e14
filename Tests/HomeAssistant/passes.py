"""The share of bikes that ride past which are reported through Home Assistant, and beside it through BlueZ and through
Bluetooth proxies of our own: see scripts/home-assistant.sh.

Usage: passes.py ROOT PROGRAMS. All receivers hear the same simulated air at the same time, each with a monitor of its own.
Each bike rides past twice, with the same address. Takes 11 minutes, as the air does.
"""

import contextlib
import datetime
import os
import pathlib
import struct
import subprocess
import sys
import time

import home

sys.path.insert(0, str(home.HERE / "Benchmarks"))
from bluetoothd import AIR, await_discovery, bluetoothd, process  # noqa: E402
from small_registry import Registry  # noqa: E402

ROOT, PROGRAMS = (pathlib.Path(argument) for argument in sys.argv[1:3])
# Metres a second; how many bikes at each of them, one second apart; and when they come back, in seconds.
SPEEDS, BIKES, AGAIN = (5, 10, 15), 200, 280
UUID = "7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813"
IDENTITIES = [f"{UUID}:{speed}:{minor}" for speed in SPEEDS for minor in range(1, BIKES + 1)]
# A straight road at this distance, from and to where no frame is heard, in metres.
DISTANCE, FAR = 6, 150
# The milliseconds of 320 in which a proxy listens: as the guide says, and as ESPHome does if nothing is said.
PERIOD, WINDOW, DEFAULT = 320, 300, 30


def air(folder, speed):
    """What is heard at the station: lists of time in nanoseconds, address, signal strength and data."""
    way = 2 * FAR * 1000 // speed
    (folder / f"{speed}.yaml").write_text(f"""
name: passes
duration: {AGAIN + BIKES + way // 1000 + 10}s
beacons:
  - name: bike
    identity: {UUID}:{speed}:1
    measuredPower: -59
    interval: 1s
    missing: true
    path:
      - {{at: 0s, x: {-FAR}, y: {DISTANCE}}}
      - {{at: {way}ms, x: {FAR}, y: {DISTANCE}}}
      - {{at: {way + 1}ms, x: 90000, y: 0}}
      - {{at: {AGAIN * 1000 - 1}ms, x: 90000, y: 0}}
      - {{at: {AGAIN}s, x: {FAR}, y: {DISTANCE}}}
      - {{at: {AGAIN * 1000 + way}ms, x: {-FAR}, y: {DISTANCE}}}
    copies: {{count: {BIKES}, later: 1s}}
""", encoding="ascii")
    capture = folder / f"{speed}.btsnoop"
    subprocess.run(
        [PROGRAMS / "findmybike", "simulate", folder / f"{speed}.yaml", "--output", capture], check=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    content, at = capture.read_bytes(), 16
    while at < len(content):
        length, stamp = struct.unpack_from(">4xI8xq", content, at)
        event = content[at + 24 : at + 24 + length]
        # An LE Advertising Report with one report, after its type of packet.
        assert event[:2] == b"\x04\x3e" and event[3:5] == b"\x02\x01", event.hex()
        address = ":".join(f"{byte:02X}" for byte in reversed(event[7:13]))
        yield stamp, address, struct.unpack_from("b", event, length - 1)[0], event[14 : 14 + event[13]]
        at += 24 + length


def frames(folder):
    """Everything that is heard, in its order, from zero; in microseconds."""
    heard = sorted(frame for speed in SPEEDS for frame in air(folder, speed))
    # All captures begin at the same time, to the second.
    begin = heard[0][0] // 1_000_000 * 1_000_000
    return [(time - begin, *frame) for time, *frame in heard]


def shares(passes, speed):
    """Of the first passes at a speed, and of the second, given tuples of speed, bike, and time since the beginning."""
    # A bike comes back AGAIN after its own beginning, and its first pass has ended long before.
    found = {(bike, seconds - bike > AGAIN - 60) for at, bike, seconds in passes if at == speed}
    return [sum(is_second == wanted for _, is_second in found) / BIKES for wanted in (False, True)]


def audible(heard, window):
    """The passes of which a radio that listens in these milliseconds hears a frame."""
    for microseconds, _, _, data in heard:
        if microseconds / 1000 % PERIOD < window:
            apple = data.index(b"\xff\x4c\x00") + 5
            yield *struct.unpack_from(">HH", data, apple + 16), microseconds / 1e6


class Monitor:
    """A monitor, and the visits that it reports."""

    def __init__(self, folder, name, window, receivers, environment=None):
        self.name, self.window, self.registry = name, window, Registry(IDENTITIES, 0)
        own = folder / name.replace(" ", "-")
        own.mkdir()
        (own / "token").touch(0o600)
        (own / "token").write_text("x", encoding="ascii")
        (own / "monitor.yaml").write_text(f"""
registry: {{url: "http://127.0.0.1:{self.registry.server_port}"}}
station: {{tokenFile: {own}/token, latitude: 51.5, longitude: -0.12}}
state: {own}
report: always
log: {{level: warning}}
status: {{socket: {own}/status.sock}}
{receivers}
""", encoding="ascii")
        home.Program(
            PROGRAMS / "findmybike-monitor", "--config", own / "monitor.yaml", env=os.environ | (environment or {}),
            stderr=open(own / "log", "w", encoding="utf-8"))

    def passes(self, began):
        for visit in self.registry.visits.values():
            identity, seen = visit["identity"], datetime.datetime.fromisoformat(visit["firstSeen"]).timestamp()
            yield identity["major"], identity["minor"], seen - began


def play(heard, listeners):
    """Lets everything be heard at its time; `listeners` are files, how to write a frame, and the milliseconds of 320."""
    began = time.monotonic()
    for microseconds, *frame in heard:
        time.sleep(max(0, began + microseconds / 1e6 - time.monotonic()))
        for file, line, window in listeners:
            if microseconds / 1000 % PERIOD < window:
                file.write(line(*frame))
                file.flush()


def at_proxy(address, rssi, data):
    return f"{address.replace(':', '')} 1 {rssi} {data.hex()}\n"


def at_bluetoothd(address, rssi, data):
    apple = data.index(b"\xff\x4c\x00") + 3
    return f"{address} {rssi} {data[apple:].hex()}\n"


def main(folder):
    heard = frames(folder)
    print(f"{len(heard)} frames in {heard[-1][0] / 1e6:.0f} s", flush=True)
    _, admin = home.install(ROOT)
    (folder / "home.token").touch(0o600)
    (folder / "home.token").write_text(home.long_lived(admin, "monitor"), encoding="ascii")
    proxies = [home.proxy("-", number, name) for number, name in ((1, "home"), (2, "own"), (3, "default"))]
    home.adopt(admin, proxies[0][1])
    with contextlib.ExitStack() as stack:
        system = stack.enter_context(bluetoothd(folder))
        controller = stack.enter_context(process(["/usr/bin/python3", "-c", AIR], env=os.environ | system))
        none = "radio: {backend: none}\nreceivers:\n"
        monitors = [
            Monitor(folder, "BlueZ", PERIOD, "radio: {backend: bluez, adapters: hci0}", system),
            Monitor(folder, "own proxy", WINDOW, f"{none}  - {{name: own, esphome: '127.0.0.1:{proxies[1][1]}'}}"),
            Monitor(folder, "Home Assistant", WINDOW,
                    f"{none}  - {{name: home, home-assistant: '{home.URL}', tokenFile: {folder}/home.token}}"),
            Monitor(folder, "own proxy by default", DEFAULT,
                    f"{none}  - {{name: own, esphome: '127.0.0.1:{proxies[2][1]}'}}"),
        ]
        await_discovery(system)
        time.sleep(20)
        listeners = [(controller.stdin, at_bluetoothd, PERIOD)]
        listeners += [(program.process.stdin, at_proxy, window)
                      for (program, _), window in zip(proxies, (WINDOW, WINDOW, DEFAULT))]
        began = time.time()
        play(heard, listeners)
        # What Home Assistant has noted is seen by the next look.
        time.sleep(45)
    for monitor in monitors:
        for speed in SPEEDS:
            first, second = shares(list(monitor.passes(began)), speed)
            most, again = shares(list(audible(heard, monitor.window)), speed)
            print(f"{monitor.name}, {speed} m/s: {first:.1%} reported of {most:.1%} heard; when they came back, {second:.1%} of "
                  f"{again:.1%}", flush=True)


home.run(ROOT, main)
