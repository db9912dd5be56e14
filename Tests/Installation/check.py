"""Checks of the installed packages, run as root under a real systemd in a clean system."""
import glob
import json
import os
import subprocess
import time
import unittest

REGISTRY = "http://127.0.0.1:8080"


def run(*command, check=True, **options):
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, **options)
    if check and result.returncode != 0:
        raise AssertionError("%s: %d\n%s%s" % (" ".join(command), result.returncode, result.stdout, result.stderr))
    return result


def findmybike(*arguments):
    return run("findmybike", *arguments, "--registry", REGISTRY, "--json", env={**os.environ, "HOME": "/root"}).stdout


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

    def test_1_nothing_starts_before_it_is_configured(self):
        for unit in ("findmybike-monitor", "findmybike-registry"):
            self.assertEqual(property_of(unit, "ActiveState"), "inactive")
            self.assertEqual(property_of(unit, "LoadState"), "loaded")
            self.assertNotEqual(property_of(unit, "UnitFileState"), "enabled")
        with open("/packages/install.log") as log:
            text = log.read()
        for remedy in ("findmybike-monitor enrol", "operator create", "systemctl enable --now findmybike-registry"):
            self.assertIn(remedy, text)

    def test_2_programs_pages_and_completions_are_there(self):
        for name in ("findmybike", "findmybike-monitor", "findmybike-registry"):
            self.assertRegex(run(name, "--version").stdout, r"^\d+\.\d+\.\d+")
            self.assertTrue(os.path.exists("/usr/share/bash-completion/completions/" + name))
            self.assertTrue(os.path.exists("/usr/share/zsh/vendor-completions/_" + name))
            self.assertTrue(os.path.exists("/usr/share/fish/vendor_completions.d/%s.fish" % name))
            listed = run("dpkg", "-L", name).stdout.split()
            self.assertIn("/usr/share/man/man1/%s.1.gz" % name, listed)
        self.assertTrue(glob.glob("/usr/share/findmybike/scenarios/*"))
        run("findmybike-registry", "serve", "--config", "/etc/findmybike/registry.yaml", "--check-config")

    def test_3_the_registry_serves_as_its_unit_says(self):
        run("sudo", "-u", "findmybike-registry", "findmybike-registry", "operator", "create")
        run("systemctl", "enable", "--now", "findmybike-registry")
        self.assertEqual(property_of("findmybike-registry", "ActiveState"), "active")
        self.assertIn("listening", property_of("findmybike-registry", "StatusText"))
        self.assertEqual(run("curl", "--silent", "--fail", REGISTRY + "/readyz").returncode, 0)
        self.assertEqual(os.stat("/var/lib/findmybike-registry").st_mode & 0o777, 0o700)

    def test_4_an_upgrade_keeps_the_data_and_serves_on(self):
        owner = json.loads(findmybike("owner", "create"))
        before = property_of("findmybike-registry", "MainPID")
        run("sh", "-c", "dpkg --install /packages/next/*.deb")
        self.assertEqual(property_of("findmybike-registry", "ActiveState"), "active")
        self.assertNotEqual(property_of("findmybike-registry", "MainPID"), before)
        self.assertTrue(owner)
        self.assertNotIn("error", findmybike("bike", "list"))

    def test_5_a_dead_registry_is_restarted(self):
        before = property_of("findmybike-registry", "MainPID")
        os.kill(int(before), 9)
        self.assertTrue(eventually(lambda: property_of("findmybike-registry", "MainPID") not in ("0", before)))
        self.assertTrue(eventually(lambda: property_of("findmybike-registry", "ActiveState") == "active"))

    def test_6_a_purge_leaves_nothing(self):
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
