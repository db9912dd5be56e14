"""Checks of the packages, run as root under a real systemd in a clean system, where people type what the pages say."""
import glob
import json
import os
import pathlib
import pwd
import queue
import re
import shutil
import subprocess
import sys
import time
import unittest

from browser import sign_up
from machine import Radio, change_setting, digest, drop_in, eventually, installed, journal, property_of, run
from pages import Guide
from person import Person
from receiver import Receiver

REGISTRY = "https://registry.example.org"
TOKEN = "/etc/findmybike/station-token"
SETTINGS = ("/etc/findmybike/monitor.yaml", "/etc/findmybike/registry.yaml")
README, OPERATOR, VENUE = "README.md", "docs/guide/operator.md", "docs/guide/venue.md"
ALARMS, TROUBLES = "docs/guide/alarms.md", "docs/guide/troubleshooting.md"
QUICK_STARTS = ("An operator with a small server", "A café with a Raspberry Pi", "An owner with a laptop")
# Sections of the guide, in the order in which they are tried.
EMERGENCIES = ("The disk is full", "The certificate has expired", "The operator's token is lost", "A key file is lost",
               "The database is gone")


class Installation(unittest.TestCase):
    """The steps build on each other; their names determine the order."""

    @classmethod
    def setUpClass(cls):
        cls.guide = Guide(pathlib.Path("/packages/pages"), {README: QUICK_STARTS, OPERATOR: (), VENUE: (), TROUBLES: EMERGENCIES})
        # Three people at three machines, which are one machine here. The operator copies the token from the screen.
        cls.operator = Person("anna", [
            (r"Your token[^\n]*: $", lambda: re.findall(r"fmb_operator_\S+", cls.operator.screen)[-1])])
        cls.cafe = Person("ben")
        cls.owner = Person("cleo")
        cls.radio = Radio()
        pathlib.Path("/home/cleo/.bash_profile").write_text("export URL=%s\n" % REGISTRY)

    def assertWaits(self, unit):
        """Checks that a service is installed, and that the installation has not started it."""
        self.assertEqual(property_of(unit, "LoadState"), "loaded")
        self.assertEqual(property_of(unit, "ActiveState"), "inactive")
        self.assertNotEqual(property_of(unit, "UnitFileState"), "enabled")

    @staticmethod
    def page(name):
        return pathlib.Path("/packages/pages", name).read_text(encoding="utf-8")

    @staticmethod
    def installs(steps, package):
        """Types until the package is installed, and returns what the screen shows then."""
        return next(screen for screen in steps if "Setting up %s " % package in screen)

    def test_01_an_operator_does_as_the_readme_says(self):
        steps = self.guide.section(README, QUICK_STARTS[0], self.operator)
        said = self.installs(steps, "findmybike-registry")
        self.assertWaits("findmybike-registry")
        for remedy in ("operator create", "systemctl enable --now findmybike-registry"):
            self.assertIn(remedy, said)
        *_, told = steps
        self.assertIn("sudo findmybike-monitor enrol %s " % REGISTRY, told)
        self.assertEqual(property_of("findmybike-registry", "ActiveState"), "active")
        self.assertIn("listening", property_of("findmybike-registry", "StatusText"))
        self.assertEqual(os.stat("/var/lib/findmybike-registry").st_mode & 0o777, 0o700)
        self.assertEqual(len(sign_up(REGISTRY)), 10)

    def test_02_a_cafe_does_as_the_readme_says(self):
        steps = self.guide.section(README, QUICK_STARTS[1], self.cafe, told=self.operator.screen)
        said = self.installs(steps, "findmybike-monitor")
        self.assertWaits("findmybike-monitor")
        self.assertIn("findmybike-monitor enrol", said)
        *_, status = steps
        self.assertIn("radio hci0", status)
        self.assertEqual(property_of("findmybike-monitor", "ActiveState"), "active")

    def test_03_an_owner_does_as_the_readme_says(self):
        self.guide.all(README, QUICK_STARTS[2], self.owner)

    def test_04_programs_pages_and_completions_are_there(self):
        for name in ("findmybike", "findmybike-monitor", "findmybike-registry"):
            self.assertRegex(run(name, "--version").stdout, r"^\d+\.\d+\.\d+")
            self.assertTrue(os.path.exists("/usr/share/bash-completion/completions/" + name))
            self.assertTrue(os.path.exists("/usr/share/zsh/vendor-completions/_" + name))
            self.assertTrue(os.path.exists("/usr/share/fish/vendor_completions.d/%s.fish" % name))
            listed = run("dpkg", "-L", name).stdout.split()
            self.assertIn("/usr/share/man/man1/%s.1.gz" % name, listed)
        self.assertTrue(glob.glob("/usr/share/findmybike/scenarios/*"))

    def test_05_a_purge_leaves_nothing(self):
        run("dpkg", "--purge", "findmybike-monitor", "findmybike-registry", "findmybike", "findmybike-archive-keyring", "caddy")
        os.remove("/etc/apt/sources.list.d/findmybike.sources")
        self.assertEqual(installed(), [])
        shutil.rmtree("/var/lib/caddy", ignore_errors=True)
        for person in ("anna", "cleo"):
            shutil.rmtree("/home/%s/.config" % person)

    def test_06_an_operator_does_as_the_guide_says(self):
        self.guide.all(OPERATOR, "Ten minutes", self.operator)
        self.guide.all(OPERATOR, "HTTP/2", self.operator)
        self.guide.all(OPERATOR, "Evidence for the police", self.operator)
        self.assertEqual(property_of("findmybike-registry", "ActiveState"), "active")
        self.guide.all(OPERATOR, "Inviting stations", self.operator)

    def test_07_settings_are_read_again_where_that_is_safe(self):
        before = property_of("findmybike-registry", "MainPID")
        change_setting(SETTINGS[1], "  # level: info", "  level: debug")
        change_setting(SETTINGS[1], "  # registration: open", "  registration: open")
        change_setting(SETTINGS[1], "  # drain: 30", "  drain: 29")
        # For the alert that is sent to this machine.
        change_setting(SETTINGS[1], "  # allowPrivateAddresses: false", "  allowPrivateAddresses: true")
        run("systemctl", "reload", "findmybike-registry")
        self.assertTrue(eventually(lambda: "need a restart" in journal("findmybike-registry")))
        self.assertIn("applied=log.level", journal("findmybike-registry"))
        self.assertIn("timeouts.drain", journal("findmybike-registry"))
        self.assertEqual(property_of("findmybike-registry", "MainPID"), before)
        run("systemctl", "restart", "findmybike-registry")

    def test_08_a_venue_does_as_the_guide_says(self):
        steps = self.guide.section(VENUE, "Ten minutes", self.cafe, told=self.operator.screen)
        self.installs(steps, "findmybike-monitor")
        # If it is started too early, it says what to do.
        run("systemctl", "start", "findmybike-monitor", check=False)
        self.assertTrue(eventually(lambda: property_of("findmybike-monitor", "ActiveState") == "failed"))
        self.assertIn("findmybike-monitor enrol", journal("findmybike-monitor"))
        run("systemctl", "reset-failed", "findmybike-monitor")
        list(steps)
        status = os.stat(TOKEN)
        self.assertEqual(status.st_mode & 0o777, 0o600)
        self.assertEqual(pwd.getpwuid(status.st_uid).pw_name, "findmybike-monitor")
        with open(SETTINGS[0]) as file:
            settings = file.read()
        for part in ("  url: %s\n" % REGISTRY, "  latitude: 51.50072\n", "  longitude: -0.12463\n", "# FindMyBike monitor"):
            self.assertIn(part, settings)
        self.guide.all(VENUE, "Is it working?", self.cafe)
        self.guide.all(VENUE, "You decide what is reported", self.cafe)
        self.guide.all(VENUE, "A screen for the staff", self.cafe)

    def test_09_a_missing_bike_that_passes_alerts_its_owner(self):
        receiver = Receiver()
        self.owner.types("findmybike login %s --new" % REGISTRY)
        bike = json.loads(self.owner.types(
            "findmybike bike register --kind bicycle --make Brompton --model 'C Line' --colour green --json"))
        added = self.owner.types("findmybike channel add webhook %s --json" % receiver.url)
        receiver.secret = json.loads(added)["secret"]
        self.owner.types("findmybike bike missing")
        with open("/tmp/trail", "w") as trail:
            follower = subprocess.Popen(
                ["runuser", "--login", "cleo", "--command", "findmybike sightings --follow"], stdout=trail, stderr=trail)
        self.addCleanup(follower.wait)
        self.addCleanup(follower.terminate)
        identity = bike["identity"]
        deadline = time.monotonic() + 600
        while receiver.alerts.empty() and time.monotonic() < deadline:
            self.radio.hears(identity["uuid"], identity["major"], identity["minor"])
            time.sleep(1)
        try:
            alert = receiver.alerts.get(timeout=1)
        except queue.Empty:
            self.fail("no alert came:\n" + journal("findmybike-monitor") + journal("findmybike-registry"))
        self.assertIn("Café Sprocket", alert["data"]["message"])
        self.assertIn("Café Sprocket", self.owner.types("findmybike sightings"))
        # The live stream, through the proxy.
        self.assertTrue(eventually(lambda: "Café Sprocket" in pathlib.Path("/tmp/trail").read_text(encoding="utf-8")))
        type(self).identity = "%(uuid)s:%(major)d:%(minor)d" % identity

    def test_10_a_support_bundle_holds_the_log_and_no_secret(self):
        run("findmybike-monitor", "support-bundle", "--output", "/root/bundle.tar.gz")
        self.assertEqual(os.stat("/root/bundle.tar.gz").st_mode & 0o777, 0o600)
        held = run("tar", "-xzOf", "/root/bundle.tar.gz").stdout
        for part in ("missing bike matched", "station.latitude: 51.5", "the registry accepts the station’s token", "Debian"):
            self.assertIn(part, held)
        with open(TOKEN) as file:
            self.assertNotIn(file.read().strip(), held)
        self.assertNotIn(self.identity, held)

    def test_11_a_backup_is_made_and_restored_as_the_guide_says(self):
        self.guide.all(OPERATOR, "Backups", self.operator)
        self.assertIn("Brompton", self.owner.types("findmybike bike list"))
        self.guide.all(OPERATOR, "Rotating beacons", self.operator)
        self.assertEqual(os.stat("/var/lib/findmybike-registry/beacons.key").st_mode & 0o777, 0o600)

    def test_11_b_copies_of_backups_leave_the_machine_by_timers(self):
        run("apt-get", "install", "-q", "-y", "rsync")
        for command in re.findall(r"^sudo cp .*|^echo 'BACKUP_TO=.*", self.page(OPERATOR), re.MULTILINE):
            # The other machine is a folder here.
            self.operator.types(command.replace("findmybike-backup@other.example.org:", "/srv/other"))
        run("install", "-d", "-o", "findmybike-registry", "/srv/other")
        run("systemctl", "daemon-reload")
        run("systemctl", "enable", "--now", "findmybike-backup.timer", "findmybike-journals.timer")
        journal_file = "/var/lib/findmybike-registry/registry.sqlite.revocations"
        run("runuser", "-u", "findmybike-registry", "--", "touch", journal_file)
        run("systemctl", "start", "findmybike-backup", "findmybike-journals")
        self.assertTrue(os.path.exists("/srv/other/registry.sqlite.revocations"))
        [copy] = glob.glob("/srv/other/backup-[1-7].sqlite")
        self.assertEqual(digest(copy), digest("/var/lib/findmybike-registry/backup.sqlite"))
        self.assertIn("findmybike-backup.timer", run("systemctl", "list-timers").stdout)

    def test_11_c_what_fails_at_3_am_is_repaired_as_the_guide_says(self):
        folder = pathlib.Path("/var/lib/findmybike-registry")
        for title in EMERGENCIES[:3]:
            self.guide.all(TROUBLES, title, self.operator)
        run("install", "-m", "600", "-o", "anna", folder / "signing.key", "/home/anna/signing.key")
        (folder / "signing.key").unlink()
        run("systemctl", "restart", "findmybike-registry", check=False)
        self.assertIn(str(folder / "signing.key"), journal("findmybike-registry"))
        self.guide.all(TROUBLES, EMERGENCIES[3], self.operator)
        self.assertEqual(property_of("findmybike-registry", "ActiveState"), "active")
        # A token that was made after the backup would not work.
        run("systemctl", "start", "findmybike-backup")
        run("systemctl", "stop", "findmybike-registry")
        for name in ("", "-wal", "-shm"):
            pathlib.Path(str(folder / "registry.sqlite") + name).unlink(missing_ok=True)
        self.guide.all(TROUBLES, EMERGENCIES[4], self.operator)
        self.assertIn("Brompton", self.owner.types("findmybike bike list"))

    def test_12_an_upgrade_as_the_guide_says_keeps_the_data_and_serves_on(self):
        before = [property_of(unit, "MainPID") for unit in ("findmybike-monitor", "findmybike-registry")]
        kept = [digest(path) for path in (TOKEN, *SETTINGS)]
        shutil.rmtree("/srv/findmybike")
        shutil.copytree("/packages/source", "/srv/findmybike")
        self.guide.all(OPERATOR, "Upgrading", self.operator)
        self.guide.all(VENUE, "Upgrading", self.cafe)
        for unit, former in zip(("findmybike-monitor", "findmybike-registry"), before):
            self.assertTrue(eventually(lambda: property_of(unit, "ActiveState") == "active"))
            self.assertNotEqual(property_of(unit, "MainPID"), former)
        self.assertEqual([digest(path) for path in (TOKEN, *SETTINGS)], kept)
        self.assertIn("+next", run("dpkg-query", "--show", "findmybike-monitor", "findmybike-registry").stdout)
        self.assertIn("Brompton", self.owner.types("findmybike bike list"))
        self.assertIn("Café Sprocket", self.operator.types("findmybike station list"))

    def test_12_b_station_goes_back_as_the_guide_says_and_stays_there(self):
        names = ("findmybike-monitor", "findmybike")
        version = lambda: run("dpkg-query", "--show", "--showformat", "${Version} ", *names).stdout
        newer = version()
        older = newer.split()[0].replace("+next", "")
        ways = re.findall(r"^sudo apt(?: install --allow-downgrades|-mark hold) .*", self.page(VENUE), re.MULTILINE)
        self.assertEqual(len(ways), 2)
        for way in ways:
            self.cafe.types(way.replace("VERSION", older))
        self.assertEqual(version().split(), [older, older])
        self.cafe.types("sudo unattended-upgrade")
        self.assertEqual(version().split(), [older, older])
        self.cafe.types(re.search(r"`(sudo apt-mark unhold .*?)`", self.page(VENUE))[1])
        self.cafe.types("sudo unattended-upgrade")
        self.assertEqual(version(), newer)

    def test_13_a_key_that_only_root_reads_is_a_credential(self):
        self.assertEqual(os.stat("/packages/key.pem").st_mode & 0o777, 0o600)
        drop_in("findmybike-registry", """[Service]
LoadCredential=certificate:/packages/certificate.pem
LoadCredential=certificate-key:/packages/key.pem
Environment=FINDMYBIKE_LISTEN=127.0.0.1:444
Environment=FINDMYBIKE_TLS_CERTIFICATE=%%d/certificate FINDMYBIKE_TLS_KEY=%%d/certificate-key
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
PrivateUsers=no
""")
        run("systemctl", "restart", "findmybike-registry")
        run("curl", "--silent", "--show-error", "--fail", "--cacert", "/packages/certificate.pem", "https://localhost:444/readyz")
        os.remove("/etc/systemd/system/findmybike-registry.service.d/trial.conf")
        run("systemctl", "daemon-reload")
        run("systemctl", "restart", "findmybike-registry")

    def test_14_a_dead_registry_is_restarted(self):
        before = property_of("findmybike-registry", "MainPID")
        os.kill(int(before), 9)
        self.assertTrue(eventually(lambda: property_of("findmybike-registry", "MainPID") not in ("0", before)))
        self.assertTrue(eventually(lambda: property_of("findmybike-registry", "ActiveState") == "active"))

    def test_15_a_purge_as_the_guide_says_leaves_nothing(self):
        # Secrets, as the guides say; the operator's mail server has a password, too.
        secrets = re.findall(r"^echo 'THE .*sudo install -m 600 .*", self.page(VENUE) + self.page(ALARMS), re.MULTILINE)
        self.assertEqual(len(secrets), 2)
        for secret in (*secrets, "echo password | sudo install -m 600 -o findmybike-registry /dev/stdin "
                       "/etc/findmybike/mail-password"):
            self.cafe.types(secret)
        self.guide.all(VENUE, "Stopping", self.cafe)
        self.guide.all(OPERATOR, "Shutting it down", self.operator)
        self.assertEqual(installed(), [])
        for unit in ("findmybike-monitor", "findmybike-registry"):
            self.assertEqual(run("systemctl", "is-active", unit, check=False).stdout.strip(), "inactive")

    def test_16_all_that_the_pages_say_was_typed(self):
        self.assertEqual(self.guide.untyped, [])


if __name__ == "__main__":
    outcome = unittest.main(verbosity=2, failfast=True, exit=False).result
    if not outcome.wasSuccessful():
        print(run("journalctl", "--no-pager", "--lines", "100").stdout)
        sys.exit(1)
