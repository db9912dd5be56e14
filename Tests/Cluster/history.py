"""What happened, as lines of JSON in a file of each process: they survive the death of the process that wrote them."""
import json
import os
import time


class History:
    """Appends events. Each one is a single write, complete before the next step is taken."""

    def __init__(self, path):
        self.file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    @staticmethod
    def now():
        return time.monotonic()

    def note(self, event, **fields):
        """`at` is CLOCK_MONOTONIC in seconds, which is the same for all processes."""
        line = json.dumps({"event": event, "at": time.monotonic(), **fields}, separators=(",", ":"))
        os.write(self.file, line.encode() + b"\n")


def read(folder):
    """All events of all processes, in the order of their times."""
    events = []
    for path in folder.glob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                events.append(json.loads(line))
            except ValueError:
                # The last line of a process that was killed while it wrote.
                continue
    return sorted(events, key=lambda event: event["at"])


def of(events, name, **fields):
    """The events with this name and these fields."""
    return [event for event in events
            if event["event"] == name and all(event.get(key) == value for key, value in fields.items())]
