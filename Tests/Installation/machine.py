"""The machine on which the packages are installed."""
import glob
import hashlib
import os
import subprocess
import time


def run(*command, check=True, **options):
    result = subprocess.run(command, capture_output=True, text=True, timeout=600, **options)
    if check and result.returncode != 0:
        raise AssertionError("%s: %d\n%s%s" % (" ".join(command), result.returncode, result.stdout, result.stderr))
    return result


def change_setting(path, old, new):
    with open(path) as file:
        text = file.read()
    assert old in text, "%s has no ‘%s’" % (path, old)
    with open(path, "w") as file:
        file.write(text.replace(old, new))


def drop_in(unit, text):
    folder = "/etc/systemd/system/%s.service.d" % unit
    os.makedirs(folder, exist_ok=True)
    with open(folder + "/trial.conf", "w") as file:
        file.write(text)
    run("systemctl", "daemon-reload")


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def journal(unit):
    run("journalctl", "--sync", check=False)
    return run("journalctl", "--unit", unit, "--no-pager", "--output", "cat").stdout


def property_of(unit, name):
    return run("systemctl", "show", "--value", "-p", name, unit).stdout.strip()


def eventually(condition, seconds=600):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)
    return True


class Radio:
    """A substitute for bluetoothd, with an adapter that hears what the test specifies."""

    def __init__(self):
        self.process = subprocess.Popen(
            ["python3", "-B", "/packages/fake_bluez.py", "hci0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n"
        self.tell("SetPowered", "sb", "hci0", "true")

    def tell(self, member, *arguments):
        run("busctl", "--system", "call", "org.example.Fake", "/fake", "org.example.Fake", member, *arguments)

    def hears(self, uuid, major, minor):
        """Lets the adapter hear one frame of an iBeacon."""
        data = [2, 21, *bytes.fromhex(uuid.replace("-", "")), major >> 8, major & 255, minor >> 8, minor & 255, 197]
        self.tell("Advertise", "sssa(qay)a(say)n", "hci0", "C0:00:00:00:00:01", "random", "1", "76", str(len(data)),
                  *map(str, data), "0", "--", "-60")


def installed():
    """The files and users that the packages leave on a machine."""
    patterns = ("/etc/findmybike*", "/etc/apt/*/*findmybike*", "/var/lib/findmybike*", "/lib/systemd/system/findmybike*",
                "/usr/bin/findmybike*", "/usr/share/keyrings/findmybike*")
    return [path for pattern in patterns for path in glob.glob(pattern)]
