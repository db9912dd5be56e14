"""The monitor's adverts: of a captured street, and of 20 beacons that bluetoothd, a controller, a proxy or a gateway hears.

Each source sends in bursts, and each burst waits until the monitor has handled the one before it: so the monitor reads the
same number of adverts at once, however slow it is. All beacons are iBeacons; they are either all on the missing list or
none is.
"""

import contextlib
import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

from callgrind import Counted, Unsteady
from street import BENCHMARKS, write_settings

sys.path.insert(0, str(BENCHMARKS))
sys.path.insert(0, str(BENCHMARKS / "registry"))
from bluetoothd import await_discovery, bluetoothd, control  # noqa: E402
from small_registry import Registry  # noqa: E402
from stage import free_port  # noqa: E402

TESTS = BENCHMARKS.parent / "Tests"
VENV = BENCHMARKS.parent / ".build/venv/bin/python"
BEACONS = 20
UUID = "21EECF71-D5C7-4A00-9B90-27C94B5146EA"
# The first identities are those of the beacons that are heard.
IDENTITIES = [f"{UUID}:1:{minor}" for minor in range(2 * BEACONS)]


@contextlib.contextmanager
def started(command, text="", **more):
    """A program, and the line with this text that it has printed."""
    process = subprocess.Popen(
        [*map(str, command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    try:
        yield process, await_line(process, text)
    finally:
        process.kill()
        process.wait()


def await_line(process, text):
    for line in iter(process.stdout.readline, ""):
        if text in line:
            return line
    raise SystemExit(f"{process.args[0]} ended")


def count_bursts(program, burst, bursts, profile):
    """The instructions of an advert. `burst` sends this many; the first ones open the visits and are not counted."""
    adverts, number = bursts

    def send(times):
        for _ in range(times):
            with program.paused():
                burst(adverts)
            program.await_rest()

    send(2)
    return program.instructions(lambda: send(number), profile) / (adverts * number)


class Monitor:
    """A monitor under callgrind that listens to one source; its missing list has 20 identities."""

    def __init__(self, programs, is_listed, profile):
        self.monitor, self.profile = programs / "findmybike-monitor", profile
        self.registry = Registry(IDENTITIES[:BEACONS] if is_listed else IDENTITIES[BEACONS:], 0)

    def count(self, folder, settings, bursts, burst, until_it_listens, environment=None):
        port = free_port()
        path = write_settings(
            folder, self.registry, f"status:\n  socket: {folder}/status.sock\n  port: {port}\n{settings}")
        with Counted([self.monitor, "--config", path], environment) as monitor:
            until_it_listens(monitor)
            counted = count_bursts(monitor, burst, bursts, self.profile)
            require_heard(port, bursts)
            return counted


def require_heard(port, bursts):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        text = answer.read().decode()

    def total(name):
        return sum(int(float(number)) for number in re.findall(rf"{name}\{{[^}}]*\}} (\S+)", text))

    heard, dropped, sent = total("radio_reports_total"), total("radio_dropped_total"), bursts[0] * (bursts[1] + 2)
    if heard != sent or dropped:
        raise Unsteady(f"the monitor heard {heard} adverts of {sent}, and dropped {dropped}")


def bluez(programs, is_listed, profile):
    """Through D-Bus: signals of the tests' bluetoothd."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with bluetoothd(folder) as environment:

            def burst(count):
                control(environment, "Storm", "string:hci0", f"int32:{BEACONS}", f"int32:{count}")

            settings = "radio:\n  backend: bluez\n  adapters: hci0\n"
            return Monitor(programs, is_listed, profile).count(
                folder, settings, (250, 12), burst,
                lambda monitor: await_discovery(environment, monitor.require_running), environment)


def hci(programs, is_listed, profile):
    """A controller's events, to the scan loop alone: the monitor opens only adapters of the kernel."""
    bursts = (200, 40)
    with tempfile.TemporaryDirectory() as folder:
        command = [programs / "hci-stream", "--loop", folder, "listed" if is_listed else "unknown"]
        ours, theirs = socket.socketpair()
        controller = subprocess.Popen(
            [programs / "hci-stream", "--controller-on-demand"], stdin=subprocess.PIPE, stdout=theirs)
        with controller, Counted(command, stdin=ours) as program:
            ours.close()
            theirs.close()

            def burst(count):
                controller.stdin.write(f"{count}\n".encode())
                controller.stdin.flush()
                # The controller fills its socket meanwhile.
                time.sleep(0.3)

            counted = count_bursts(program, burst, bursts, profile)
            controller.stdin.close()
            program.stop()
            heard = program.output().split()[-2:]
            if heard != [str(bursts[0] * (bursts[1] + 2)), "0"]:
                raise Unsteady(f"the scan loop heard and dropped {heard}")
            return counted


def esphome(programs, is_listed, profile):
    """The tests' Bluetooth proxy, with Noise."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        lines = (f"{0xC00000000000 + index:012X} 1 -60 {advert(index).hex()}\n" for index in range(BEACONS))
        (folder / "adverts.txt").write_text("".join(lines), encoding="ascii")
        key = "QRTIErOb/fcE9Ukd/5qA3RGYMn0Y+p06U58SCtOXvPc="
        (folder / "key").write_text(key + "\n", encoding="ascii")
        (folder / "key").chmod(0o600)
        script = pathlib.Path(__file__).with_name("proxy_bursts.py")
        # Four times 20 adverts are five messages of 16.
        with started([VENV, script, folder / "adverts.txt", "--key", key, "--times", "4"]) as (proxy, port):

            def burst(count):
                proxy.stdin.write(f"{count}\n")
                proxy.stdin.flush()
                await_line(proxy, "sent")

            settings = ("radio:\n  backend: none\nreceivers:\n  - name: proxy\n"
                        f"    esphome: 127.0.0.1:{port.strip()}\n    keyFile: {folder}/key\n")
            return Monitor(programs, is_listed, profile).count(
                folder, settings, (1600, 10), burst, lambda _: await_line(proxy, "subscribed"))


def advert(index):
    return bytes.fromhex("0201061AFF4C000215" + UUID.replace("-", "") + f"0001{index:04X}C5")


def mqtt(programs, is_listed, profile):
    """Messages of Theengs Gateway through a broker."""
    with tempfile.TemporaryDirectory() as name:
        folder, port = pathlib.Path(name), free_port()
        (folder / "broker.conf").write_text(
            f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\nlog_dest stderr\n"
            "log_type information\nlog_type subscribe\nmax_queued_messages 0\nmax_inflight_messages 0\nuser root\n", encoding="ascii")
        publisher = ["mosquitto_pub", "-h", "127.0.0.1", "-p", str(port), "-t", "home/door/BTtoMQTT/C0", "-q", "1", "-l"]

        def burst(count):
            text = "".join(message(number % BEACONS) + "\n" for number in range(count))
            subprocess.run(publisher, input=text, text=True, check=True)

        with started(["mosquitto", "-c", folder / "broker.conf"], "running") as (broker, _):
            settings = (f"radio:\n  backend: none\nmqtt:\n  url: mqtt://127.0.0.1:{port}\n  node: benchmark\n"
                        "receivers:\n  - name: door\n    mqtt: home/door/BTtoMQTT/#\n")
            return Monitor(programs, is_listed, profile).count(
                folder, settings, (200, 8), burst, lambda _: await_line(broker, "home/door/BTtoMQTT/#"))


def message(index):
    return json.dumps({
        "id": f"C0:00:00:00:00:{index:02X}", "rssi": -60, "manufacturerdata": advert(index)[5:].hex(), "brand": "GENERIC",
        "model": "iBeacon", "model_id": "IBEACON", "type": "BCON", "mfid": "4c00", "uuid": UUID.replace("-", "").lower(),
        "major": 1, "minor": index, "txpower": -59})
