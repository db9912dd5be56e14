"""The tests' bluetoothd on a bus of its own."""

import contextlib
import os
import pathlib
import subprocess
import time

FAKE = pathlib.Path(__file__).resolve().parents[1] / "Tests/Radio/BlueZTests/Fixtures/fake_bluez.py"
BUS = """<busconfig>
  <type>system</type><listen>unix:path={folder}/bus</listen><auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
  </policy>
</busconfig>
"""
# Reports of a controller, a line each: address, signal strength, and Apple's data.
AIR = """
import sys, dbus
fake = dbus.Interface(dbus.SystemBus().get_object("org.example.Fake", "/fake", introspect=False), "org.example.Fake")
print("ready", flush=True)
for line in sys.stdin:
    address, rssi, data = line.split()
    apple = dbus.Struct((dbus.UInt16(76), dbus.Array(bytes.fromhex(data), signature="y")))
    fake.Advertise("hci0", address, "random", dbus.Array([apple], signature="(qay)"), dbus.Array([], signature="(say)"),
                   dbus.Int16(int(rssi)))
"""


@contextlib.contextmanager
def process(command, **more):
    """A program that has printed its first line."""
    started = subprocess.Popen([*map(str, command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **more)
    try:
        if not started.stdout.readline():
            raise SystemExit(f"{command[0]} ended")
        yield started
    finally:
        started.kill()
        started.wait()


@contextlib.contextmanager
def bluetoothd(folder):
    """Starts it with the adapter hci0; the environment in which it is the system's."""
    (folder / "bus.conf").write_text(BUS.format(folder=folder), encoding="utf-8")
    environment = {"DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={folder}/bus"}
    daemon = ["dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork", "--nopidfile", "--print-address"]
    with process(daemon), process(["/usr/bin/python3", FAKE, "hci0"], env=os.environ | environment):
        yield environment


def control(environment, member, *arguments):
    return subprocess.run(
        ["dbus-send", "--system", "--print-reply", "--dest=org.example.Fake", "/fake", f"org.example.Fake.{member}",
         *arguments], check=True, capture_output=True, text=True, env=os.environ | environment).stdout


def await_discovery(environment, check=lambda: None):
    """Waits until a scanner listens; `check` is called meanwhile."""
    while '"discovering": 1' not in control(environment, "State"):
        check()
        time.sleep(0.1)
