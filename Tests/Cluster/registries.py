"""Registries and the balancer in front of them."""
import json
import os
import re
import shutil
import subprocess
import time

from invariants import Verdict
from machines import Failure, free_port
from services import Service
from web import Client

SETTINGS = """\
listen: 127.0.0.1:{port}
database: {database}
{more}webhooks:
  allowPrivateAddresses: true
limits:
  address: off
  token: off
  wrongTokens: off
  owners: off
quotas:
  bikes: 100000
  channels: 100000
  tokens: 100000
  openReports: 100000
"""

# A token always comes to the same registry while that one is ready; the others get it when it is not.
BALANCER = """\
global
    nbthread 1
    maxconn 1000
defaults
    mode http
    timeout connect 1s
    timeout client 120s
    timeout server 120s
    retries 2
    option redispatch
    option http-no-delay
frontend all
    bind 127.0.0.1:{port}
    default_backend registries
backend registries
    balance hdr(Authorization)
    hash-type consistent
    option httpchk GET /readyz
    default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
"""


class Registries:
    """Several registries on one database; `port` is the balancer's."""

    def __init__(self, programs, database, count, folder, history, durability=None):
        """`durability` is a setting for PostgreSQL; None with SQLite."""
        self.program, self.folder = programs / "findmybike-registry", folder
        if not self.program.exists():
            raise Failure("%s is not built: run scripts/build.sh" % self.program)
        self.ports = [free_port() for _ in range(count)]
        self.port, self.balancer = free_port(), None
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("FINDMYBIKE_")}
        self.services = []
        for number, port in enumerate(self.ports, 1):
            name = "registry%d" % number
            (folder / name).mkdir(mode=0o700)
            settings = folder / name / "registry.yaml"
            more = "durability: %s\njournal: %s\n" % (durability, folder / name / "journal") if durability else ""
            settings.write_text(SETTINGS.format(port=port, database=database, more=more), encoding="utf-8")
            command = [str(self.program), "serve", "--config", str(settings)]
            self.services.append(Service(
                name, lambda generation, command=command: command, folder / (name + ".log"), history,
                self.environment | {"HOME": str(folder / name)}))
        self.settings = folder / "registry1" / "registry.yaml"

    def tool(self, *arguments):
        """Runs a command of the registry's program to its end."""
        result = subprocess.run(
            [self.program, *arguments, "--config", self.settings], capture_output=True, text=True, timeout=120,
            env=self.environment | {"HOME": str(self.folder / "registry1")}, check=False)
        if result.returncode != 0:
            said = (result.stderr or result.stdout).strip()
            raise Failure("findmybike-registry %s: %s" % (" ".join(arguments), said))
        return result.stdout

    def journal(self, service, kind):
        """The last word of each line of a registry's journal: what was erased or revoked."""
        path = self.folder / service.name / ("journal." + kind)
        lines = path.read_text(encoding="ascii").splitlines() if path.exists() else []
        return {line.split()[-1] for line in lines if line.strip()}

    def answers(self):
        """No registry answers a request with an error of its own other than 503, or says that it crashed."""
        count, broken = 0, []
        for service in self.services:
            with open(service.log, encoding="utf-8", errors="replace") as log:
                for line in log:
                    found = re.search(r"\bstatus=(\d{3})\b.*\[RegistryHTTP\] request", line)
                    count += found is not None
                    if (found and found[1][0] == "5" and found[1] != "503") or "Fatal error" in line:
                        broken.append("%s: %s" % (service.name, line.strip()))
        return Verdict("registries answer no 5xx but 503", count, tuple(broken))

    def start(self):
        """Starts everything and returns an operator's token."""
        token = json.loads(self.tool("operator", "create", "--json"))["token"]
        for service in self.services:
            service.start()
        self.await_ready()
        self.start_balancer()
        return token

    def start_balancer(self):
        program = shutil.which("haproxy", path="/usr/sbin:/usr/bin")
        if program is None:
            raise Failure("haproxy is not installed: run scripts/prepare.sh cluster")
        settings = self.folder / "haproxy.cfg"
        servers = "\n".join("    server r%d 127.0.0.1:%d check" % item for item in enumerate(self.ports, 1))
        settings.write_text(BALANCER.format(port=self.port, servers=servers), encoding="utf-8")
        with open(self.folder / "haproxy.log", "wb") as log:
            self.balancer = subprocess.Popen([program, "-db", "-f", settings], stdout=log, stderr=log)
        self.await_port(self.port)

    def await_ready(self, seconds=60):
        for port in self.ports:
            self.await_port(port, seconds)

    def await_port(self, port, seconds=60):
        deadline, problem = time.monotonic() + seconds, None
        while time.monotonic() < deadline:
            try:
                answer = Client(port).call("GET", "/readyz", seconds=5)
                if answer.status == 200:
                    return
                problem = answer.body[:300]
            except OSError as error:
                problem = error
            time.sleep(0.1)
        raise Failure("port %d is not ready: %s\n%s" % (port, problem, "".join(
            service.tail() for service in self.services if service.log.exists())))

    def stop(self):
        for service in self.services:
            service.stop()
        if self.balancer is not None and self.balancer.poll() is None:
            self.balancer.terminate()
            self.balancer.wait()
