"""The script of faults: what is broken when, from a seed. Pure, so that a run can be repeated."""
import dataclasses
import random

KILL_REGISTRY, PAUSE_REGISTRY, LOSE_PRIMARY = "kill registry", "pause registry", "lose primary"


@dataclasses.dataclass(frozen=True)
class Fault:
    """One fault, `at` seconds after the load began."""

    at: float
    kind: str
    # The number of the registry.
    target: int = 0
    # Of a pause; or of an old primary that is back.
    seconds: float = 0.0
    # Seconds in which nothing reaches the standby before the primary is lost.
    silence: float = 0.0
    # Seconds for which the primary only stands still while the standby is promoted; 0 if it is lost at once.
    hang: float = 0.0
    # Seconds for which the primary goes on beside the promoted standby, after the time in which it must be left; 0 if it
    # is lost.
    left: float = 0.0
    # How the old primary becomes the standby.
    rejoin: str = ""


@dataclasses.dataclass(frozen=True)
class Pace:
    """Seconds between the faults; 0 for none of that kind."""

    kill: float = 3.0
    lose: float = 20.0
    # How long a registry is stopped.
    pause: float = 5.0
    # The shortest and the longest time for which an old primary is back.
    back: tuple = (1.0, 3.0)
    # How long an old primary that was not lost must be unused; 0 if each one is lost.
    left: float = 0.0
    # The last seconds are without faults that take long.
    calm: float = 8.0


def script(seed, seconds, registries, pace=Pace()):
    """The faults of a run, in order. A registry is not killed while it is paused.

    Of several registries the last one is never killed: its connections survive, or do not, all that happens to the
    database.
    """
    chance = random.Random(seed)
    faults = []
    if pace.pause and registries > 1:
        # One in ten minutes, or in a shorter run.
        period = min(seconds, 600)
        begin = period / 3
        while begin + pace.pause < seconds - pace.calm:
            faults.append(Fault(begin, PAUSE_REGISTRY, chance.randrange(registries), seconds=pace.pause))
            begin += max(period, 2 * pace.pause)
    pauses = list(faults)
    if pace.kill:
        time = pace.kill * chance.uniform(0.5, 1)
        while time < seconds - 2:
            standing = {pause.target for pause in pauses if pause.at - 1 <= time <= pause.at + pause.seconds + 1}
            mortal = range(max(1, registries - 1))
            free = [number for number in mortal if number not in standing]
            if free:
                faults.append(Fault(time, KILL_REGISTRY, chance.choice(free)))
            time += pace.kill * chance.uniform(0.8, 1.2)
    if pace.lose:
        time, count = pace.lose * chance.uniform(0.4, 0.6), 0
        ways = ["rewind", "copy"]
        chance.shuffle(ways)
        while time < seconds - pace.calm:
            faults.append(Fault(
                time, LOSE_PRIMARY, seconds=round(chance.uniform(*pace.back), 1),
                silence=round(chance.uniform(0.2, 0.6), 1), rejoin=ways[count % 2],
                hang=round(chance.uniform(5.5, 7.5), 1) if count % 3 == 1 else 0,
                left=pace.left if count % 3 == 2 else 0))
            time, count = time + pace.lose * chance.uniform(0.9, 1.1), count + 1
    return sorted(faults, key=lambda fault: fault.at)
