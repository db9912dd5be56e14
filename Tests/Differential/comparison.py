"""What must be the same in two registries, apart from what each makes itself."""
import contextlib
import datetime
import json
import re
import sqlite3

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
# Members with random contents.
SECRETS = {
    "token", "code", "recoveryCodes", "secret", "salt", "commitment", "chain", "digest", "hash", "signature", "key",
    "link", "version", "publicKey",
}
# The longest time between two calls that are compared, in seconds.
APART = 60
# Columns with random contents, or with contents that depend on when the dispatcher looks.
LEFT_OUT = {
    "sighting": {"salt"}, "station_hour": set(), "alert_share": set(), "bike_event": set(), "report": {"searched_for"},
    "alert": {
        "key", "attempts", "due", "last_error", "delivered", "lease", "told", "id", "notice", "digest", "sighting",
    },
    "audit": {"salt", "commitment", "chain", "details"},
}


class Matching:
    """Which of one registry's identifiers is which of the other's."""

    def __init__(self):
        self.there, self.back = {}, {}

    def holds(self, one, other):
        return self.there.setdefault(one, other) == other and self.back.setdefault(other, one) == one


def of_answers(old, new, matching):
    if (old.status, old.media_type) != (new.status, new.media_type):
        return ["%s %s and %s %s: %r and %r" % (
            old.status, old.media_type, new.status, new.media_type, old.body[:300], new.body[:300])]
    return of_values(parsed(old), parsed(new), matching)


def parsed(answer):
    if answer.media_type and "json" in answer.media_type.split(";")[0]:
        return json.loads(answer.body)
    return answer.body.decode("utf-8", "replace")


def of_values(old, new, matching, place=""):
    if place.rsplit("/", 1)[-1] in SECRETS and type(old) is type(new):
        return []
    if isinstance(old, dict) and isinstance(new, dict):
        if set(old) == set(new) == {"uuid", "major", "minor"} and isinstance(old["uuid"], str):
            same = matching.holds(*(("beacon", *value.values()) for value in (old, new)))
            return [] if same else ["%s: %s and %s" % (place, old, new)]
        if list(old) != list(new):
            return ["%s: members %s and %s" % (place, list(old), list(new))]
        return [line for name in old for line in of_values(old[name], new[name], matching, "%s/%s" % (place, name))]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [
            line for index, (one, other) in enumerate(zip(old, new))
            for line in of_values(one, other, matching, "%s/%d" % (place, index))]
    same = are_same_texts(old, new, matching) if isinstance(old, str) and isinstance(new, str) else (
        old == new and type(old) is type(new))
    return [] if same else ["%s: %s and %s" % (place, repr(old)[:300], repr(new)[:300])]


def are_same_texts(old, new, matching):
    for pattern, agree in ((UUID, matching.holds), (TIME, are_near)):
        pairs = list(zip(pattern.findall(old), pattern.findall(new)))
        if not all(agree(*pair) for pair in pairs):
            return False
        old, new = pattern.sub("-", old), pattern.sub("-", new)
    return old == new


def are_near(old, new):
    times = [datetime.datetime.fromisoformat(text.replace("Z", "+00:00")) for text in (old, new)]
    return abs((times[0] - times[1]).total_seconds()) <= APART


def of_tables(databases, matching):
    with contextlib.ExitStack() as stack:
        old, new = [stack.enter_context(contextlib.closing(sqlite3.connect(path))) for path in databases]
        return [line for table in LEFT_OUT for line in of_rows(rows(old, table), rows(new, table), matching, table)]


def rows(database, table):
    # An update is queued only if the dispatcher has claimed the alert before.
    condition = "WHERE news = ''" if table == "alert" else ""
    cursor = database.execute("SELECT * FROM %s %s ORDER BY 1, 2, 3" % (table, condition))
    names = [column[0] for column in cursor.description]
    rows = [
        {name: readable(value) for name, value in zip(names, row) if name not in LEFT_OUT[table]} for row in cursor]
    # A sighting's alerts are queued for an owner's channels in no order.
    if table == "alert":
        rows.sort(key=lambda row: [str(row[name]) for name in ("thread", "channel", "kind")])
    return rows


def readable(value):
    """An identifier as the answers show it."""
    if isinstance(value, bytes):
        text = value.hex()
        return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:])) if len(value) == 16 else text
    return value


def of_rows(old, new, matching, table):
    if len(old) != len(new):
        return ["table %s: %d and %d rows" % (table, len(old), len(new))]
    return [
        "table %s, row %d: %s" % (table, number, line)
        for number, (one, other) in enumerate(zip(old, new)) for name in one
        for line in of_column(one[name], other[name], matching, name)]


def of_column(old, new, matching, name):
    # Of a bike whose own beacon is accepted, the history names the identity that it had before.
    if name == "beacon" and matching.holds(old, new):
        return []
    # Times of the registry, in milliseconds since 1970.
    if isinstance(old, int) and isinstance(new, int) and old > 10**12 and abs(old - new) <= APART * 1000:
        return []
    return of_values(old, new, matching, name)
