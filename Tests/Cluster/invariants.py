"""What must hold after any faults: pure functions of the recorded history and of what is stored at the end.

Each one returns a `Verdict`.
"""
import collections
import dataclasses
import hashlib

from history import of

# Seconds within which a registry must leave a primary that goes on after its standby was promoted.
LEAVING = 10.0


@dataclasses.dataclass(frozen=True)
class Verdict:
    """How many things were checked, and which of them broke the rule."""

    rule: str
    checked: int
    broken: tuple = ()

    @property
    def holds(self):
        return not self.broken

    def __str__(self):
        if self.holds:
            return "  holds   %-46s %6d checked" % (self.rule, self.checked)
        shown = "".join("\n            " + str(item)[:300] for item in self.broken[:5])
        return "  BROKEN  %-46s %6d of %d:%s" % (self.rule, len(self.broken), self.checked, shown)


def answered_writes(events, kind, stored):
    """Every write that was answered is stored."""
    answered = {identifier: event["at"] for event in of(events, "answered", kind=kind) for identifier in event["ids"]}
    lost = [(identifier, "answered at %.3f" % at) for identifier, at in answered.items() if identifier not in stored]
    return Verdict("every answered %s is stored" % kind, len(answered), tuple(lost))


def seen_stays(seen, stored, what):
    """Nothing that a reader was shown has vanished."""
    return Verdict("every %s that was shown is still there" % what, len(seen), tuple(sorted(set(seen) - set(stored))))


def missed(seen, stored, what):
    """A reader that follows changes sees all of them."""
    return Verdict("the reader missed no %s" % what, len(stored), tuple(sorted(set(stored) - set(seen))))


def leaving(events):
    """Whether registries may still use an old primary at a time, which went on after its standby was promoted."""
    begins = [event["at"] for event in of(events, "promoted", left=True)]
    return lambda at: any(begin <= at <= begin + LEAVING for begin in begins)


def never_back(events, name, key, value):
    """A number that each of several readers sees never gets smaller, once all registries have left an old primary."""
    last, back, count, may_lag = {}, [], 0, leaving(events)
    for event in of(events, name):
        if may_lag(event["at"]):
            continue
        reader, number = event[key], event[value]
        count += 1
        if number < last.get(reader, number):
            back.append("%s: %d after %d" % (reader, number, last[reader]))
        last[reader] = number
    return Verdict("%s: %s never goes back" % (name, value), count, tuple(back))


def chain(commitments, places):
    """The audit's chain is whole: each entry has one place, and each hash follows from the one before.

    `commitments` is by entry; `places` are (entry, hash), in the order of the chain.
    """
    problems, last = [], bytes(32)
    for position, (entry, value) in enumerate(places, 1):
        if entry not in commitments:
            problems.append("place %d has the unknown entry %s" % (position, entry))
            break
        last = hashlib.sha256(last + commitments[entry]).digest()
        if last != value:
            problems.append("the chain is broken at place %d" % position)
            break
    count = collections.Counter(entry for entry, _ in places)
    problems += [
        "entry %s is in the chain %d times" % (entry, count[entry]) for entry in commitments if count[entry] != 1]
    return Verdict("the audit's chain is whole", len(commitments), tuple(problems))


def delivered(events, alerts):
    """Every alert was delivered."""
    arrived = {event["alert"] for event in of(events, "delivered")}
    return Verdict("every alert was delivered", len(alerts), tuple(sorted(set(alerts) - arrived)))


def settled_once(events):
    """No alert was recorded as delivered twice."""
    count = collections.Counter(event["alert"] for event in of(events, "settled"))
    return Verdict("an alert is settled once", len(count), tuple(alert for alert, times in count.items() if times > 1))


def explained_repeats(events, under_way=5.0):
    """An alert is repeated only if a delivery was under way when something failed.

    That is: after each of its deliveries but the last one, within `under_way` seconds, the delivering process died or
    stood still, or the database was not there to record it.
    """
    deliveries = collections.defaultdict(list)
    for event in of(events, "delivered"):
        deliveries[event["alert"]].append(event)
    troubles = intervals(events)
    repeated, unexplained = 0, []
    for alert, arrivals in deliveries.items():
        for event in arrivals[:-1]:
            repeated += 1
            begin, end = event["at"] - under_way, event["at"] + under_way
            # `?` was sent by a process that could no longer be found.
            if not any((whose is None or event["run"] in (whose, "?")) and since <= end and until >= begin
                       for whose, since, until in troubles):
                unexplained.append("%s, delivered by %s at %.3f" % (alert, event["run"], event["at"]))
    return Verdict("repeats of alerts (%d) have a reason" % repeated, len(deliveries), tuple(unexplained))


def intervals(events):
    """The times (process or None for all, since, until) when something failed."""
    found, open_pauses, since = [], {}, None
    for event in events:
        match event["event"]:
            case "died" | "ended" | "ended by itself":
                found.append((event["run"], event["at"], event["at"]))
            case "paused":
                open_pauses[event["run"]] = event["at"]
            case "continued":
                found.append((event["run"], open_pauses.pop(event["run"], event["at"]), event["at"]))
            case "losing":
                since = event["at"]
            case "restored":
                found.append((None, since if since is not None else event["at"], event["at"]))
                since = None
    return found


def one_content(events):
    """A version of the missing list has one mark and one content, wherever it is read."""
    seen, differing, lists = {}, [], of(events, "list")
    for event in lists:
        content = (event["mark"], event["digest"])
        if seen.setdefault(event["version"], content) != content:
            differing.append("version %d: %s and %s" % (event["version"], seen[event["version"]], content))
    return Verdict("a version has one content everywhere", len(lists), tuple(differing))


def trails(events, final):
    """Whoever follows a search gets each change up to the last one seen, in order, and at last all of them.

    `final` has the (revision, sighting) of each report at the end; a sighting that changed again has only its last one.
    """
    gaps, behind, count = [], [], 0
    for report, changes in final.items():
        seen = [(event["revision"], event["sighting"]) for event in of(events, "trail", reader=report)]
        numbers = [number for number, _ in seen]
        count += len(seen)
        pairs = zip(numbers, numbers[1:])
        gaps += ["%s: %d after %d" % (report, after, before) for before, after in pairs if after <= before]
        last, known = max(numbers, default=0), set(seen)
        gone = [change for change in changes if change[0] <= last and change not in known]
        gaps += ["%s: no event %d" % (report, number) for number, _ in gone]
        behind += ["%s: at %d of %d" % (report, last, number) for number, _ in changes[-1:] if number > last]
    return Verdict("trails have no gap", count, tuple(gaps)), Verdict("trails reach the end", len(final), tuple(behind))


def dead_after(events, kind):
    """A token that was revoked, or whose owner was erased, is refused from the answer on; beside an old primary that
    goes on, when that must have been left."""
    ended, may_lag = {event["token"]: event["at"] for event in of(events, "revoked", kind=kind)}, leaving(events)
    uses = [event for event in of(events, "used") if event["token"] in ended
            and event["began"] > ended[event["token"]] and not may_lag(event["began"])]
    alive = [event for event in uses if event["status"] < 400]
    return Verdict("tokens are dead after: %s" % kind, len(uses), tuple(
        "%s: status %d after %.3f s" % (event["token"], event["status"], event["began"] - ended[event["token"]])
        for event in alive))


def ended_by_themselves(events, passing=(), connecting=10.0):
    """No process ended but those that were killed.

    While the database is away, and for as long as an attempt to connect may take, one may end with a status in
    `passing`, after which it is started again.
    """
    away = [(since, until + connecting) for whose, since, until in intervals(events) if whose is None]
    early = ["%s, status %s at %.3f" % (event["run"], event["status"], event["at"])
             for event in of(events, "ended by itself")
             if event["status"] not in passing or not any(since <= event["at"] <= until for since, until in away)]
    return Verdict("no process ended by itself", len(of(events, "started")), tuple(early))


def bounded(events, files=200, threads=100, megabytes=500):
    """A process opens no more files and threads than these, and needs no more memory."""
    limits = {"files": files, "threads": threads, "megabytes": megabytes}
    sizes = of(events, "size")
    largest = collections.defaultdict(int)
    for event in sizes:
        for what in limits:
            largest[event["run"], what] = max(largest[event["run"], what], event[what])
    return Verdict("files, threads and memory are bounded", len(sizes), tuple(
        "%s: %d %s" % (run, number, what) for (run, what), number in largest.items() if number > limits[what]))


def first_answers(events):
    """After each promotion, how long until the registry that is never killed read something; after each return of the
    standby, until any registry stored something. In seconds; nothing if the next loss came first."""
    losses = [event["at"] for event in of(events, "losing")]
    reads = [event["at"] for event in of(events, "read") if event["status"] == 200]
    writes = [event["at"] for event in of(events, "answered")]

    def waits(name, moments):
        for event in of(events, name):
            first = min((moment for moment in moments if moment >= event["at"]), default=None)
            if first is not None and not any(event["at"] < loss < first for loss in losses):
                yield first - event["at"]

    return list(waits("promoted", reads)), list(waits("restored", writes))


def old_primary_unused(events):
    """Nobody wrote to an old primary that was back for a while."""
    returns = of(events, "old primary")
    return Verdict("nobody writes to an old primary", len(returns),
                   tuple("%d transactions" % event["written"] for event in returns if event["written"]))
