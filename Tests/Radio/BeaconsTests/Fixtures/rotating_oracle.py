"""What rotating beacons send, by PyCA's key derivation: reads lines of key and beacon's time in seconds.

Shares no code with the project. Prints what Fixtures/rotating.tsv has: key, time, identity, address.
"""
import sys

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.concatkdf import ConcatKDFHash


def derive(secret, purpose, number, length):
    info = b"FindMyBike rot 1" + purpose + number.to_bytes(4, "big")
    return ConcatKDFHash(algorithm=SHA256(), length=length, otherinfo=info).derive(secret)


for line in sys.stdin:
    key, time = line.split()
    secret, seconds = bytes.fromhex(key), int(time)
    slot, epoch = seconds >> 10, seconds >> 16
    identity = derive(derive(secret, b"E", epoch, 16), b"L", slot, 16) + derive(secret, b"T", slot, 4)
    address = bytearray(derive(secret, b"A", slot, 6))
    address[0] &= 0x3F
    print(key, time, identity.hex(), address.hex(), sep="\t")
