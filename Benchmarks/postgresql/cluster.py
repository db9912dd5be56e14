"""Temporary PostgreSQL servers for the benchmarks: a primary, and standbys that are made from it."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "registry"))
from stage import free_port  # noqa: E402

BIN = pathlib.Path(os.environ.get("PG_BIN", "/usr/lib/postgresql/15/bin"))
# PostgreSQL refuses to run as root.
AS_POSTGRES = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
TICKS = os.sysconf("SC_CLK_TCK")


def run(*command):
    result = subprocess.run([*AS_POSTGRES, *map(str, command)], capture_output=True, text=True, cwd="/")
    if result.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}: {result.stderr}")
    return result.stdout


def open_folder(path):
    """Makes a folder that the servers' user owns."""
    path.mkdir()
    if AS_POSTGRES:
        shutil.chown(path, "postgres", "postgres")
    return path


class Cluster:
    """A PostgreSQL server with its folder, which others reach over loopback."""

    def __init__(self, folder):
        self.folder, self.data, self.port = folder, folder / "data", free_port()

    @classmethod
    def make(cls, folder):
        self = cls(open_folder(folder))
        run(BIN / "initdb", "-D", self.data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C",
            "--data-checksums")
        with open(self.data / "postgresql.conf", "a") as file:
            file.write("listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nshared_buffers = '512MB'\n"
                       "max_wal_size = '4GB'\nwal_keep_size = '2GB'\nmax_connections = 200\n"
                       "shared_preload_libraries = 'pg_stat_statements'\n")
        self.start()
        self.sql("CREATE EXTENSION pg_stat_statements")
        return self

    def start(self):
        run(BIN / "pg_ctl", "-D", self.data, "-l", self.folder / "log", "-o", f"-p {self.port}", "-w", "start")

    def make_standby(self, folder):
        standby = Cluster(open_folder(folder))
        run(BIN / "pg_basebackup", "-h", "127.0.0.1", "-p", self.port, "-U", "postgres", "-D", standby.data, "-R",
            "-X", "stream", "-c", "fast")
        standby.start()
        return standby

    def sql(self, sql, database="postgres"):
        return run("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", self.port, "-U",
                   "postgres", "-d", database, "-c", sql).strip()

    def script(self, path, database):
        run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", self.port, "-U", "postgres", "-d",
            database, "-c", path.read_text())

    def set(self, name, value):
        self.sql(f"ALTER SYSTEM SET {name} = '{value}'")
        self.sql("SELECT pg_reload_conf()")
        time.sleep(0.3)

    def address(self, database):
        return f"host=127.0.0.1 port={self.port} user=postgres dbname={database}"

    @property
    def process(self):
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def processes(self):
        """The fields of /proc/PID/stat after the name, by process: the server and its children."""
        found, server = {}, self.process
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rsplit(")", 1)[1].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(path.parent.name) == server or int(fields[1]) == server:
                found[int(path.parent.name)] = fields
        return found

    def cpu(self):
        """Seconds of processor time so far, of all its processes, also of those that have ended."""
        found, server = self.processes(), self.process
        own = sum(int(fields[11]) + int(fields[12]) for fields in found.values())
        return (own + int(found[server][13]) + int(found[server][14])) / TICKS

    def await_standby(self):
        for _ in range(200):
            if self.sql("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'") != "0":
                return
            time.sleep(0.1)
        raise SystemExit("the standby does not follow")

    def kill(self):
        """The server's end without a farewell."""
        for process in self.processes():
            os.kill(process, signal.SIGKILL)

    def stop(self):
        run(BIN / "pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")
