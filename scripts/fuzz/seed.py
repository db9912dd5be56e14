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
for number, path in enumerate(sorted(fixtures.glob("Radio/ScanningTests/Fixtures/*.btsnoop"))):
    # The first octet selects the size of the pieces; a few kilobytes are enough to start with.
    save("captures", number, b"\xff" + path.read_bytes()[:4096])
events = (fixtures / "Radio/ScanningTests/Fixtures/hci-events.tsv").read_text()
for number, line in enumerate(events.splitlines()[1:]):
    save("events", number, b"\xff" + bytes.fromhex(line.split("\t")[2]))
frames = "".join(path.read_text() for path in sorted(fixtures.glob("Radio/BeaconsTests/Fixtures/*.tsv")))
for number, text in enumerate(re.findall(r"\b(?:[0-9A-Fa-f]{2}){8,}\b", frames)):
    save("frames", number, bytes.fromhex(text))
# What a Bluetooth proxy sends, as aioesphomeapi writes it: types and messages.
PROXY = [(number, bytes.fromhex(text)) for number, text in [
    (2, "0801100c1a0474657374220a636166652d70726f7879"), (4, ""),
    (10, "120a636166652d70726f78792a0565737033325805786192011141413a42423a43433a44443a45453a4645"), (126, "08021001"),
    (93, "0a1308ffddf7e6bcd72a1071180122050201061aff0a020801"), (7, ""), (126, "0803"), (5, ""),
]]


def pieces(form: int, contents: list[bytes]) -> bytes:
    return bytes([form]) + b"".join(bytes([len(content)]) + content for content in contents)


save("proxies", 0, pieces(0, [bytes([0, len(message), number]) + message for number, message in PROXY]))
save("proxies", 1, pieces(1, [b"\1\0\1\1", b"\1\0\x31\0" + bytes(48), b"\1\0\x16\1Handshake MAC failure"]))
save("proxies", 2, pieces(2, [bytes([0, number, 0, len(message)]) + message for number, message in PROXY]))
save("proxies", 3, pieces(3, [message for _, message in PROXY]))
# What Home Assistant sent, and the beginning of a WebSocket with it.
LINES = (fixtures / "Radio/HomeAssistantTests/Fixtures/recorded.txt").read_text().splitlines()
MESSAGES = [line[2:].encode() for line in LINES if line.startswith('< {"id"')]
ACCEPTED = (b"HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"
            b"Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n")


def arrivals(form: int, contents: list[bytes]) -> bytes:
    return bytes([form]) + b"".join(len(content).to_bytes(2, "big") + content for content in contents)


save("home-assistant", 0, arrivals(0, [
    ACCEPTED + b"\x81\2{}", b"\1\1{\x89\1p\0\0", b"\x80\1}\x8a\0\x81\x7e\0\xc8", bytes(200), b"\x88\0"]))
save("home-assistant", 1, arrivals(0, [b"HTTP/1.1 403 Forbidden\r\n\r\n"]))
save("home-assistant", 2, arrivals(1, MESSAGES))
for number, message in enumerate(MESSAGES[:4]):
    save("home-assistant", 3 + number, arrivals(1, [message]))
CLAIMS = [
    '', '5.6.7.8', '5.6.7.8:"', '5.6.7.8, 10.0.0.1', '[2001:db8::1]"', '"', 'for=[2001:db8::1]"', 'for=a:"', 'for="a\\',
    'for="[2001:db8::1]:4711";proto=https', 'for=_hidden, for=unknown', 'by="a,b;for=203.0.113.9";for=192.0.2.1', ',', '\\"',
]
for number, claim in enumerate(CLAIMS):
    save("forwarding", number, claim.encode())
# Headers of JPEG files: plain, progressive, with each orientation in both byte orders, and of other formats.
FRAME = bytes.fromhex("ffc0001108003000400301110002110003110000")
SCAN = bytes.fromhex("ffda000c03010002000300003f00") + b"\x12\x34\xff\xd9"


def exif(orientation: int, order: str) -> bytes:
    mark = b"II*\0" if order == "little" else b"MM\0*"
    numbers = [(8, 4), (1, 2), (0x0112, 2), (3, 2), (1, 4), (orientation, 2), (0, 2), (0, 4)]
    content = b"Exif\0\0" + mark + b"".join(value.to_bytes(size, order) for value, size in numbers)
    return b"\xff\xe1" + (len(content) + 2).to_bytes(2, "big") + content


photos = [b"\xff\xd8" + exif(number, order) + FRAME + SCAN for number in range(1, 9) for order in ("big", "little")]
photos += [b"\xff\xd8" + FRAME + SCAN, b"\xff\xd8" + FRAME.replace(b"\xc0", b"\xc2", 1) + SCAN[:-2] * 3 + SCAN[-2:]]
# A film behind the picture, another picture behind one without an end, a colour profile in two parts, and that profile.
photos += [photos[0] + b"\0\0\0\x18ftypmp42\xff\xda\xff\xda", photos[0][:-2] + photos[1]]
CURVE = b"para\0\0\0\0\0\3\0\0" + b"".join(round(65536 * number).to_bytes(4, "big")
                                                for number in (2.4, 0.9479, 0.0521, 0.0774, 0.0405))
COLOUR = b"XYZ \0\0\0\0" + bytes.fromhex("000083df00003dbfffffffbb")
TAGS = [(b"rXYZ", 204, 20), (b"gXYZ", 204, 20), (b"bXYZ", 204, 20), (b"rTRC", 224, 32), (b"gTRC", 224, 32),
        (b"bTRC", 224, 32)]
PROFILE = bytes(16) + b"RGB XYZ " + bytes(12) + b"acsp" + bytes(88) + len(TAGS).to_bytes(4, "big") + b"".join(
    name + offset.to_bytes(4, "big") + size.to_bytes(4, "big") for name, offset, size in TAGS) + COLOUR + CURVE


def part(number: int, content: bytes) -> bytes:
    return b"\xff\xe2" + (len(content) + 16).to_bytes(2, "big") + b"ICC_PROFILE\0" + bytes([number, 2]) + content


photos += [b"\xff\xd8" + part(2, PROFILE[99:]) + part(1, PROFILE[:99]) + FRAME + SCAN, PROFILE]
photos += [b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBPVP8 ", b"\0\0\0\x18ftypheic", b"GIF89a"]
for number, data in enumerate(photos):
    save("photos", number, data)
