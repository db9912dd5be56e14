#!/usr/bin/env python3
"""Makes a fuzzing corpus from the tests' fixtures: seed.py REPOSITORY CORPUS"""

import pathlib
import re
import sys

repository, corpus = map(pathlib.Path, sys.argv[1:])


def save(target: str, number: int, data: bytes) -> None:
    folder = corpus / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"seed-{number}").write_bytes(data)


fixtures = repository / "Tests"
for number, path in enumerate(sorted(fixtures.glob("ScanningTests/Fixtures/*.btsnoop"))):
    # The first octet selects the size of the pieces; a few kilobytes are enough to start with.
    save("captures", number, b"\xff" + path.read_bytes()[:4096])
events = (fixtures / "ScanningTests/Fixtures/hci-events.tsv").read_text()
for number, line in enumerate(events.splitlines()[1:]):
    save("events", number, b"\xff" + bytes.fromhex(line.split("\t")[2]))
frames = "".join(path.read_text() for path in sorted(fixtures.glob("BeaconsTests/Fixtures/*.tsv")))
for number, text in enumerate(re.findall(r"\b(?:[0-9A-Fa-f]{2}){8,}\b", frames)):
    save("frames", number, bytes.fromhex(text))
