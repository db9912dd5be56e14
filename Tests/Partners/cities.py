"""Three registries that are partners of each other, each with its clock, its links and its database."""
import os
import pathlib
import subprocess
import time

import shared
import machines
from links import DOMAIN, Link
from registries import SETTINGS, Registries
from services import Service
from web import Client

# The registries' trust and the hosts that they know, replaced in a mount namespace of each process.
AUTHORITIES, HOSTS = "/etc/ssl/certs/ca-certificates.crt", "/etc/hosts"


def replacing(authorities, hosts):
    """The beginning of the command line of a program that reads these files in place of the machine's."""
    # unshare and sh become the program's process, which can so be killed.
    script = 'mount --bind "$0" %s && mount --bind "$1" %s && shift && exec "$@"' % (AUTHORITIES, HOSTS)
    return ["unshare", "--mount", "sh", "-c", script, str(authorities), str(hosts)]


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

    def __init__(self, name, programs, folder, history, clock, public_url, before, machine=None):
        """`before` is the beginning of each process's command line."""
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
            command = [*before, str(self.program), "serve", "--config", str(settings)]
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


def join(inviter, guest):
    """Makes two cities partners. The guest calls the inviter at its public address: it refuses an offer for another."""
    code = inviter.invite(guest.name)["code"]
    deadline = time.monotonic() + 120
    while True:
        answer = guest.operator.insist(
            "POST", "/v1/partners", {"url": inviter.public_url, "code": code, "name": inviter.name}, (201, 409))
        if answer.status == 201:
            return
        if time.monotonic() > deadline:
            raise machines.Failure("%s and %s do not become partners: %s" % (inviter.name, guest.name, answer.body))
        time.sleep(0.3)


class World:
    """The cities, and the link by which each of them calls each other one.

    A city has one public address. With an authority, which needs root, the host in it leads each caller to another
    loopback address, where the caller's own link listens. Otherwise all callers share one link to the city.
    """

    # With their hosts' names, which DOMAIN ends.
    HOSTS = {"Berlin": "berlin", "Zürich": "zurich", "Lyon": "lyon"}
    NAMES = tuple(HOSTS)

    def __init__(self, programs, folder, history, clocks, network, authority, machine):
        self.authority, self.scheme = authority, "https" if authority else "http"
        # Where the links by which each city calls the others listen.
        addresses = {name: "127.0.0.%d" % (number if authority else 1) for number, name in enumerate(self.NAMES, 2)}
        ports = {name: machines.free_port(set(addresses.values())) for name in self.NAMES}
        self.cities = {}
        for name, clock in zip(self.NAMES, clocks):
            host, before = "localhost", []
            if authority:
                host, before = self.HOSTS[name] + DOMAIN, replacing(
                    authority.file, self.write_hosts(folder, name, addresses[name]))
            self.cities[name] = City(
                name, programs, folder / name, history, clock, "%s://%s:%d" % (self.scheme, host, ports[name]),
                before, machine if name == self.NAMES[-1] else None)
        self.ring = list(zip(self.NAMES, self.NAMES[1:] + self.NAMES[:1]))
        self.links, by_end = {}, {}
        for caller, called in self.ring + [(guest, inviter) for inviter, guest in self.ring]:
            end = (addresses[caller], ports[called])
            if end not in by_end:
                by_end[end] = Link(network, end, self.cities[called].port, authority)
            self.links[caller, called] = by_end[end]

    def write_hosts(self, folder, name, address):
        """Makes the file with the hosts that a city knows: the machine's, and the other cities at this address."""
        path = folder / ("hosts-" + self.HOSTS[name])
        others = [self.HOSTS[other] + DOMAIN for other in self.NAMES if other != name]
        path.write_text("%s\n%s %s\n" % (
            pathlib.Path(HOSTS).read_text(encoding="utf-8"), address, " ".join(others)), encoding="utf-8")
        return path

    def pair_of(self, one, other):
        """The two cities as (inviter, guest)."""
        return (one, other) if (one, other) in self.ring else (other, one)

    def join(self, inviter, guest):
        join(self.cities[inviter], self.cities[guest])

    @property
    def services(self):
        return [service for city in self.cities.values() for service in city.services]

    def heal(self):
        for link in self.links.values():
            link.set()

    def stop(self):
        for city in self.cities.values():
            city.stop()
