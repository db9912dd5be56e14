"""Checks of the packages for arm64, by qemu-user in a clean Debian, from a signed apt source. Called by scripts/arm64.sh."""
import argparse
import functools
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
CAPTURES = REPOSITORY / "Tests/Radio/ScanningTests/Fixtures"
NAMES = ("findmybike", "findmybike-monitor", "findmybike-registry")
EMULATOR = "qemu-aarch64-static"
options = None


def run(*command, status=0, **more):
    result = subprocess.run(
        [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1200, check=False,
        **more)
    if status is not None and result.returncode != status:
        raise AssertionError("%s: %d\n%s" % (" ".join(map(str, command)), result.returncode, result.stdout))
    return result.stdout


class QuietFiles(http.server.SimpleHTTPRequestHandler):
    """Any static web server can serve the source."""

    def log_message(self, *arguments):
        pass


class Arm64(unittest.TestCase):
    """The steps build on each other; their names determine the order."""

    @classmethod
    def setUpClass(cls):
        cls.root, cls.source = options.work / "root", options.work / "source"
        # The card's package needs a network manager and more: Tests/Card checks it where it belongs.
        cls.packages = sorted(path for path in options.packages.glob("*_arm64.deb") if "card" not in path.name)
        cls.names = [path.name.split("_")[0] for path in cls.packages]
        cls.key = options.work / "packages.key"
        cls.repository("--new-key", cls.key, "Packages of the check")
        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(QuietFiles, directory=str(options.work)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        cls.addClassCleanup(server.server_close)
        cls.addClassCleanup(server.shutdown)
        cls.address = "http://127.0.0.1:%d" % server.server_port

    @staticmethod
    def repository(*arguments, status=0):
        return run(REPOSITORY / "scripts/repository.sh", *arguments, status=status)

    def inside(self, *command, status=0):
        return run(REPOSITORY / "scripts/arm64/enter.py", self.root, *command, status=status)

    def published(self, folder, key, *packages):
        return self.repository(folder, key, "%s/%s" % (self.address, folder.name), *packages)

    def version(self, name):
        return self.inside("dpkg-query", "--show", "--showformat", "${Version}", name)

    def test_1_packages_are_installed_from_the_signed_source(self):
        self.published(self.source, self.key, *self.packages)
        self.inside(
            "curl", "--fail", "--silent", "--show-error", "--output", "/etc/apt/sources.list.d/findmybike.sources",
            self.address + "/source/findmybike.sources")
        self.inside("apt-get", "update", "-q")
        self.inside("apt-get", "install", "-q", "-y", "--no-install-recommends", *self.names)
        for name in self.names:
            self.assertRegex(self.inside(name, "--version"), r"^\d+\.\d+\.\d+")
        size = sum(int(self.inside("dpkg-query", "--show", "--showformat", "${Installed-Size}", name)) for name in NAMES[:2])
        print("    findmybike and findmybike-monitor take %.1f MB of the card, and %.1f MB to download" % (
            size * 1024 / 1e6, sum(path.stat().st_size for path in self.packages if "registry" not in path.name) / 1e6))

    def test_2_captures_are_read_as_by_an_independent_reader(self):
        with open(CAPTURES / "expected.json", encoding="utf-8") as file:
            expected = json.load(file)
        for name, values in expected.items():
            with self.subTest(name):
                (self.root / "tmp" / name).write_bytes((CAPTURES / name).read_bytes())
                lines = [json.loads(line) for line in self.inside(
                    "findmybike", "scan", "--replay", "/tmp/" + name, "--json").splitlines()]
                self.assertEqual(lines[-1]["reports"], values["reports"])
                fields = ("uuid", "major", "minor", "measuredPower", "frames")
                beacons = [{field: line[field] for field in fields} for line in lines[:-1] if line["kind"] == "iBeacon"]
                for beacon in beacons:
                    beacon["uuid"] = beacon["uuid"].lower()
                order = lambda beacon: (beacon["uuid"], beacon["major"], beacon["minor"], beacon["measuredPower"])
                self.assertEqual(sorted(beacons, key=order), sorted(values["ibeacons"], key=order))

    def test_3_a_bike_that_is_heard_alerts_its_owner(self):
        programs = options.work / "programs"
        programs.mkdir()
        for name in NAMES:
            program = self.root / "usr/bin" / name
            if name in self.names:
                (programs / name).write_text(
                    '#!/bin/sh\nexec %s -L %s %s "$@"\n' % (EMULATOR, self.root, program), encoding="utf-8")
                (programs / name).chmod(0o755)
            else:
                (programs / name).symlink_to(options.programs / name)
        told = run(sys.executable, "-B", REPOSITORY / "scripts/demo/play.py", "--programs", programs)
        self.assertIn("ALERT", told)
        print("   ", next(line for line in told.splitlines() if "ALERT" in line).strip())

    def test_4_a_source_with_another_key_installs_nothing(self):
        key, source = options.work / "other.key", options.work / "other"
        self.repository("--new-key", key, "Somebody else")
        run(REPOSITORY / "scripts/package/next.sh", options.work / "next", *self.packages)
        self.published(source, key, *(options.work / "next").glob("*.deb"))
        # Somebody on the way, or on the server, answers with packages that another key has signed.
        self.source.rename(options.work / "genuine")
        source.rename(self.source)
        said = self.inside("apt-get", "update", "-q", status=None)
        self.assertRegex(said, "NO_PUBKEY|not signed|Missing key|signature")
        self.inside("apt-get", "upgrade", "-q", "-y")
        self.assertNotIn("+next", self.version("findmybike"))
        self.source.rename(source)
        (options.work / "genuine").rename(self.source)

    def test_5_a_source_whose_packages_were_changed_installs_nothing(self):
        place = next(self.source.glob("pool/findmybike_*_arm64.deb"))
        kept = place.read_bytes()
        place.write_bytes(kept[:-100] + bytes(100))
        self.inside("apt-get", "clean")
        said = self.inside("apt-get", "install", "-q", "-y", "--reinstall", "findmybike", status=100)
        self.assertRegex(said, "Hash Sum mismatch|unexpected size")
        place.write_bytes(kept)

    def test_6_the_same_version_does_not_change(self):
        changed = options.work / "changed"
        run("dpkg-deb", "--raw-extract", self.packages[0], changed)
        (changed / "usr/share/doc/added").write_text("changed\n", encoding="utf-8")
        run("dpkg-deb", "-Znone", "--root-owner-group", "--build", changed, options.work / "changed.deb")
        address = self.address + "/source"
        said = self.repository(self.source, self.key, address, options.work / "changed.deb", status=65)
        self.assertIn("raise the version", said)

    def test_7_an_upgrade_and_the_way_back(self):
        before = self.version("findmybike")
        self.published(self.source, self.key, *(options.work / "next").glob("*.deb"))
        self.inside("apt-get", "update", "-q")
        self.inside("apt-get", "upgrade", "-q", "-y")
        for name in self.names:
            self.assertTrue(self.version(name).endswith("+next"), name)
        self.inside(
            "apt-get", "install", "-q", "-y", "--allow-downgrades", *("%s=%s" % (name, before) for name in self.names))
        for name in self.names:
            self.assertEqual(self.version(name), before)

    def test_8_a_purge_leaves_nothing(self):
        self.inside("apt-get", "purge", "-q", "-y", *self.names)
        os.remove(self.root / "etc/apt/sources.list.d/findmybike.sources")
        left = [path for folder in ("etc", "usr/bin", "usr/share", "var/lib", "lib/systemd") for path in
                (self.root / folder).rglob("*findmybike*") if not re.search(r"/var/lib/(dpkg|apt|systemd)/", str(path))]
        self.assertEqual(left, [])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("work", "packages", "programs"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    options = parser.parse_args()
    unittest.main(argv=sys.argv[:1], verbosity=2, failfast=True)
