#!/usr/bin/env python3
"""bluez_rounds.py PROGRAMS PEERS RATE SECONDS ROUNDS: processor time of bluez-scan and of bleak, in turns on a private bus.

PROGRAMS is the folder of bluez-scan. PEERS is a working copy of the peers: venv with bleak, data/corpus500.bin, and mem
with the bus's configuration, the fake bluetoothd and bleak's smallest scanner. The time is the kernel's count of
nanoseconds on a processor, of all threads.
"""
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time


def processor_seconds(process):
    """See “schedstats” in the kernel's documentation: the first number of schedstat."""
    tasks = pathlib.Path(f"/proc/{process.pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def resident_megabytes(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1000


def stop(process):
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=20)


def measure(peers, command, rate, seconds, environment):
    """Percent of a core, and megabytes, of a scanner that receives this many signals a second."""
    fake = subprocess.Popen(
        [peers / "venv/bin/python", peers / "mem/fake_bluez.py", str(rate), peers / "data/corpus500.bin"],
        env=environment, stdout=subprocess.PIPE)
    fake.stdout.readline()
    scanner = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        time.sleep(4)
        before, start = processor_seconds(scanner), time.monotonic()
        time.sleep(seconds)
        share = 100 * (processor_seconds(scanner) - before) / (time.monotonic() - start)
        memory = resident_megabytes(scanner)
        if fake.poll() is not None:
            sys.exit("the fake bluetoothd ended: the machine is too busy for this rate")
    finally:
        stop(scanner)
        stop(fake)
    # Both print how many reports they have heard, every five seconds.
    heard = [int(line.split()[0]) for line in scanner.stdout.read().splitlines()]
    return share, memory, (heard[-1] - heard[0]) / (5 * (len(heard) - 1))


def main():
    programs, peers = (pathlib.Path(folder).resolve() for folder in sys.argv[1:3])
    rate, seconds, rounds = map(int, sys.argv[3:6])
    commands = {
        "bleak": [peers / "venv/bin/python", peers / "mem/bleak_scan.py"],
        "bluez-scan": [programs / "bluez-scan"],
    }
    results = {name: [] for name in commands}
    with tempfile.TemporaryDirectory() as folder:
        configuration = pathlib.Path(folder, "bus.conf")
        configuration.write_text((peers / "mem/dbus.conf").read_text().replace("@SOCK@", f"{folder}/bus"))
        environment = {**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={folder}/bus"}
        bus = subprocess.Popen(["dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile"])
        try:
            time.sleep(1)
            for _ in range(rounds):
                for name, command in commands.items():
                    share, memory, heard = measure(peers, command, rate, seconds, environment)
                    results[name].append(share)
                    print(f"{name}: {share:.2f} % of a core, {memory:.1f} MB, {heard:.0f} reports/s", flush=True)
        finally:
            stop(bus)
    bleak, ours = (statistics.median(shares) for shares in results.values())
    print(f"medians: bleak {bleak:.2f} %, bluez-scan {ours:.2f} %, ratio {ours / bleak:.2f}")


main()
