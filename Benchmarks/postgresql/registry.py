"""A registry on PostgreSQL with bikes for the benchmarks."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "registry"))
import stage  # noqa: E402

# Each has a channel, which is verified only for some measurements. No mail server is set, so nothing is sent.
OWNERS = 1000
SETTINGS = """listen: 127.0.0.1:{port}
database: postgresql://postgres@{hosts}/findmybike
durability: single
journal: {folder}/journal
identities:
  given: open
limits:
  address: off
  token: off
"""


class Registry(stage.Registry):
    """A registry's process. The first one on a database makes an owner, a station and the missing bikes."""

    def __init__(self, programs, folder, clusters, bikes=0, like=None):
        """bikes: the number of missing bikes; like: the registry that has filled the database already."""
        self.programs, self.folder, self.clusters = pathlib.Path(programs), folder, clusters
        self.missing = self.bikes = like.missing if like else bikes
        folder.mkdir()
        self.port = stage.free_port()
        self.settings = folder / "registry.yaml"
        hosts = ",".join(f"127.0.0.1:{cluster.port}" for cluster in clusters)
        self.settings.write_text(SETTINGS.format(port=self.port, hosts=hosts, folder=folder))
        if like:
            self.station, self.owner, self.path = like.station, like.owner, like.path
            return
        clusters[0].sql("CREATE DATABASE findmybike ENCODING 'UTF8' TEMPLATE template0")
        self.prepare()
        fill(clusters[0], bikes)
        bike = self.clusters[0].sql("SELECT encode(id, 'hex') FROM bike ORDER BY key LIMIT 1", "findmybike")
        report = self.clusters[0].sql("SELECT encode(id, 'hex') FROM report ORDER BY key LIMIT 1", "findmybike")
        self.path = f"/v1/bikes/{dashed(bike)}/reports/{dashed(report)}/sightings"

    def forget_sightings(self):
        """The limit begins with none, too. An ANALYZE here would make plans for an empty table."""
        self.clusters[0].sql("TRUNCATE sighting CASCADE", "findmybike")

    def tell_owners(self, told):
        # The registry changes channels, too, in another order.
        self.clusters[0].sql("LOCK TABLE channel IN EXCLUSIVE MODE;"
                             f"UPDATE channel SET verified = {'1' if told else 'NULL'}", "findmybike")


def dashed(text):
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def fill(cluster, count):
    """Copies the one bike and its report, with identifiers and identities that count up."""
    uuid = stage.UUID.hex()
    identifier = "'\\x019aa4e11c2d70008000' || lpad(to_hex(n), 12, '0')"
    beacon = f"'\\x{uuid}' || lpad(to_hex(n), 8, '0')"

    def copy(table, count, *columns):
        cluster.sql(
            f"INSERT INTO {table} SELECT (jsonb_populate_record(one, jsonb_build_object({', '.join(columns)}))).*"
            f" FROM (SELECT {table} AS one FROM {table} LIMIT 1) AS first, generate_series(0, {count - 1}) AS n",
            "findmybike")

    copy("owner", OWNERS, "'key'", "n + 10", "'id'", identifier)
    copy("identity", count, "'beacon'", beacon)
    copy("bike", count, "'key'", "n + 10", "'id'", identifier, "'beacon'", beacon, "'owner'", f"10 + n % {OWNERS}")
    copy("report", count, "'key'", "n + 10", "'id'", identifier, "'bike'", "n + 10")
    cluster.sql("INSERT INTO channel (id, owner, kind, url, secret, coordinates, created) SELECT id, key, 'email',"
                " 'mailto:a@example.org', '', 0, 0 FROM owner WHERE key >= 10", "findmybike")
    for table in ("owner", "bike", "report"):
        cluster.sql(f"SELECT setval(pg_get_serial_sequence('{table}', 'key'), {count + 10})", "findmybike")
    # The history of a long life: missing since long before the visits.
    cluster.sql("UPDATE report SET missing_since = missing_since - 86400000", "findmybike")
    cluster.sql("ANALYZE owner, channel, identity, bike, report", "findmybike")
