"""Registries for the benchmarks of partners: started, with a signing key, and with limits that a benchmark needs."""

import os
import pathlib
import re
import subprocess
import sys
import time

sys.path += [str(pathlib.Path(__file__).resolve().parents[2] / "Tests" / name) for name in ("Partners", "Cluster")]

from machines import free_port  # noqa: E402
from web import Client  # noqa: E402

SETTINGS = """\
listen: 127.0.0.1:{port}
publicURL: http://localhost:{port}
database: {folder}/registry.sqlite
evidence:
  keyFile: {folder}/evidence.key
log:
  level: warning
webhooks:
  allowPrivateAddresses: true
limits:
  address: off
  token: off
  owners: off
  codes: off
quotas:
  bikes: 100000
  openReports: 100000
"""


class Registry:
    def __init__(self, programs, folder, name):
        self.folder, self.port = folder / name, free_port()
        self.folder.mkdir()
        self.program, self.url = programs / "findmybike-registry", f"http://localhost:{self.port}"
        self.settings = self.folder / "registry.yaml"
        self.settings.write_text(SETTINGS.format(port=self.port, folder=self.folder))
        self.tool("key", "create")
        token = self.tool("operator", "create")
        self.log = open(self.folder / "log", "wb")
        # As in systemd/findmybike-registry.service.
        environment = os.environ | {"MALLOC_MMAP_THRESHOLD_": "1048576"}
        self.process = subprocess.Popen(
            [self.program, "serve", "--config", self.settings], stderr=self.log, env=environment)
        self.operator = Client(self.port, token)
        for _ in range(600):
            try:
                if Client(self.port).call("GET", "/readyz").status == 200:
                    return
            except OSError:
                time.sleep(0.1)
        sys.exit("the registry does not start:\n" + (self.folder / "log").read_text())

    def tool(self, *words):
        return subprocess.run(
            [self.program, *words, "--config", self.settings], capture_output=True, text=True, check=True).stdout.strip()

    def station(self, name):
        """The token of a new station."""
        place = {"latitude": 51.5, "longitude": -0.12, "accuracy": 10}
        code = self.operator.insist("POST", "/v1/invitations", {"name": name, "place": place}, (201,)).json()["code"]
        return Client(self.port).insist("POST", "/v1/station/enrolment", {"code": code}, (200, 201)).json()["token"]

    def owner(self, webhook=None):
        owner = Client(self.port, Client(self.port).insist("POST", "/v1/owners", {}, (201,)).json()["token"])
        if webhook:
            owner.insist("POST", "/v1/channels", {"kind": "webhook", "url": webhook}, (201,))
        return owner

    def missing_bike(self, owner):
        """The identity of a new bike that is missing since yesterday."""
        bike = owner.insist("POST", "/v1/bikes", {"kind": "bicycle", "make": "A", "model": "B", "colours": ["green"]}, (201,))
        since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 86_400))
        owner.insist("POST", f"/v1/bikes/{bike.json()['id']}/reports", {"missingSince": since, "policeReference": "1"}, (201,))
        return bike.json()["identity"]

    def memory(self, field="RssAnon"):
        """MB of 1,000,000 bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"^{field}:\s+(\d+)", status, re.MULTILINE)[1]) * 1024 / 1e6

    def processor(self):
        """Seconds of processor time so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def stop(self):
        self.process.terminate()
        self.process.wait(60)
