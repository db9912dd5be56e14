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
# Headers of JPEG files: plain, progressive, with each orientation in both byte orders, and of other formats.
FRAME = bytes.fromhex("ffc0001108003000400301110002110003110000")
SCAN = bytes.fromhex("ffda000c03010002000300003f00") + b"\x12\x34\xff\xd9"


def exif(orientation: int, order: str) -> bytes:
    mark = b"II*\0" if order == "little" else b"MM\0*"
    numbers = [(8, 4), (1, 2), (0x0112, 2), (3, 2), (1, 4), (orientation, 2), (0, 2), (0, 4)]
    content = b"Exif\0\0" + mark + b"".join(value.to_bytes(size, order) for value, size in numbers)
    return b"\xff\xe1" + (len(content) + 2).to_bytes(2, "big") + content


photos = [b"\xff\xd8" + exif(number, order) + FRAME + SCAN for number in range(1, 9) for order in ("big", "little")]
photos += [b"\xff\xd8" + FRAME + SCAN, b"\xff\xd8" + FRAME.replace(b"\xc0", b"\xc2", 1) + SCAN * 3]
photos += [b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBPVP8 ", b"\0\0\0\x18ftypheic", b"GIF89a"]
for number, data in enumerate(photos):
    save("photos", number, data)
