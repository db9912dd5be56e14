"""Shared parts of the checks: beacons for a virtual controller, bluetoothd, and the project's programs."""

import collections
import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest
import uuid

import dbus

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAMS = pathlib.Path(os.environ["FINDMYBIKE_PROGRAMS"])
CONTROLLER = os.environ["FINDMYBIKE_VIRTUAL_CONTROLLER"]
# Kernels without /dev/vhci, as Debian's for arm64, have their controllers on serial ports.
SERIAL = not os.path.exists("/dev/vhci")
# How many times as long everything may take as on amd64.
PATIENCE = float(os.environ.get("FINDMYBIKE_PATIENCE", "1"))
BLUETOOTHD = "/usr/libexec/bluetooth/bluetoothd"


@dataclasses.dataclass(frozen=True)
class Beacon:
    """An iBeacon whose RSSI moves up and down between rssi − jitter and rssi + jitter, by 1 dB per frame."""

    minor: int
    rssi: int = -60
    jitter: int = 6
    interval: int = 200  # ms
    uuid: str = "b6a1f2d4-5c3e-4f80-9a17-2c4d6e8f0a1b"
    major: int = 1
    measured_power: int = -59

    @property
    def address(self):
        return f"C0:00:00:00:{self.minor >> 8:02X}:{self.minor & 255:02X}"

    @property
    def data(self):
        """Flags, then Apple's manufacturer data with the iBeacon."""
        frame = uuid.UUID(self.uuid).bytes + self.major.to_bytes(2, "big") + self.minor.to_bytes(2, "big")
        return "0201061aff4c000215" + frame.hex() + self.measured_power.to_bytes(1, "big", signed=True).hex()


class Cable:
    """A serial cable to a controller that speaks H4, as a Raspberry Pi's own does; btattach makes it an adapter."""

    free = [("ttyS0", "ttyS1"), ("ttyS2", "ttyS3")]

    def __init__(self):
        self.ends = self.free.pop(0)
        self.process = None

    @property
    def controller_port(self):
        return "/dev/" + self.ends[1]

    def attach(self):
        """Returns the name of the new adapter."""
        self.process = subprocess.Popen(
            ["btattach", "-B", "/dev/" + self.ends[0], "-P", "h4"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return until(self.adapter, 30, f"btattach made no adapter of {self.ends[0]}")

    def adapter(self):
        adapters = pathlib.Path("/sys/class/bluetooth").glob("hci*")
        return next((path.name for path in adapters if self.ends[0] in path.resolve().parts), None)

    def detach(self):
        if self.process:
            self.process.terminate()
            self.process.wait(timeout=60)
        self.free.insert(0, self.ends)


class Controller:
    """A virtual controller; its truth log lists every report that it has sent."""

    def __init__(self, *beacons, extended=False, address="00:00:AC:BE:00:01"):
        descriptor, self.truth = tempfile.mkstemp(prefix="truth-")
        os.close(descriptor)
        kind = ["-x"] if extended else []
        self.cable = Cable() if SERIAL else None
        line = ["-s", self.cable.controller_port] if self.cable else []
        self.command = [CONTROLLER, "-a", address, *kind, *line, "-t", self.truth]
        ready = self.start()
        self.name = self.cable.attach() if self.cable else "hci" + ready
        for beacon in beacons:
            self.add(beacon)

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self.process.stdout.readline().strip()

    def lose_power(self):
        """Forgets everything, also that it was scanning. The host is not told: its serial port is still there."""
        self.process.communicate(timeout=20)
        self.start()

    def add(self, beacon):
        self.tell(f"add {beacon.address} {beacon.rssi} {beacon.jitter} {beacon.interval} {beacon.data}")

    def remove(self, beacon):
        self.tell(f"remove {beacon.address}")

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def reports(self):
        """The reports that were sent: address → list of RSSI."""
        sent = collections.defaultdict(list)
        for words in self.log():
            if words[1] not in ("scan", "advertise"):
                sent[words[1]].append(int(words[2]))
        return sent

    def scans(self):
        """The changes of scanning: a list of (enabled, active, duplicates filtered)."""
        return [tuple(word == "1" for word in words[2:]) for words in self.log() if words[1] == "scan"]

    def advertised(self):
        """The data that the controller itself advertises, as hexadecimal digits; None while it does not advertise."""
        switched = [words[2:] for words in self.log() if words[1] == "advertise"]
        return switched[-1][1] if switched and switched[-1][0] == "1" else None

    def advertisements(self):
        """Each combination of data and address that the controller has advertised, in order."""
        return [(words[3], words[4]) for words in self.log() if words[1] == "advertise" and words[2] == "1"]

    def log(self):
        # The last line may be incomplete.
        return [line.split() for line in pathlib.Path(self.truth).read_text().split("\n")[:-1]]

    def stop(self):
        if self.process.poll() is None:
            self.process.communicate(timeout=20)
            os.unlink(self.truth)
            # The controller is gone before its adapter is, as on a Pi whose controller has lost its power.
            if self.cable:
                self.cable.detach()


class Bluetoothd:
    """Debian's bluetoothd on the system bus."""

    def __init__(self, *arguments):
        self.arguments = arguments
        self.log = tempfile.TemporaryFile(mode="w+", prefix="bluetoothd-")
        self.start()

    def start(self):
        self.process = subprocess.Popen([BLUETOOTHD, "-n", *self.arguments], stdout=self.log, stderr=self.log)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=20)
        self.log.close()

    def wait_until_powered(self, adapter):
        until(lambda: self.property(adapter, "Powered"), 30, f"bluetoothd did not power {adapter} within 30 s")

    def wait_until_discovering(self, adapter):
        until(lambda: self.property(adapter, "Discovering"), 30, f"nothing began to scan with {adapter} within 30 s")

    @staticmethod
    def property(adapter, name):
        try:
            adapter = dbus.SystemBus().get_object("org.bluez", f"/org/bluez/{adapter}", introspect=False)
            return bool(adapter.Get("org.bluez.Adapter1", name, dbus_interface=dbus.PROPERTIES_IFACE))
        except dbus.DBusException:
            return False


class Check(unittest.TestCase):
    """A check; everything that it has started is stopped when it ends."""

    def start_bluetoothd(self, *arguments):
        daemon = Bluetoothd(*arguments)
        self.addCleanup(daemon.stop)
        return daemon

    def plug_in(self, *beacons, **options):
        controller = Controller(*beacons, **options)
        self.addCleanup(controller.stop)
        return controller

    def start(self, program, *arguments, **options):
        process = subprocess.Popen(
            [PROGRAMS / program, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
            process.communicate()

    def scan(self, *arguments, seconds=8):
        """Starts ‘findmybike scan’ in the background; `heard` waits for its end."""
        return self.start("findmybike", "scan", "--json", "--duration", f"{seconds * PATIENCE:.0f}s", *arguments)

    def end_scan(self, scan, controller, *beacons):
        """Ends a scan with Ctrl-C, once the controller has sent some further reports of each beacon."""
        before = {beacon: len(controller.reports()[beacon.address]) for beacon in beacons}
        for beacon in beacons:
            until(lambda: len(controller.reports()[beacon.address]) > before[beacon] + 5, 60, "nobody scans any longer")
        time.sleep(2)  # for reports that are still on their way
        scan.send_signal(signal.SIGINT)
        return self.heard(scan)

    def heard(self, scan):
        """The beacons that the scan heard: minor → the object of that beacon."""
        try:
            output, errors = scan.communicate(timeout=90 * PATIENCE)
        except subprocess.TimeoutExpired:
            scan.kill()
            self.fail(f"the scan did not end in time: {scan.communicate()}")
        self.assertEqual(scan.returncode, 0, f"the scan failed: {errors}")
        objects = [json.loads(line) for line in output.splitlines()]
        return {beacon["minor"]: beacon for beacon in objects if beacon["kind"] == "iBeacon"}

    def assert_heard(self, beacon, heard):
        """Checks what does not depend on the speed of this machine: never the number of frames that arrived."""
        self.assertIn(beacon.minor, heard, f"the beacon was not heard; heard: {heard}")
        line = heard[beacon.minor]
        self.assertEqual(line["uuid"].lower(), beacon.uuid)
        self.assertEqual(line["major"], beacon.major)
        self.assertEqual(line["measuredPower"], beacon.measured_power)
        self.assertGreater(line["frames"], 0)
        self.assertGreaterEqual(line["rssi"]["min"], beacon.rssi - beacon.jitter)
        self.assertLessEqual(line["rssi"]["max"], beacon.rssi + beacon.jitter)


def until(condition, seconds, complaint):
    """Waits for the condition and returns its value."""
    deadline = time.monotonic() + seconds * PATIENCE
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(complaint)
        time.sleep(0.1)
    return value
