"""Reads the missing list as docs/missing-list.md describes it."""
import hashlib
import struct


class Broken(Exception):
    """A message that a station must refuse."""


class Bits:
    """Golomb-Rice codes, from the most significant bit."""

    def __init__(self, data):
        self.text = "".join(format(byte, "08b") for byte in data)
        self.place = 0

    def numbers(self, count, parameter):
        """`count` ascending numbers."""
        numbers, number = [], -1
        for _ in range(count):
            end = self.text.find("0", self.place)
            after = end + 1 + parameter
            if end < 0 or after > len(self.text):
                raise Broken("the message is too short")
            number += 1 + ((end - self.place) << parameter | int("0" + self.text[end + 1:after], 2))
            numbers.append(number)
            self.place = after
        return numbers

    def finish(self):
        rest = self.text[self.place:]
        if len(rest) >= 8 or "1" in rest:
            raise Broken("something follows the last code")


def read(data, before=None):
    """The version (number, mark) and the sorted hashes after a message; `before` is the pair that the reader has."""
    if len(data) < 60:
        raise Broken("the message is too short")
    magic, form, kind, bits, parameter, number, mark, count, digest = struct.unpack(">4s4BQQI32s", data[:60])
    if (magic, form, bits) != (b"FMBL", 1, 40) or kind not in (0, 1):
        raise Broken("an unknown format")
    if kind == 0:
        codes = Bits(data[60:])
        hashes = codes.numbers(count, parameter)
    else:
        if len(data) < 85:
            raise Broken("the message is too short")
        base_number, base_mark, removed, added, removed_parameter = struct.unpack(">QQIIB", data[60:85])
        if before is None or before[0] != (base_number, base_mark):
            raise Broken("a delta from %d, which this reader does not have" % base_number)
        codes = Bits(data[85:])
        gone = set(codes.numbers(removed, removed_parameter))
        if gone and max(gone) >= len(before[1]):
            raise Broken("a removed position is not on the list")
        kept = [value for place, value in enumerate(before[1]) if place not in gone]
        hashes = sorted(kept + codes.numbers(added, parameter))
    codes.finish()
    if len(hashes) != count or len(set(hashes)) != count or (hashes and hashes[-1] >= 1 << 40):
        raise Broken("the hashes do not fit their number")
    if hashlib.sha256(b"".join(value.to_bytes(5, "big") for value in hashes)).digest() != digest:
        raise Broken("the list's SHA-256 differs")
    return (number, mark), hashes


def hash_of(identity):
    """The list's hash of an identity in the API's form."""
    beacon = bytes.fromhex(identity["uuid"].replace("-", "")) + struct.pack(">HH", identity["major"], identity["minor"])
    return int.from_bytes(hashlib.sha256(beacon).digest()[:5], "big")
