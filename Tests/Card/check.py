"""Checks of the card: from an image and a text file to a station that reports a beacon. Called by scripts/image.sh check."""
import argparse
import functools
import http.server
import json
import pathlib
import queue
import re
import socket
import ssl
import sys
import tempfile
import threading
import unittest

from machine import Card, Machine, run

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts/demo"))
import play  # noqa: E402
from receiver import Receiver  # noqa: E402

SCENARIO = REPOSITORY / "config/scenarios/bike-passes-cafe.yaml"
# This machine, as the emulated one sees it.
HOST = "10.0.2.2"
STATUS = "findmybike-status.txt"
# An emulated start takes minutes.
PATIENCE = 1200
options = None


class QuietFiles(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


class Encryption:
    """TLS before a registry that has none: a station refuses to send its token without."""

    def __init__(self, folder, port):
        key, self.certificate = folder / "tls.key", folder / "tls.pem"
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key,
            "-out", self.certificate, "-subj", "/CN=registry", "-addext", "subjectAltName=IP:" + HOST, "-days", "30")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        listener = socket.create_server(("127.0.0.1", 0))
        self.port, self.target, self.context = listener.getsockname()[1], port, context
        threading.Thread(target=self.serve, args=(listener,), daemon=True).start()

    def serve(self, listener):
        while True:
            client, _ = listener.accept()
            threading.Thread(target=self.join, args=(client,), daemon=True).start()

    def join(self, client):
        try:
            client = self.context.wrap_socket(client, server_side=True)
            server = socket.create_connection(("127.0.0.1", self.target))
        except OSError:
            return client.close()
        answers = threading.Thread(target=self.copy, args=(server, client), daemon=True)
        answers.start()
        self.copy(client, server)
        answers.join()

    @staticmethod
    def copy(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            source.close()
            target.close()


class CardCheck(unittest.TestCase):
    """The steps build on each other; their names determine the order."""

    @classmethod
    def setUpClass(cls):
        cls.folder = options.work
        cls.stage = play.Stage(options.programs, cls.folder)
        cls.addClassCleanup(cls.stage.stop)
        cls.receiver = Receiver()
        url = play.serve_registry(cls.stage, cls.folder)
        identity = play.identity_in(cls.stage, SCENARIO)
        cls.owner, cls.bike = play.report_bike(cls.stage, cls.folder, url, cls.receiver, identity)
        cls.encryption = Encryption(cls.folder, int(url.rsplit(":", 1)[1]))
        cls.registry = "https://%s:%d" % (HOST, cls.encryption.port)
        invited = json.loads(cls.stage.run(
            "findmybike", "station", "invite", "--name", "Café Sprocket", "--latitude", 51.50072, "--longitude", -0.12463,
            "--accuracy", 10, "--json", FINDMYBIKE_REGISTRY_URL=url, FINDMYBIKE_TOKEN_FILE=cls.folder / "operator-token"))
        cls.code = invited["code"]
        cls.card = Card(options.image, cls.folder)
        cls.card.put("/etc/findmybike/registry.pem", cls.encryption.certificate.read_text())
        cls.card.put("/etc/findmybike/monitor.yaml", "registry:\n  certificateAuthority: /etc/findmybike/registry.pem\n")
        cls.card.put("/etc/findmybike/scenario.yaml", SCENARIO.read_text())
        cls.card.put(
            "/etc/systemd/system/findmybike-monitor.service.d/simulation.conf",
            # A simulation ends with its scenario.
            "[Service]\nType=exec\nWatchdogSec=0\nRestart=always\nExecStart=\nExecStart=/usr/bin/findmybike-monitor "
            "--config /etc/findmybike/monitor.yaml --simulate /etc/findmybike/scenario.yaml\n")

    def machine(self):
        return Machine(self.card, self.folder)

    def await_status(self, machine, text):
        machine.eventually(
            lambda: text in machine.shell("cat /boot/firmware/" + STATUS, PATIENCE), PATIENCE,
            lambda: machine.shell("journalctl --no-pager -u 'findmybike-card*'"))

    def settings(self, **values):
        """The file from the image, filled in."""
        text = self.card.text("findmybike.txt").replace("\r", "")
        for name, value in values.items():
            text, count = re.subn(r"(?m)^%s:.*$" % name.replace("_", "-"), "%s: %s" % (name.replace("_", "-"), value), text)
            self.assertEqual(count, 1, name)
        self.card.save("findmybike.txt", text)

    def test_1_a_mistake_in_the_file_is_explained_on_the_card(self):
        self.assertIn("::/findmybike.txt", self.card.names())
        self.settings(registry=self.registry, code="WRONG-CODE", time_zone="Europe/Sprocket")
        with self.machine() as machine:
            self.await_status(machine, "no such time zone")
            machine.switch_off()
        said = self.card.text(STATUS)
        self.assertIn("Line ", said)
        self.settings(time_zone="Europe/Berlin")
        with self.machine() as machine:
            self.await_status(machine, "code does not work")
            machine.switch_off()
        print("   ", " ".join(self.card.text(STATUS).split()))

    def test_2_with_the_right_code_it_becomes_a_station_that_reports(self):
        self.settings(
            code=self.code, name="Café Sprocket", wifi="Sprocket Guests", wifi_password="rear wheel", country="GB")
        with self.machine() as machine:
            try:
                alert = self.receiver.alerts.get(timeout=PATIENCE)
            except queue.Empty:
                self.fail(machine.shell("cat /boot/firmware/%s; journalctl --no-pager -u 'findmybike*'" % STATUS))
            print("   ", alert["data"]["message"])
            self.assertIn("Café Sprocket", alert["data"]["message"])
            self.assertEqual(machine.shell("hostname").strip(), "cafe-sprocket")
            self.assertIn("Berlin", machine.shell("readlink /etc/localtime"))
            self.assertIn("psk=rear wheel", machine.shell("cat /etc/NetworkManager/system-connections/*"))
            # Nobody can log in, and nothing listens but mDNS.
            self.assertRegex(machine.shell("cut -d: -f1,2 /etc/shadow"), r"\A(\w[\w-]*:[!*]+\n)+\Z")
            ports = machine.shell("ss -Hltun").splitlines()
            outside = [line.split()[4] for line in ports if not re.search(r"127\.0\.0\.|\[::1\]", line.split()[4])]
            print("    open:", sorted(set(outside)))
            self.assertEqual([port for port in outside if not port.endswith(":5353") and not self.is_reply(port)], [])
            size = int(machine.shell("df --output=size -B1 / | tail -n 1"))
            self.assertGreater(size, 2.9e9, "the root partition has not grown")
            self.assertIn("1min", machine.shell("systemctl show -p RuntimeWatchdogUSec"))
            self.assertIn("volatile", machine.shell("systemd-analyze cat-config systemd/journald.conf | grep -i storage"))
            self.assertEqual(machine.shell("systemctl --failed --plain --no-legend"), "")
            machine.shell("sync; echo 3 >/proc/sys/vm/drop_caches; cat /sys/block/mmcblk0/stat >/run/before")
            machine.shell("sleep 120", 200)
            before, after = machine.shell("cat /run/before /sys/block/mmcblk0/stat").splitlines()
            written = (int(after.split()[6]) - int(before.split()[6])) * 512
            print("    written in two quiet minutes: %d kB; memory: %s" % (
                written / 1000, " ".join(machine.shell("free -m | sed -n 2p").split()[1:4])))
            machine.switch_off()
        self.assertIn("This machine is the station “Café Sprocket”", self.card.text(STATUS))
        kept = self.card.text("findmybike.txt")
        self.assertNotIn("rear wheel", kept)
        self.assertNotIn(self.code, kept)
        self.assertIn("wifi: Sprocket Guests", kept)

    @staticmethod
    def is_reply(port):
        """Whether a UDP port is one from which avahi asks and chrony or DHCP get answers: above 32767, or DHCP's client."""
        number = int(port.rsplit(":", 1)[1])
        return number >= 32768 or number in (68, 546)

    def test_3_it_comes_back_after_the_plug_was_pulled(self):
        with self.machine() as machine:
            machine.eventually(
                lambda: "active" == machine.shell("systemctl is-active findmybike-monitor", PATIENCE).strip(), PATIENCE,
                lambda: machine.shell("journalctl --no-pager -u 'findmybike*'"))
        # The plug was pulled while it ran.
        with self.machine() as machine:
            machine.eventually(
                lambda: "active" == machine.shell("systemctl is-active findmybike-monitor", PATIENCE).strip(), PATIENCE,
                lambda: machine.shell("journalctl --no-pager -u 'findmybike*'"))
            machine.switch_off()
        self.assertIn("This machine is the station", self.card.text(STATUS))


def make_image(folder):
    """An image with the packages of this source, from an apt source that is here only while it is made."""
    packages = folder / "packages"
    run(REPOSITORY / "scripts/package.sh", "--architecture", "arm64", "--output", packages, "findmybike")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(QuietFiles, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    repository = REPOSITORY / "scripts/repository.sh"
    run(repository, "--new-key", folder / "packages.key", "Packages of the check")
    address = "http://127.0.0.1:%d/source" % server.server_port
    run(repository, folder / "source", folder / "packages.key", address, *packages.glob("*.deb"))
    image = folder / "findmybike.img"
    print(run(REPOSITORY / "scripts/image.sh", image, folder / "source/findmybike.sources").splitlines()[-1], flush=True)
    server.shutdown()
    return image


def main():
    global options
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--image", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="findmybike-card-", dir="/var/tmp") as folder:
        options.work = pathlib.Path(folder)
        options.image = options.image or make_image(options.work)
        result = unittest.TextTestRunner(verbosity=2, failfast=True).run(
            unittest.defaultTestLoader.loadTestsFromTestCase(CardCheck))
    sys.exit(not result.wasSuccessful())


if __name__ == "__main__":
    main()
