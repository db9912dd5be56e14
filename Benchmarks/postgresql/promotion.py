"""Measures when a registry answers again after its primary was killed and the standby promoted."""

import json
import threading
import time
import urllib.error
import urllib.request

from cluster import BIN, run
from registry import Registry
from wakeups import visit

WRITERS = 8


class Writers:
    """Stations that post one visit after another, and note when each was answered with success."""

    def __init__(self, registry):
        self.registry, self.stopping, self.answers = registry, False, []
        self.threads = [threading.Thread(target=self.write, daemon=True) for _ in range(WRITERS)]
        for thread in self.threads:
            thread.start()

    def write(self):
        while not self.stopping:
            name, body = visit()
            request = urllib.request.Request(
                f"http://127.0.0.1:{self.registry.port}/v1/sightings", body.encode(),
                {"Content-Type": "application/json", "Authorization": f"Bearer {self.registry.station}"})
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    json.load(answer)
                self.answers.append((time.perf_counter(), name))
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.01)

    def stop(self):
        self.stopping = True
        for thread in self.threads:
            thread.join()


def promotions(programs, folder, primary, like, count):
    """For each promotion: seconds from its begin and its end to the first answer, and the number of lost visits."""
    results = []
    for number in range(count):
        standby = primary.make_standby(folder / f"standby-{number}")
        primary.await_standby()
        primary.set("synchronous_standby_names", "*")
        # The new primary will have no standby.
        standby.set("synchronous_standby_names", "")
        registry = Registry(programs, folder / f"registry-{number}", [primary, standby], like=like)
        registry.start()
        writers = Writers(registry)
        time.sleep(2)
        primary.kill()
        begin = time.perf_counter()
        run(BIN / "pg_ctl", "-D", standby.data, "-w", "promote")
        end = time.perf_counter()
        # The kill ends what was sent before.
        after = lambda: [when for when, _ in writers.answers if when > begin + 0.01]
        while not after() and time.perf_counter() < end + 30:
            time.sleep(0.01)
        time.sleep(1)
        writers.stop()
        registry.server.stop()
        first = min(after(), default=float("inf"))
        names = ", ".join(f"'\\x{name.replace('-', '')}'" for _, name in writers.answers)
        stored = int(standby.sql(f"SELECT count(DISTINCT visit) FROM sighting WHERE visit IN ({names})", "findmybike"))
        results.append((first - begin, first - end, len(writers.answers), len(writers.answers) - stored))
        primary = standby
    return results, primary
