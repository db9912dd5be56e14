"""Turns Tests/Radio/BeaconsTests/Fixtures/rotating.tsv into C: reads the table, writes the file that checks.h declares."""
import sys


def initialiser(text):
    return "{" + ", ".join(f"0x{byte:02x}" for byte in bytes.fromhex(text)) + "}"


rows = [line.split("\t") for line in sys.stdin.read().splitlines() if not line.startswith("#")]
print('#include "checks.h"\n\nconst struct vector vectors[] = {')
for key, seconds, identity, address in rows:
    print(f"    {{{initialiser(key)}, {seconds}u, {initialiser(identity)}, {initialiser(address)}}},")
print("};\nconst unsigned vector_count = sizeof vectors / sizeof *vectors;")
