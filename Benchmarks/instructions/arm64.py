"""Counts the instructions of a street's advert on arm64, in the emulator qemu-user. Started by Benchmarks/count.sh.

Usage: arm64.py PROGRAMS ROOT. ROOT is a Debian for arm64 with the packages. PROGRAMS has the findmybike that makes the
captures, and qemu_plugin.so.
"""

import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import street
from monitor_counts import Registry

PROGRAMS, ROOT = map(pathlib.Path, sys.argv[1:])
ROUNDS = 3
RATE = 2_000
# A Raspberry Pi Zero 2 W. The clock is its maker's; the instructions per cycle are assumed, for a small core that works in
# order: 0.5 where it waits for memory often, 1 where it does not.
CLOCK, PER_CYCLE = 1e9, (0.5, 1.0)
# The core of a Pi 3 and a Pi Zero 2 W.
EMULATOR = ["qemu-aarch64", "-cpu", "cortex-a53", "-L", ROOT, "-d", "plugin", "-plugin",
            PROGRAMS / "qemu_plugin.so"]


def main():
    registry = Registry([], street.OTHERS)

    def run(folder, arguments):
        settings = street.write_settings(folder, registry)
        command = [*EMULATOR, "-D", folder / "count", ROOT / "usr/bin/findmybike-monitor", "--config", settings, *arguments]
        result = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
        if result.returncode != 0:
            sys.exit(f"the monitor ended with {result.returncode}: {result.stderr[-2000:]}")
        return int(re.search(r"instructions: (\d+)", (folder / "count").read_text())[1])

    with tempfile.TemporaryDirectory() as folder:
        captures = [street.make_capture(pathlib.Path(folder), PROGRAMS / "findmybike", each) for each in street.SECONDS]
        costs = [street.instructions_per_advert(captures, run) for _ in range(ROUNDS)]
    cost = statistics.median(costs)
    print(f"arm64: {cost:,.0f} instructions per advert ({min(costs):,.0f} to {max(costs):,.0f})")
    shares = [cost * RATE / (CLOCK * each) for each in PER_CYCLE]
    print(f"calculated for a Pi Zero 2 W with {RATE:,} adverts/s: {min(shares):.2%} to {max(shares):.2%} of one core, "
          f"with {PER_CYCLE[1]} to {PER_CYCLE[0]} instructions per cycle")


main()
