"""Checks of the installed packages, run as root under a real systemd in a clean system."""
import glob
import hashlib
import json
import os
import pwd
import queue
import subprocess
import time
import unittest

from receiver import Receiver

REGISTRY = "http://127.0.0.1:8080"
TOKEN = "/etc/findmybike/station-token"
SCENARIO = "/usr/share/findmybike/scenarios/bike-passes-cafe.yaml"
# The missing bike of that scenario.
IDENTITY = "7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:20815"


def run(*command, check=True, **options):
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, **options)
    if check and result.returncode != 0:
        raise AssertionError("%s: %d\n%s%s" % (" ".join(command), result.returncode, result.stdout, result.stderr))
    return result


def home(person):
    """The environment of somebody with a home of their own."""
    path = "/root/" + person
    os.makedirs(path, exist_ok=True)
    return {**os.environ, "HOME": path, "LANG": "C.UTF-8"}


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


def eventually(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)
    return True


class Installation(unittest.TestCase):
    """The steps build on each other: their names give the order."""

    failfast = True

    def test_01_nothing_starts_before_it_is_configured(self):
        for unit in ("findmybike-monitor", "findmybike-registry"):
            self.assertEqual(property_of(unit, "ActiveState"), "inactive")
            self.assertEqual(property_of(unit, "LoadState"), "loaded")
            self.assertNotEqual(property_of(unit, "UnitFileState"), "enabled")
        with open("/packages/install.log") as log:
            text = log.read()
        for remedy in ("findmybike-monitor enrol", "operator create", "systemctl enable --now findmybike-registry"):
            self.assertIn(remedy, text)

    def test_02_programs_pages_and_completions_are_there(self):
        for name in ("findmybike", "findmybike-monitor", "findmybike-registry"):
            self.assertRegex(run(name, "--version").stdout, r"^\d+\.\d+\.\d+")
            self.assertTrue(os.path.exists("/usr/share/bash-completion/completions/" + name))
            self.assertTrue(os.path.exists("/usr/share/zsh/vendor-completions/_" + name))
            self.assertTrue(os.path.exists("/usr/share/fish/vendor_completions.d/%s.fish" % name))
            listed = run("dpkg", "-L", name).stdout.split()
            self.assertIn("/usr/share/man/man1/%s.1.gz" % name, listed)
        self.assertTrue(glob.glob("/usr/share/findmybike/scenarios/*"))
        run("findmybike-registry", "serve", "--config", "/etc/findmybike/registry.yaml", "--check-config")

    def test_03_the_registry_serves_as_its_unit_says(self):
        # For the trial: a beacon of a scenario, and a receiver of alerts on this machine.
        change_setting("/etc/findmybike/registry.yaml", "  # given: closed", "  given: open")
        change_setting("/etc/findmybike/registry.yaml", "  # allowPrivateAddresses: false", "  allowPrivateAddresses: true")
        token = run("sudo", "-u", "findmybike-registry", "findmybike-registry", "operator", "create").stdout
        run("systemctl", "enable", "--now", "findmybike-registry")
        self.assertEqual(property_of("findmybike-registry", "ActiveState"), "active")
        self.assertIn("listening", property_of("findmybike-registry", "StatusText"))
        self.assertEqual(run("curl", "--silent", "--fail", REGISTRY + "/readyz").returncode, 0)
        self.assertEqual(os.stat("/var/lib/findmybike-registry").st_mode & 0o777, 0o700)
        said = run("findmybike", "login", REGISTRY, input=token, env=home("operator")).stdout
        self.assertIn("you are an operator", said)

    def test_04_settings_are_read_again_where_that_is_safe(self):
        before = property_of("findmybike-registry", "MainPID")
        change_setting("/etc/findmybike/registry.yaml", "  # level: info", "  level: debug")
        change_setting("/etc/findmybike/registry.yaml", "  # registration: open", "  registration: open")
        change_setting("/etc/findmybike/registry.yaml", "  # drain: 30", "  drain: 29")
        run("systemctl", "reload", "findmybike-registry")
        self.assertTrue(eventually(lambda: "need a restart" in journal("findmybike-registry")))
        self.assertIn("applied=log.level", journal("findmybike-registry"))
        self.assertIn("timeouts.drain", journal("findmybike-registry"))
        self.assertEqual(property_of("findmybike-registry", "MainPID"), before)

    def test_05_a_monitor_that_is_not_enrolled_says_what_to_do(self):
        run("systemctl", "start", "findmybike-monitor", check=False)
        self.assertTrue(eventually(lambda: property_of("findmybike-monitor", "ActiveState") == "failed"))
        self.assertIn("findmybike-monitor enrol", journal("findmybike-monitor"))
        run("systemctl", "reset-failed", "findmybike-monitor")

    def test_06_a_line_of_the_operator_makes_a_station(self):
        told = run("findmybike", "station", "invite", "--name", "Café Sprocket", "--latitude", "51.5", "--longitude",
                   "-0.125", "--accuracy", "5", env=home("operator")).stdout
        line = next(line for line in told.splitlines() if "findmybike-monitor enrol" in line)
        said = run(*line.split()).stdout
        self.assertIn("systemctl enable --now findmybike-monitor", said)
        status = os.stat(TOKEN)
        self.assertEqual(status.st_mode & 0o777, 0o600)
        self.assertEqual(pwd.getpwuid(status.st_uid).pw_name, "findmybike-monitor")
        with open("/etc/findmybike/monitor.yaml") as file:
            settings = file.read()
        for part in ("  url: %s\n" % REGISTRY, "  latitude: 51.5\n", "  longitude: -0.125\n", "# FindMyBike monitor"):
            self.assertIn(part, settings)
        run("findmybike-monitor", "--config", "/etc/findmybike/monitor.yaml", "--check-config")
        self.assertIn("is a station already", run(*line.split(), check=False).stderr)

    def test_07_a_missing_bike_that_passes_alerts_its_owner(self):
        receiver = Receiver()
        owner = lambda *arguments: run("findmybike", *arguments, env=home("owner")).stdout
        owner("login", REGISTRY, "--new")
        bike = json.loads(owner("bike", "register", "--kind", "bicycle", "--make", "Brompton", "--model", "C Line",
                                "--colour", "green", "--identity", IDENTITY, "--json"))
        receiver.secret = json.loads(owner("channel", "add", "webhook", receiver.url, "--json"))["secret"]
        since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 86_400))
        owner("bike", "missing", bike["id"], "--since", since)
        # As the unit runs it, but with a scenario for a radio.
        drop_in("findmybike-monitor", "[Service]\nType=exec\nWatchdogSec=0\nExecStart=\nExecStart=/usr/bin/findmybike-monitor "
                "--config /etc/findmybike/monitor.yaml --simulate %s --speed 20\n" % SCENARIO)
        run("systemctl", "start", "findmybike-monitor")
        try:
            alert = receiver.alerts.get(timeout=90)
        except queue.Empty:
            self.fail("no alert came:\n" + journal("findmybike-monitor") + journal("findmybike-registry"))
        self.assertIn("Café Sprocket", alert["data"]["message"])
        self.assertTrue(eventually(lambda: property_of("findmybike-monitor", "ActiveState") == "inactive"))
        self.assertEqual(property_of("findmybike-monitor", "Result"), "success")
        self.assertIn("Café Sprocket", owner("bike", "sightings", bike["id"]))

    def test_08_a_support_bundle_holds_the_log_and_no_secret(self):
        run("findmybike-monitor", "support-bundle", "--output", "/root/bundle.tar.gz")
        self.assertEqual(os.stat("/root/bundle.tar.gz").st_mode & 0o777, 0o600)
        held = run("tar", "-xzOf", "/root/bundle.tar.gz").stdout
        for part in ("missing bike matched", "station.latitude: 51.5", "the registry takes the station’s token", "Debian"):
            self.assertIn(part, held)
        with open(TOKEN) as file:
            self.assertNotIn(file.read().strip(), held)
        self.assertNotIn(IDENTITY, held)

    def test_09_an_upgrade_keeps_the_data_and_serves_on(self):
        before = property_of("findmybike-registry", "MainPID")
        kept = [digest(path) for path in (TOKEN, "/etc/findmybike/monitor.yaml", "/etc/findmybike/registry.yaml")]
        run("sh", "-c", "dpkg --install /packages/next/*.deb")
        self.assertEqual(property_of("findmybike-registry", "ActiveState"), "active")
        self.assertNotEqual(property_of("findmybike-registry", "MainPID"), before)
        after = [digest(path) for path in (TOKEN, "/etc/findmybike/monitor.yaml", "/etc/findmybike/registry.yaml")]
        self.assertEqual(kept, after)
        self.assertIn("Brompton", run("findmybike", "bike", "list", env=home("owner")).stdout)
        self.assertIn("Café Sprocket", run("findmybike", "station", "list", env=home("operator")).stdout)

    def test_10_a_key_that_only_root_reads_is_a_credential(self):
        self.assertEqual(os.stat("/packages/key.pem").st_mode & 0o777, 0o600)
        drop_in("findmybike-registry", """[Service]
LoadCredential=certificate:/packages/certificate.pem
LoadCredential=certificate-key:/packages/key.pem
Environment=FINDMYBIKE_LISTEN=127.0.0.1:443
Environment=FINDMYBIKE_TLS_CERTIFICATE=%%d/certificate FINDMYBIKE_TLS_KEY=%%d/certificate-key
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
PrivateUsers=no
""")
        run("systemctl", "restart", "findmybike-registry")
        run("curl", "--silent", "--show-error", "--fail", "--cacert", "/packages/certificate.pem", "https://localhost/readyz")
        os.remove("/etc/systemd/system/findmybike-registry.service.d/trial.conf")
        run("systemctl", "daemon-reload")
        run("systemctl", "restart", "findmybike-registry")

    def test_11_a_dead_registry_is_restarted(self):
        before = property_of("findmybike-registry", "MainPID")
        os.kill(int(before), 9)
        self.assertTrue(eventually(lambda: property_of("findmybike-registry", "MainPID") not in ("0", before)))
        self.assertTrue(eventually(lambda: property_of("findmybike-registry", "ActiveState") == "active"))

    def test_12_a_purge_leaves_nothing(self):
        run("dpkg", "--purge", "findmybike-monitor", "findmybike-registry", "findmybike")
        left = [
            path
            for pattern in ("/etc/findmybike*", "/var/lib/findmybike*", "/lib/systemd/system/findmybike*", "/usr/bin/findmybike*")
            for path in glob.glob(pattern)
        ]
        self.assertEqual(left, [])
        self.assertEqual(run("systemctl", "is-active", "findmybike-registry", check=False).stdout.strip(), "inactive")


if __name__ == "__main__":
    unittest.main(verbosity=2, failfast=True)
