"""Runs Swift Testing and watches each of its tests.

Usage: run.py LOG COMMAND ARGUMENT…

Swift Testing's own time limit only cancels a test: one that waits without looking for that, or spins, goes on for ever.
So this program reads the events of Swift Testing, and kills a run in which a test exceeds its limit. It shows what
failed, names the tests that were running when a run ends early, and lists the longest tests. LOG gets the whole output.

Swift Testing starts tests in another order in each run.

TEST_LIMIT  seconds that a test may take, by default 300; if its source file states a longer .timeLimit, a minute more
            than that, so that Swift Testing's own report comes first
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import supervise

FAILED = re.compile(r"✘|↳ (?!Testing Library|Target Platform)|recorded an issue|: error: |Fatal error")
SHOWN = re.compile(FAILED.pattern + "|: warning: |Build complete|Test run with|unexpected signal")
COLOUR = re.compile(r"\033\[[0-9;]*m")
STATED = re.compile(r"\.timeLimit\(\.minutes\((\d+)\)\)")
END_OF_RUN = ("the end of the process", None)
# How long a build may take before the first event, in seconds.
BEFORE_EVENTS = 3600


class Tests:
    """What the events say of the tests. A unit is a test, or one case of a test with arguments.

    Swift Testing announces a test when it waits for one of the places that the width permits, not when it begins. As
    the places are given in the order of arrival, the beginning is known well enough to say how long a test took; but a
    test is late only if it certainly had a place for so long.
    """

    def __init__(self, limit, width):
        self.limit, self.width = limit, width or sys.maxsize
        self.names, self.files, self.cases, self.stated = {}, {}, {}, {}
        # The units that have been announced and have not ended, and since when; those that have a place, and since when.
        self.units, self.running, self.lengths = {}, {}, {}
        # When there were more units than places, and when something began or ended; nil before the first event.
        self.crowded, self.latest = 0, None
        self.started = time.monotonic()

    def take(self, line, now):
        record = json.loads(line)
        payload = record["payload"]
        if record["kind"] == "test" and payload["kind"] == "function":
            self.know(payload)
        elif record["kind"] == "event":
            if self.latest is None or payload["kind"].endswith(("Started", "Ended")):
                self.latest = now
            if len(self.units) > self.width:
                self.crowded = now
            self.note(payload["kind"], payload.get("testID"), (payload.get("_testCase") or {}).get("id"), now)
            for unit in self.units:
                if len(self.running) >= self.width:
                    break
                self.running.setdefault(unit, now)

    def know(self, test):
        test_id, place = test["id"], test["sourceLocation"]
        self.names[test_id] = name(test)
        self.files[test_id] = place.get("filePath") or place.get("_filePath")
        self.cases[test_id] = [case["id"] for case in test.get("_testCases", [])] if test["isParameterized"] else [None]

    def note(self, kind, test, case, now):
        if kind == "testStarted":
            self.units |= {(test, case): now for case in self.cases.get(test, [])}
        elif kind == "testCaseStarted":
            self.units[test, case] = self.running[test, case] = now
        elif kind == "testCaseEnded":
            self.end((test, case), now)
        elif kind == "testEnded":
            for case in self.cases.get(test, []):
                self.end((test, case), now)
        elif kind == "runEnded":
            self.units[END_OF_RUN] = now

    def end(self, unit, now):
        if self.units.pop(unit, None) is not None:
            began = self.running.pop(unit, now)
            self.lengths[unit[0]] = max(self.lengths.get(unit[0], 0), now - began)
            # A case may have waited for the one before it.
            self.units |= {other: now for other in self.units if other[0] == unit[0]}

    def name(self, unit):
        return self.names.get(unit[0], unit[0])

    def limit_of(self, unit):
        path = self.files.get(unit[0])
        if path not in self.stated:
            text = pathlib.Path(path).read_text(encoding="utf-8") if path and os.path.exists(path) else ""
            self.stated[path] = max((int(minutes) * 60 + 60 for minutes in STATED.findall(text)), default=0)
        return max(self.limit, self.stated[path])

    def late(self, now):
        """The names of the tests that take too long."""
        if not self.units:
            began, limit = (self.latest, self.limit) if self.latest is not None else (self.started, BEFORE_EVENTS)
            return ["the run, which reports nothing"] if now - began > limit else []
        if len(self.units) > self.width:
            # Others wait for a place, and nothing ends: all places are taken by tests that do not end.
            if now - self.latest > max(map(self.limit_of, self.running)):
                return [self.name(unit) for unit in self.running]
            return []
        return [
            self.name(unit) for unit, announced in self.units.items()
            if now - max(announced, self.crowded) > self.limit_of(unit)]

    @property
    def is_complete(self):
        """Whether the run ended, and not only its process."""
        return set(self.units) == {END_OF_RUN}

    def unfinished(self, now):
        """Lines about the tests that are running, the longest first."""
        order = sorted(self.running.items(), key=lambda item: item[1])
        return [f"{self.name(unit)}, for {now - began:.0f} s" for unit, began in order if unit != END_OF_RUN]

    def longest(self, count):
        order = sorted(self.lengths.items(), key=lambda item: -item[1])
        return [f"{seconds:7.1f} s  {self.names.get(test, test)}" for test, seconds in order[:count]]


def name(test):
    """As in ‘swift test --filter’, and the words by which people know the test."""
    words = test.get("displayName")
    path = re.sub(r"/[^/]*:\d+:\d+$", "", test["id"])
    return f"{path} “{words}”" if words else path


def follow(path, tests, process):
    """Reads events until the run ends, and kills it if a test takes too long; returns the names of these."""
    rest = b""
    with open(path, "rb") as events:
        while True:
            is_over = process.poll() is not None
            now = time.monotonic()
            *lines, rest = (rest + events.read()).split(b"\n")
            for line in lines:
                tests.take(line, now)
            late = [] if is_over else tests.late(now)
            if late or is_over:
                return late
            time.sleep(0.2)


def main():
    log, *command = sys.argv[1:]
    width = os.environ.get("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH")
    tests = Tests(int(os.environ.get("TEST_LIMIT", "300")), int(width) if width else sys.maxsize)
    failures = {}
    supervise.adopt_orphans()
    supervise.exit_on_signals()
    with tempfile.TemporaryDirectory(prefix="findmybike-test-") as folder, open(log, "w", encoding="utf-8") as whole:
        events = pathlib.Path(folder, "events")
        events.touch()
        process = subprocess.Popen(
            command + ["--event-stream-output-path", str(events), "--event-stream-version", "0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace")

        def copy():
            for line in process.stdout:
                whole.write(line)
                whole.flush()
                # What is said of each test that passes would hide the rest.
                if SHOWN.search(line):
                    print(line, end="", flush=True)
                plain = COLOUR.sub("", line).rstrip()
                if FAILED.search(plain):
                    failures[plain] = True

        copying = threading.Thread(target=copy, daemon=True)
        copying.start()
        try:
            late = follow(events, tests, process)
        finally:
            # Also peers of tests that were killed.
            supervise.end_descendants(patience=0)
        status = process.wait()
        copying.join(timeout=10)
    sys.exit(conclude(tests, late, status, list(failures), log))


def conclude(tests, late, status, failures, log):
    """Says how the run ended, and returns the exit status."""
    longest = tests.longest(15)
    if longest:
        print("== longest tests", *longest, sep="\n")
    if status == 0 and not longest:
        print("== no test has run: --filter takes names as in Tests, like RegistryAPITests.PatchTests", file=sys.stderr)
        return 64
    if status == 0 and tests.is_complete:
        return 0
    print("== failed")
    if status == 0:
        print("✘ the process ended with 0 before all tests had ended: does a test call exit?")
    # The line that sums up a run also has “✘”; it comes last.
    for line in failures[:60]:
        print(line)
    for test in late:
        print(f"✘ killed, because it did not end in time: {test}")
    unfinished = tests.unfinished(time.monotonic())
    if unfinished:
        print("Running at that time:", *unfinished, sep="\n  ")
    print(f"The whole output is in {log}")
    return status if status > 0 else 1


if __name__ == "__main__":
    main()
