"""Checks of the signed apt source that scripts/repository.sh makes, with a small package."""
import datetime
import email.utils
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
KEYRING = "findmybike-archive-keyring"


def run(*command, status=0):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300)
    if result.returncode != status:
        raise AssertionError("%s: %d\n%s%s" % (command, result.returncode, result.stdout, result.stderr))
    return result.stdout + result.stderr


class Repository(unittest.TestCase):
    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="findmybike-repository-"))
        self.addCleanup(shutil.rmtree, self.work)
        self.source, self.key = self.work / "apt", self.work / "packages.key"
        control = self.work / "small/DEBIAN/control"
        control.parent.mkdir(parents=True)
        control.write_text("Package: small\nVersion: 1\nArchitecture: all\nMaintainer: A <a@example.org>\nDescription: small\n")
        run("dpkg-deb", "--root-owner-group", "--build", self.work / "small", self.work / "small.deb")
        self.new_key(self.key)

    def new_key(self, path):
        run(PROJECT / "scripts/repository.sh", "--new-key", path, "Packages of a test")

    def publish(self, *packages, before=(), status=0):
        return run(PROJECT / "scripts/repository.sh", *before, self.source, self.key, "https://registry.example.org/apt",
                   *packages, status=status)

    def release(self):
        return (self.source / "dists/stable/InRelease").read_text(encoding="utf-8")

    def keyrings(self):
        return sorted((self.source / "pool").glob(KEYRING + "_*_all.deb"))

    def installed(self, package):
        """Unpacks a package as a machine does; returns its keyring."""
        place = self.work / package.name
        run("dpkg-deb", "--extract", package, place)
        return place / "usr/share/keyrings" / (KEYRING + ".pgp")

    def accepts(self, keyring, status=0):
        run("gpgv", "--keyring", keyring, self.source / "dists/stable/InRelease", status=status)

    def test_a_source_expires_and_is_renewed(self):
        said = self.publish(self.work / "small.deb")
        ends = email.utils.parsedate_to_datetime(re.search(r"^Valid-Until: (.*)$", self.release(), re.MULTILINE)[1])
        left = ends - datetime.datetime.now(datetime.timezone.utc)
        self.assertLess(abs(left - datetime.timedelta(days=180)), datetime.timedelta(hours=1))
        self.assertIn("scripts/repository.sh --renew", said)
        packages = sorted((self.source / "pool").iterdir())
        first = self.release()
        time.sleep(1.1)  # its dates have whole seconds
        self.publish(before=["--renew"])
        self.assertNotEqual(self.release(), first)
        self.assertEqual(sorted((self.source / "pool").iterdir()), packages)
        self.publish(self.work / "small.deb", before=["--renew"], status=64)

    def test_a_key_is_replaced_by_an_upgrade(self):
        self.publish(self.work / "small.deb")
        [first] = self.keyrings()
        self.accepts(self.installed(first))
        index = (self.source / "dists/stable/main/binary-arm64/Packages").read_text(encoding="utf-8")
        self.assertIn("Package: %s\n" % KEYRING, index)
        # A machine gets the next key while the old one still signs.
        self.new_key(self.work / "packages.key.next")
        self.publish(before=["--renew"])
        _, second = self.keyrings()
        run("dpkg", "--compare-versions", self.version(second), "gt", self.version(first))
        self.accepts(self.installed(first))
        self.accepts(self.installed(second))
        os.replace(self.work / "packages.key.next", self.key)
        self.publish(before=["--renew"])
        self.accepts(self.installed(first), status=2)
        self.accepts(self.installed(second))

    def version(self, package):
        return run("dpkg-deb", "--field", package, "Version").strip()

    def test_the_package_takes_the_key_over_from_the_sources(self):
        self.publish(self.work / "small.deb")
        script = (PROJECT / "scripts/package" / KEYRING / "postinst").read_text(encoding="utf-8")
        sources = self.work / "findmybike.sources"
        shutil.copy(self.source / "findmybike.sources", sources)
        with open(sources, "a", encoding="utf-8") as file:
            file.write("Enabled: yes\n")
        for _ in range(2):
            run("sh", "-c", script.replace("/etc/apt/sources.list.d/findmybike.sources", str(sources)), "postinst", "configure")
            self.assertEqual(sources.read_text(encoding="utf-8"), (
                "Types: deb\nURIs: https://registry.example.org/apt\nSuites: stable\nComponents: main\n"
                "Signed-By: /usr/share/keyrings/%s.pgp\nEnabled: yes\n" % KEYRING))


if __name__ == "__main__":
    unittest.main()
