"""The script of faults: what is broken when, from a seed. Pure, so that a run can be repeated."""
import dataclasses
import random

from links import HANG, LOSE_ANSWERS, REFUSE

KILL, LINK = "registry killed", "link broken"
DAYS, CLOCK, RESTORE, SUSPEND, REMOVE, CERTIFICATE, ELSEWHERE = (
    "partition of days", "clock wrong", "backup restored", "suspended and resumed", "removed and joined again",
    "certificate changed", "address of another registry")
SPECIAL = (DAYS, CLOCK, RESTORE, SUSPEND, REMOVE, CERTIFICATE, ELSEWHERE)


@dataclasses.dataclass(frozen=True)
class Fault:
    """One fault, `at` seconds after the load began."""

    at: float
    kind: str
    # The numbers of a process, a link or a city, and of another city.
    target: int = 0
    other: int = 0
    # How long it lasts.
    seconds: float = 0.0
    # How a link is broken.
    mode: str = ""
    # By how many seconds the time advances, or a clock is wrong.
    ahead: float = 0.0


def script(seed, seconds, processes, links, cities):
    """The faults of a run, in order. Special faults come one after the other, each kind as often as the others."""
    chance = random.Random(seed)
    faults = []
    time = 1.5
    while time < seconds - 1:
        faults.append(Fault(time, KILL, chance.randrange(processes)))
        time += chance.uniform(1.5, 3.5)
    time = 1.0
    while time < seconds - 2:
        length = round(min(chance.uniform(0.3, 4), seconds - time), 1)
        faults.append(Fault(time, LINK, chance.randrange(links), seconds=length,
                            mode=chance.choice((REFUSE, HANG, LOSE_ANSWERS))))
        time += length + chance.uniform(0.2, 1)
    # Short runs have each kind once. Not more often than every eight seconds: between them, all must work for a while.
    step = max(seconds / len(SPECIAL), 2.5) if seconds < 8 * len(SPECIAL) else 8.0
    time, kinds, days = 0.5, [], 0
    while time + step * 0.7 < seconds:
        if not kinds:
            kinds = list(SPECIAL)
            chance.shuffle(kinds)
        kind = kinds.pop()
        target, other = chance.sample(range(cities), 2)
        length = round(step * 0.7, 1)
        ahead = {DAYS: chance.uniform(1, 3) * 86_400,
                 CLOCK: chance.choice((-7200, -600, 600, 7200, 86_400))}.get(kind, 0.0)
        # Visits wait for thirty days.
        if kind != DAYS or days < 6:
            faults.append(Fault(time, kind, target, other, length, ahead=ahead))
            days += kind == DAYS
        time += step
    return sorted(faults, key=lambda fault: fault.at)
