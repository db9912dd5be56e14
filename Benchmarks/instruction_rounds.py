"""Counts the monitor's instructions per advert on both architectures. Started by run-instructions.sh.

Usage: instruction_rounds.py WORK ROOT MONITOR. The monitor reads two captures of different lengths of the same street, with
a missing list of 1,000,000 identities; the difference between the two counts is the cost of the adverts between, without
the start and the list. WORK has the plugin count-instructions.so. ROOT is a Debian for arm64 with the packages; MONITOR is
the program for amd64, whose ‘findmybike’ makes the captures.
"""

import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from small_registry import Registry

WORK, ROOT, MONITOR = map(pathlib.Path, sys.argv[1:])
STREET = pathlib.Path(__file__).resolve().parents[1] / "config/scenarios/dense-street.yaml"
SECONDS = (30, 90)
OTHERS = 1_000_000
ROUNDS = 3
RATE = 2_000
# A Raspberry Pi Zero 2 W. The clock is its maker's; the instructions per cycle are assumed, for a small core that works in
# order: 0.5 where it waits for memory often, 1 where it does not.
CLOCK, PER_CYCLE = 1e9, (0.5, 1.0)
EMULATORS = {
    "amd64": (["qemu-x86_64", "-cpu", "max"], [MONITOR]),
    # The core of a Pi 3 and a Pi Zero 2 W.
    "arm64": (["qemu-aarch64", "-cpu", "cortex-a53", "-L", ROOT], [ROOT / "usr/bin/findmybike-monitor"]),
}


def make_capture(seconds):
    """Returns the capture's path and its number of adverts."""
    scenario, capture = WORK / f"street-{seconds}.yaml", WORK / f"street-{seconds}.btsnoop"
    # Those that ride past do it too late.
    street = re.sub(r"  - name: .*\n(?:    .*\n)*?    path:\n(?:      .*\n)*\n", "", STREET.read_text(encoding="utf-8"))
    scenario.write_text(re.sub(r"(?m)^duration: .*", f"duration: {seconds}s", street), encoding="utf-8")
    program = MONITOR.with_name("findmybike")
    subprocess.run([program, "simulate", scenario, "--output", capture], check=True, stdout=subprocess.DEVNULL)
    summary = subprocess.run(
        [program, "scan", "--replay", capture, "--speed", "max"], check=True, capture_output=True, text=True).stdout
    return capture, int(re.search(r"(\d[\d,]*) reports", summary)[1].replace(",", ""))


def count(architecture, capture, registry):
    """The instructions of one run of the monitor."""
    emulator, program = EMULATORS[architecture]
    with tempfile.TemporaryDirectory(dir=WORK) as name:
        folder = pathlib.Path(name)
        (folder / "token").write_text("benchmark", encoding="utf-8")
        (folder / "monitor.yaml").write_text(
            f"registry:\n  url: http://127.0.0.1:{registry.server_port}\nstation:\n  tokenFile: {folder}/token\n"
            f"state: {folder}\nlog:\n  level: warning\n", encoding="utf-8")
        (folder / "token").chmod(0o600)
        result = subprocess.run(
            [*emulator, "-d", "plugin", "-D", folder / "count", "-plugin", WORK / "count-instructions.so", *program,
             "--config", folder / "monitor.yaml", "--replay", capture, "--speed", "max"],
            capture_output=True, text=True, timeout=1800, check=False)
        if result.returncode != 0:
            sys.exit(f"the monitor for {architecture} ended with {result.returncode}: {result.stderr[-2000:]}")
        return int(re.search(r"instructions: (\d+)", (folder / "count").read_text())[1])


def main():
    registry = Registry([], OTHERS)
    captures = [make_capture(seconds) for seconds in SECONDS]
    adverts = captures[1][1] - captures[0][1]
    print(f"captures of {captures[0][1]:,} and {captures[1][1]:,} adverts", flush=True)
    for architecture in EMULATORS:
        costs = []
        for _ in range(ROUNDS):
            short, long = (count(architecture, capture, registry) for capture, _ in captures)
            costs.append((long - short) / adverts)
            print(f"{architecture}: {short:,} and {long:,} instructions", file=sys.stderr, flush=True)
        cost = statistics.median(costs)
        print(f"{architecture}: {cost:,.0f} instructions per advert ({min(costs):,.0f} to {max(costs):,.0f})", flush=True)
    shares = [cost * RATE / (CLOCK * each) for each in PER_CYCLE]
    print(f"calculated for a Pi Zero 2 W with {RATE:,} adverts/s: {min(shares):.2%} to {max(shares):.2%} of one core, "
          f"with {PER_CYCLE[1]} to {PER_CYCLE[0]} instructions per cycle")


main()
