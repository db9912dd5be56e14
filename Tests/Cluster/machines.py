"""Two database machines on loopback: a primary and its synchronous standby, killed, promoted and joined again."""
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import threading
import time

import libpq

PROGRAMS = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), default=None)


class Failure(Exception):
    """What went wrong, for people."""


def free_port(addresses=("127.0.0.1",)):
    """A port that is free at these addresses, below those that the kernel gives to connections: none takes it while its
    server is away."""
    chance = random.SystemRandom()
    for _ in range(100):
        port = chance.randrange(15000, 32000)
        try:
            for address in addresses:
                with socket.socket() as listener:
                    listener.bind((address, port))
        except OSError:
            continue
        return port
    raise Failure("no port is free")


def as_postgres(*command):
    """The command as the user postgres if this is root: the server refuses to run as root."""
    user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
    return [*user, *map(str, command)]


def run(name, *arguments):
    result = subprocess.run(
        as_postgres(PROGRAMS / name, *arguments), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=120, check=False, cwd="/")
    if result.returncode != 0:
        raise Failure("%s: %s" % (name, result.stdout.strip()[-2000:]))
    return result.stdout


# Settings of both machines. pg_rewind needs the old primary's log from before the loss, also after its recovery.
COMMON = """
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_buffers = 32MB
max_connections = 100
wal_keep_size = 512MB
max_wal_size = 512MB
hot_standby_feedback = on
wal_sender_timeout = 5s
wal_receiver_timeout = 5s
wal_retrieve_retry_interval = 200ms
"""


def runs(pid):
    """Whether there is such a process, and it has not ended."""
    try:
        stat = pathlib.Path("/proc/%d/stat" % pid).read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


class Turn:
    """The turn of a registry that changes something on a primary (audit_head)."""

    def __init__(self, connection):
        self.connection = connection
        self.connection.run("BEGIN")
        self.connection.run("SELECT length FROM audit_head FOR UPDATE", seconds=30)
        self.connection.run("UPDATE audit_head SET length = length")

    def keep(self):
        """Commits, without a standby that confirms: the server keeps the turn for as long as it runs."""
        try:
            self.connection.run("COMMIT", seconds=1)
        except libpq.InDoubt:
            return
        raise Failure("a commit was confirmed without a standby")


class Machine:
    """A server and its data.

    Settings in which the machines differ are given at each start, because pg_rewind copies the file with the settings.
    """

    def __init__(self, name, folder):
        self.name, self.port = name, free_port()
        self.data, self.log = folder / name, folder / (name + ".log")
        self.process = None
        # Variables for the server; those of this process if None.
        self.environment = None
        # Whoever ends the check ends a machine for good, even while a fault starts it.
        self.lock, self.closed = threading.Lock(), False

    def start(self, upstream=None, synchronous="", *more):
        """Starts the server: as a standby of `upstream` if there is one. It does not wait until it is ready."""
        settings = {"port": self.port, "synchronous_standby_names": synchronous}
        if upstream:
            settings["primary_conninfo"] = "host=127.0.0.1 port=%d user=postgres application_name=%s" % (
                upstream.port, self.name)
            signal_file = self.data / "standby.signal"
            signal_file.touch()
            shutil.chown(signal_file, self.data.owner())
        options = [part for item in settings.items() for part in ("-c", "%s=%s" % item)]
        (self.data / "postmaster.pid").unlink(missing_ok=True)
        with self.lock, open(self.log, "ab") as log:
            if self.closed:
                raise Failure("the check ends")
            self.process = subprocess.Popen(
                as_postgres(PROGRAMS / "postgres", "-D", self.data, *options, *more), stdout=log, stderr=log,
                stdin=subprocess.DEVNULL, cwd="/", env=self.environment)

    def connect(self, database="postgres"):
        return libpq.Connection(
            "host=127.0.0.1 port=%d user=postgres dbname=%s connect_timeout=2" % (self.port, database))

    def ask(self, sql, *parameters, seconds=30):
        connection = self.connect()
        try:
            return connection.run(sql, *parameters, seconds=seconds)
        finally:
            connection.close()

    def script(self, database, path):
        """Runs a file of statements as findmybike."""
        with open(path, "rb") as file:
            result = subprocess.run(
                [PROGRAMS / "psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", str(self.port), "-U",
                 "findmybike", "-d", database], stdin=file, capture_output=True, text=True, timeout=60, check=False)
        if result.returncode != 0:
            raise Failure("%s: %s" % (path.name, result.stderr.strip()))

    def await_ready(self, seconds=60):
        deadline = time.monotonic() + seconds
        while True:
            try:
                return self.ask("SELECT 1")
            except (libpq.InDoubt, libpq.Refused) as problem:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise Failure("machine %s does not start: %s\n%s" % (self.name, problem, self.tail())) from None
            time.sleep(0.05)

    def children(self):
        path = pathlib.Path("/proc/%d/task/%d/children" % (self.process.pid, self.process.pid))
        return [int(pid) for pid in path.read_text(encoding="ascii").split()]

    def hang(self):
        """Lets the machine stand still: its connections stay open, and new ones get no answer."""
        self.process.send_signal(signal.SIGSTOP)
        self.signal(self.children(), signal.SIGSTOP)

    def kill(self):
        """Loses the machine: all its processes at once. It is stopped first, so that it makes no further ones."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(signal.SIGSTOP)
        children = self.children()
        self.process.kill()
        self.signal(children, signal.SIGKILL)
        self.process.wait()
        # Until they are gone, the memory that they share prevents another start.
        deadline = time.monotonic() + 30
        while any(map(runs, children)) and time.monotonic() < deadline:
            time.sleep(0.01)

    def signal(self, pids, number):
        for pid in pids:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def silence(self):
        """Stops the processes that send to the standby, as a broken network would: nothing reaches it any longer."""
        for [pid] in self.ask("SELECT pid FROM pg_stat_replication"):
            # Only a child of this server.
            if int(pid) in self.children():
                os.kill(int(pid), signal.SIGSTOP)

    def take_turn(self):
        return Turn(self.connect("findmybike"))

    def stop_autovacuum(self):
        """It writes by itself, which would look like somebody else's writing."""
        self.ask("ALTER SYSTEM SET autovacuum = 'off'")
        self.ask("SELECT pg_reload_conf()")

    def written(self, seconds):
        """The number of transactions that begin to write there during these seconds."""
        numbers = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text"
        [[before]] = self.ask(numbers)
        time.sleep(seconds)
        [[after]] = self.ask(numbers)
        return int(after) - int(before)

    def stop(self):
        """Stops the server without a last checkpoint; kills it if it takes long."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(signal.SIGQUIT)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()

    def tail(self):
        return "".join(self.log.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)[-15:])


class Pair:
    """The primary and its standby. With `synchronous`, an answered write is on both."""

    def __init__(self, folder, synchronous):
        if PROGRAMS is None:
            raise Failure("PostgreSQL is not installed: run scripts/cluster.sh prepare")
        self.primary, self.standby = Machine("a", folder), Machine("b", folder)
        self.names = "ANY 1 (a, b)" if synchronous else ""
        self.machines = (self.primary, self.standby)

    @property
    def ports(self):
        return [machine.port for machine in self.machines]

    def make(self):
        first, second = self.machines
        run("initdb", "-D", first.data, "--auth=trust", "--username=postgres", "--encoding=UTF8",
            "--locale=C.UTF-8", "--data-checksums", "--no-sync")
        with open(first.data / "postgresql.conf", "a", encoding="utf-8") as file:
            file.write(COMMON)
        first.start(None, self.names)
        first.await_ready()
        run("pg_basebackup", "-h", "127.0.0.1", "-p", first.port, "-U", "postgres", "-D", second.data, "-X", "stream",
            "--checkpoint=fast", "--no-sync")
        second.start(first, self.names)
        second.await_ready()
        self.await_standby()
        first.ask("CREATE ROLE findmybike LOGIN")
        first.ask("CREATE DATABASE findmybike OWNER findmybike")

    def await_standby(self, seconds=60):
        """Waits until the standby has all that the primary has, and answers for it if it is synchronous."""
        deadline = time.monotonic() + seconds
        wanted = "quorum" if self.names else "async"
        while self.primary.ask(
                "SELECT 1 FROM pg_stat_replication"
                " WHERE application_name = $1 AND state = 'streaming' AND sync_state = $2",
                self.standby.name, wanted) == []:
            if time.monotonic() > deadline:
                raise Failure("the standby does not follow:\n%s" % self.standby.tail())
            time.sleep(0.05)

    def promote(self):
        """Makes the standby the primary after the primary's loss."""
        run("pg_ctl", "-D", self.standby.data, "-w", "-t", "60", "promote")
        self.primary, self.standby = self.standby, self.primary

    def return_old(self, seconds):
        """Starts the lost machine as it was, which is what an init system does: it takes itself for the primary.

        Returns the number of transactions that wrote there, or wait to be answered, during these seconds.
        """
        old = self.standby
        old.start(None, self.names, "-c", "autovacuum=off")
        old.await_ready()
        written = old.written(seconds)
        [[waiting]] = old.ask("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        old.stop()
        return max(written, int(waiting))

    def rejoin(self, way):
        """Makes the lost machine the standby: by `rewind` or by a fresh `copy`."""
        old = self.standby
        source = "host=127.0.0.1 port=%d user=postgres dbname=postgres" % self.primary.port
        # pg_rewind reads the new timeline from the control file, which a checkpoint writes.
        self.primary.ask("CHECKPOINT", seconds=60)
        if way == "rewind":
            run("pg_rewind", "-D", old.data, "--source-server=" + source, "--no-sync")
        else:
            shutil.rmtree(old.data)
            run("pg_basebackup", "-d", source, "-D", old.data, "-X", "stream", "--checkpoint=fast", "--no-sync")
        old.start(self.primary, self.names)
        old.await_ready()
        self.await_standby()

    def stop(self):
        """Ends both machines for good."""
        for machine in self.machines:
            with machine.lock:
                machine.closed = True
            machine.stop()
