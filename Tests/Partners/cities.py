"""Three registries that are partners of each other, each with its clock, its links and its database."""
import os
import subprocess
import time

import shared
import machines
from links import Link
from registries import SETTINGS, Registries
from services import Service
from web import Client

# The registries' trust, replaced in a mount namespace of each process.
AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"


def make_database(folder, clock):
    """Starts one PostgreSQL server with an empty database. Its clock must agree with that of its registry."""
    if machines.PROGRAMS is None:
        raise machines.Failure("PostgreSQL is not installed: run scripts/partners.sh prepare")
    machine = machines.Machine("a", folder)
    machine.environment = os.environ | clock.environment
    machines.run("initdb", "-D", machine.data, "--auth=trust", "--username=postgres", "--encoding=UTF8",
                 "--locale=C.UTF-8", "--no-sync")
    with open(machine.data / "postgresql.conf", "a", encoding="utf-8") as file:
        file.write(machines.COMMON)
    machine.start()
    machine.await_ready()
    machine.ask("CREATE ROLE findmybike LOGIN")
    machine.ask("CREATE DATABASE findmybike OWNER findmybike")
    return machine


class City(Registries):
    """A registry of one or several processes. `port` is where stations and owners call it."""

    def __init__(self, name, programs, folder, history, clock, public_url, authority, machine=None):
        # Not the initializer of Registries: settings and processes differ.
        self.name, self.folder, self.clock, self.machine = name, folder, clock, machine
        self.program, self.public_url, self.history = programs / "findmybike-registry", public_url, history
        folder.mkdir(mode=0o700)
        count = 2 if machine else 1
        self.ports = [machines.free_port() for _ in range(count)]
        self.port, self.balancer = self.ports[0] if count == 1 else machines.free_port(), None
        self.environment = {
            key: value for key, value in os.environ.items() if not key.startswith("FINDMYBIKE_")} | clock.environment
        database = "postgresql://findmybike@127.0.0.1:%d/findmybike" % machine.port if machine else (
            folder / "registry.sqlite")
        self.services = []
        for number, port in enumerate(self.ports, 1):
            home = folder / ("registry%d" % number)
            home.mkdir(mode=0o700)
            more = "publicURL: %s\nevidence:\n  keyFile: %s\nowners:\n  newBeaconDays: 0\n" % (
                public_url, folder / "evidence.key")
            more += "partners:\n  allowPrivateAddresses: true\n"
            if machine:
                more += "durability: single\njournal: %s\n" % (home / "journal")
            settings = home / "registry.yaml"
            settings.write_text(SETTINGS.format(port=port, database=database, more=more), encoding="utf-8")
            command = [str(self.program), "serve", "--config", str(settings)]
            if authority:
                # unshare and sh become the registry's process, which can so be killed.
                command = ["unshare", "--mount", "sh", "-c", 'mount --bind "$0" %s && exec "$@"' % AUTHORITIES,
                           str(authority.file), *command]
            self.services.append(Service(
                "%s%d" % (name, number), lambda generation, command=command: command,
                folder / ("registry%d.log" % number), history, self.environment | {"HOME": str(home)}))
        self.settings = folder / "registry1" / "registry.yaml"

    def start(self):
        """Starts everything; an operator can then be reached as `operator`."""
        subprocess.run(
            [self.program, "key", "create", "--key-file", self.folder / "evidence.key"], check=True, timeout=60,
            stdout=subprocess.DEVNULL, env=self.environment | {"HOME": str(self.folder)})
        token = self.tool("operator", "create").strip().splitlines()[-1]
        for service in self.services:
            service.start()
        self.await_ready()
        if len(self.ports) > 1:
            self.start_balancer()
        self.operator = Client(self.port, token)

    def invite(self, name):
        return self.operator.insist("POST", "/v1/partners/invitations", {"name": name}, (201,)).json()

    def partner(self, name):
        """The partner with this name; None without one."""
        return next((item for item in self.operator.all("/v1/partners") if item["name"] == name), None)

    def change(self, name, patch, query=""):
        return self.operator.insist(
            "PATCH", "/v1/partners/%s%s" % (self.partner(name)["id"], query), patch).json()

    def remove(self, name):
        self.operator.insist("DELETE", "/v1/partners/" + self.partner(name)["id"], expected=(204, 404))

    def back_up(self):
        path = self.folder / "backup.sqlite"
        path.unlink(missing_ok=True)
        self.tool("backup", path)
        return path

    def restore(self, backup):
        """Replaces the database by a backup, while the registry does not run."""
        for service in self.services:
            with service.lock:
                process, service.doomed = service.process, service.process
            process.terminate()
            process.wait(30)
            self.history.note("died", run=service.run)
        self.tool("restore", backup, "--force")
        for service in self.services:
            service.start()

    def stop(self):
        super().stop()
        if self.machine:
            self.machine.stop()


def join(inviter, guest, url):
    """Makes two cities partners: the guest calls the inviter at `url`."""
    code = inviter.invite(guest.name)["code"]
    deadline = time.monotonic() + 120
    while True:
        answer = guest.operator.insist(
            "POST", "/v1/partners", {"url": url, "code": code, "name": inviter.name}, (201, 409))
        if answer.status == 201:
            return
        if time.monotonic() > deadline:
            raise machines.Failure("%s and %s do not become partners: %s" % (inviter.name, guest.name, answer.body))
        time.sleep(0.3)


class World:
    """The cities, and the links between them: one to each city, which all its partners call at its public address."""

    NAMES = ("Berlin", "Zürich", "Lyon")

    def __init__(self, programs, folder, history, clocks, network, authority, machine):
        self.network, self.authority = network, authority
        ring = list(zip(self.NAMES, self.NAMES[1:] + self.NAMES[:1]))
        ports = {name: machines.free_port() for name in self.NAMES}
        scheme = "https" if authority else "http"
        self.cities = {}
        for name, clock in zip(self.NAMES, clocks):
            self.cities[name] = City(
                name, programs, folder / name, history, clock, "%s://localhost:%d" % (scheme, ports[name]),
                authority, machine if name == self.NAMES[-1] else None)
        links = {name: Link(network, port, self.cities[name].port, authority) for name, port in ports.items()}
        self.links = {(caller, called): links[called] for caller, called in ring + [(b, a) for a, b in ring]}
        self.ring = ring

    def pair_of(self, one, other):
        """The two cities as (inviter, guest)."""
        return (one, other) if (one, other) in self.ring else (other, one)

    def join(self, inviter, guest):
        join(self.cities[inviter], self.cities[guest], self.links[guest, inviter].url)

    @property
    def services(self):
        return [service for city in self.cities.values() for service in city.services]

    def heal(self):
        for link in self.links.values():
            link.set()

    def stop(self):
        for city in self.cities.values():
            city.stop()
