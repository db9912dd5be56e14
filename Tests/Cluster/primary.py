"""The choice of the primary: of all servers that take writes, the one with the highest timeline.

An old primary that was restarted takes writes, too, and `target_session_attrs=read-write` may choose it.
"""
import libpq

STATE = """SELECT CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END"""


class NoPrimary(Exception):
    pass


class Primary:
    """Opens connections to the primary. Remembers the highest timeline, so that it never goes back to an older one.

    With `first`, which is wrong, it takes the first server that takes writes.
    """

    def __init__(self, ports, first=False):
        self.ports, self.first = ports, first
        self.highest = 0

    def settings(self, port):
        return "host=127.0.0.1 port=%d user=findmybike dbname=findmybike connect_timeout=2" % port

    def connect(self):
        found = []
        for port in self.ports:
            try:
                connection = libpq.Connection(self.settings(port))
                [[timeline]] = connection.run(STATE, seconds=2)
            except (libpq.InDoubt, libpq.Refused):
                continue
            found.append((int(timeline or "0", 16), port, connection))
            if self.first and timeline:
                break
        best = max(found, default=None, key=lambda item: item[:2])
        for item in found:
            if item is not best or not best[0]:
                item[2].close()
        if best is None or best[0] == 0:
            raise NoPrimary("no server takes writes")
        if best[0] < self.highest and not self.first:
            best[2].close()
            raise NoPrimary("only an old primary takes writes")
        self.highest = best[0]
        return best[2]


class Reconnecting:
    """A connection to the primary that is opened again when needed."""

    def __init__(self, primary):
        self.primary, self.connection = primary, None

    def run(self, sql, *parameters, seconds=5.0):
        """Raises `Refused`, `InDoubt` or `NoPrimary`."""
        if self.connection is None or self.connection.handle is None:
            self.connection = self.primary.connect()
        return self.connection.run(sql, *parameters, seconds=seconds)

    def close(self):
        if self.connection is not None:
            self.connection.close()
