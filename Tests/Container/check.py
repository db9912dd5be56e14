"""Checks of a station's image, in a container behind a Supervisor that was not written for it, with a registry on this
machine. Called by scripts/container.sh check, in a network of its own.

Usage: check.py PROGRAMS IMAGE
"""
import contextlib
import http.client
import json
import os
import pathlib
import queue
import re
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts/demo"))
import play  # noqa: E402
from receiver import Receiver  # noqa: E402

PROGRAMS, IMAGE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
IDENTITY = "7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:1"
BEACON = "0215" + IDENTITY.split(":")[0].replace("-", "") + "12670001C5"
TOKEN = "a.long-lived.access-token"
# The address of the Supervisor, from which ingress comes.
SUPERVISOR = "172.30.32.2"
LARGEST = 60_000_000
PATIENCE = 120


class Engine:
    """Podman with a storage of its own, and what a machine with few rights lets it do."""

    def __init__(self, folder):
        self.command = [
            "podman", "--root", folder / "storage", "--runroot", folder / "run", "--storage-driver", "vfs", "--runtime", "runc",
            "--cgroup-manager", "cgroupfs", "--log-level", "error"]
        # Its own limits are higher than some machines permit.
        self.limits = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1000:1000"]

    def __call__(self, *arguments, status=0):
        result = subprocess.run(
            [str(part) for part in (*self.command, *arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=300, check=False)
        if status is not None and result.returncode != status:
            raise AssertionError("podman %s: %s" % (" ".join(map(str, arguments)), result.stdout))
        return result.stdout

    def start(self, data, *more):
        """Starts a station with the rights that an app needs: none."""
        return self(
            "run", "--detach", "--name", "station", "--network", "host", "--add-host", "supervisor:127.0.0.1", *self.limits,
            "--read-only", "--cap-drop", "all", "--security-opt", "no-new-privileges", "--tmpfs", "/run/findmybike-monitor",
            "--volume", "%s:/data" % data, *more, self.image)


def ask(path, method="GET", source=SUPERVISOR, body=None, **headers):
    """Asks the ingress; status, header and text. None if it refuses the connection."""
    connection = http.client.HTTPConnection("127.0.0.1", 8099, timeout=20, source_address=(source, 0))
    fields = {"Host": "homeassistant.local:8123", "X-Ingress-Path": "/api/hassio_ingress/x"} | headers
    with contextlib.closing(connection):
        try:
            connection.request(method, path, body, fields)
            response = connection.getresponse()
            return response.status, dict(response.getheaders()), response.read().decode()
        except (OSError, http.client.HTTPException):
            return None


class ContainerCheck(unittest.TestCase):
    """The steps build on each other; their names determine the order."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="findmybike-container.")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.data = cls.folder / "data"
        cls.data.mkdir()
        cls.engine = Engine(cls.folder)
        cls.addClassCleanup(cls.engine, "rm", "--force", "--time", "1", "station", status=None)
        cls.engine.image = re.search(r"Loaded image: (\S+)", cls.engine("load", "--input", IMAGE))[1]
        cls.stage = play.Stage(PROGRAMS, cls.folder)
        cls.addClassCleanup(cls.stage.stop)
        cls.receiver = Receiver()
        cls.url = play.serve_registry(cls.stage, cls.folder, "displays:\n  onVenueNetwork: true\n")
        cls.owner, cls.bike = play.report_bike(cls.stage, cls.folder, cls.url, cls.receiver, IDENTITY)
        cls.operator = {"FINDMYBIKE_REGISTRY_URL": cls.url, "FINDMYBIKE_TOKEN_FILE": cls.folder / "operator-token"}
        cls.code = json.loads(cls.stage.run(
            "findmybike", "station", "invite", "--name", "The Spoke", "--latitude", 51.50072, "--longitude", -0.12463,
            "--json", **cls.operator))["code"]
        cls.home = subprocess.Popen(
            [sys.executable, REPOSITORY / "Tests/Radio/HomeAssistantTests/Fixtures/home_assistant.py", "--supervisor", "--port", "80",
             "--beacon", BEACON],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        cls.addClassCleanup(cls.end_home)
        assert cls.home.stdout.readline() == "80\n"

    @classmethod
    def end_home(cls):
        cls.home.send_signal(signal.SIGTERM)
        cls.home.wait(20)
        cls.home.stdout.close()

    def alert(self):
        with contextlib.suppress(queue.Empty):
            return self.receiver.alerts.get(timeout=1)
        return None

    def options(self, **values):
        """The options as the Supervisor writes them: everything that the schema has a default for."""
        file = self.data / "options.json"
        file.write_text(json.dumps(
            {"registry": self.url, "report": "always", "partners": True, "place": "registry", "alarms": False} | values))
        os.chmod(file, 0o600)

    def until(self, what, check):
        end = time.monotonic() + PATIENCE
        while not (found := check()):
            if time.monotonic() > end:
                self.fail("%s:\n%s" % (what, self.engine("logs", "station", status=None)))
            time.sleep(0.5)
        return found

    def stations(self):
        """The identifiers of the registry's stations."""
        return sorted(re.findall(r'"id" ?: ?"([^"]+)"', self.stage.run("findmybike", "station", "list", "--json", **self.operator)))

    def test_0_the_add_on_is_complete(self):
        folder = self.folder / "addons"
        subprocess.run(
            [REPOSITORY / "scripts/addon.sh", "--image", "images.example.org/station", "--url", "https://registry.example.org",
             folder], check=True)
        configuration = (folder / "findmybike/config.yaml").read_text()
        self.assertNotIn("${", configuration + (folder / "repository.yaml").read_text())
        # Each option has a text in each language, and no other has.
        schema = set(re.findall(r"^  (\w+):", configuration.split("\nschema:\n")[1], re.MULTILINE))
        for language in ("en", "de"):
            texts = (folder / "findmybike/translations" / (language + ".yaml")).read_text()
            self.assertEqual(set(re.findall(r"^  (\w+):$", texts, re.MULTILINE)), schema, language)
        subprocess.run(
            ["apparmor_parser", "--skip-kernel-load", "--skip-cache", "--quiet", folder / "findmybike/apparmor.txt"], check=True)

    def test_1_the_image_is_small_and_has_no_shell(self):
        size = IMAGE.stat().st_size
        print("    the image: %d B compressed" % size)
        self.assertLess(size, LARGEST)
        with tarfile.open(next(IMAGE.parent.glob("root-%s.tar.gz" % {"x86_64": "amd64"}.get(os.uname().machine, "aarch64")))) as root:
            members = root.getmembers()
        programs = {m.name for m in members if m.isfile() and m.mode & 0o111 and not re.search(r"/(libc|ld-linux[^/]*)\.so\.\d$", m.name)}
        self.assertEqual(programs, {"./usr/bin/findmybike"})
        self.assertEqual([m.name for m in members if m.mode & 0o6000], [])

    def test_1_old_versions_of_docker_can_load_the_image_that_the_example_names(self):
        with tarfile.open(IMAGE) as archive:
            (image,) = json.load(archive.extractfile("manifest.json"))
            self.assertLessEqual({image["Config"], *image["Layers"]}, set(archive.getnames()))
        example = (REPOSITORY / "config/container/compose.yaml").read_text()
        self.assertEqual(re.findall(r"image: (\S+)", example), image["RepoTags"])

    def test_2_a_wrong_code_is_explained_in_the_log_and_in_the_ingress(self):
        self.options(code="7KQ2M-XW9TC-4HJ6D-PPZ0A")
        self.engine.start(self.data, "--env", "SUPERVISOR_TOKEN=" + TOKEN)
        page = self.until("the ingress answers", lambda: (found := ask("/status")) and "the code does not work" in found[2] and found)
        print("   ", re.search(r"The station is not[^.]*\.", " ".join(page[2].split()))[0])
        self.assertIn("the code does not work", self.engine("logs", "station"))
        self.assertEqual(ask("/")[1]["Location"], "status")
        # Others in the network of apps get nothing.
        self.assertIsNone(ask("/status", source="127.0.0.1"))
        began = time.monotonic()
        self.engine("stop", "--time", "60", "station")
        self.assertLess(time.monotonic() - began, 30)
        self.engine("rm", "station")

    def test_3_with_the_right_code_it_becomes_a_station_that_reports(self):
        self.options(code=self.code, partners=False)
        self.engine.start(self.data, "--env", "SUPERVISOR_TOKEN=" + TOKEN)
        alert = self.until("an alert arrives", self.alert)
        print("   ", alert["data"]["message"])
        self.assertIn("The Spoke", alert["data"]["message"])
        status = self.engine("exec", "station", "/usr/bin/findmybike", "venue", "status", status=None)
        self.assertRegex(status, r"radio home\.kitchen +scanning")

    def test_4_the_display_is_in_the_ingress_without_a_code(self):
        self.until("displays are allowed", lambda: ask("/")[1].get("Location") == "display")
        status, headers, page = ask("/display")
        self.assertEqual(status, 200)
        self.assertIn("frame-ancestors 'self'", headers["Content-Security-Policy"])
        for link in re.findall(r'(?:href|src)="([^"]+)"', page):
            self.assertTrue(link.startswith("./"), link)
            self.assertEqual(ask(link[1:])[0], 200, link)
        view = json.loads(ask("/v1/display")[2])
        self.assertEqual((view["station"], view["health"]["state"]), ("The Spoke", "listening"))
        self.assertIn("radio home", ask("/status")[2])

    def test_4_the_registry_learns_that_the_venue_refuses_partners(self):
        self.until("the heartbeat says it", lambda: re.search(
            '"partners" ?: ?false', self.stage.run("findmybike", "station", "show", "The Spoke", "--json", **self.operator)))

    def test_5_a_restart_enrols_nothing(self):
        before = self.stations()
        self.engine("restart", "--time", "30", "station")
        self.until("it is a station", lambda: (found := ask("/status")) and "radio home" in found[2])
        self.assertEqual(self.stations(), before)
        self.assertNotIn("not listening yet", self.engine("logs", "--since", "5s", "station"))

    def test_6_without_home_assistant_the_environment_has_the_code(self):
        before = self.stations()
        self.engine("rm", "--force", "--time", "20", "station")
        (self.data / "options.json").unlink()
        # Neither a radio nor a receiver: it starts, and says what is missing.
        self.engine.start(self.data, "--env", "FINDMYBIKE_REGISTRY_URL=" + self.url, "--env", "FINDMYBIKE_CODE=" + self.code)
        self.until("it looks for a radio", lambda: re.search("D-Bus|dbus|bluetoothd", self.engine("logs", "station", status=None)))
        self.assertEqual(self.stations(), before)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2, failfast=True)
