"""Interleaves this project's decoder with its peers and prints ratios of medians. Started by run-decode.sh.

Usage: decode_rounds.py OURS PEERS ROUNDS. Every program runs once in each round, pinned to one processor, so that a
change of the machine's speed falls on all alike. All times are CPU time in nanoseconds per advert.
"""

import json
import os
import re
import statistics
import subprocess
import sys

OURS, PEERS, ROUNDS = sys.argv[1], os.path.abspath(sys.argv[2]), int(sys.argv[3])
PIN = ["taskset", "-c", str(os.cpu_count() - 1)]
REPETITIONS = "15"


def output(*command):
    return subprocess.run([*PIN, *command], capture_output=True, text=True, check=True, cwd=PEERS).stdout


def ours(corpus):
    result = json.loads(output(OURS, f"data/{corpus}.bin", "data/identities.bin", REPETITIONS))
    counts = (result["frames"], result["iBeacons"], result["hits"])
    assert result["recognisedOnly"] == result["iBeacons"], "the two modes disagree"
    return counts, {"recognise": result["recognise"], "match": result["match"]}


def limit(corpus):
    text = output("decode/limit", f"data/{corpus}.bin", "data/identities.bin", REPETITIONS)
    counts = tuple(map(int, re.search(r"frames=(\d+) ibeacons=(\d+) hits=(\d+)", text).groups()))
    patterns = {"recognise": "AD walk", "match": "scalar", "match, prefetching": "prefetch"}
    return counts, {
        mode: float(re.search(rf"{pattern}.*cpu median (\S+)", text)[1]) for mode, pattern in patterns.items()
    }


def bdt(corpus):
    times, counts = {}, []
    for mode, peer in (("recognise", "bdt"), ("match", "bdt_match")):
        text = output("venv/bin/python", "decode/bench_decode.py", peer, f"data/{corpus}.bin", "--seconds", "1.5")
        result = json.loads(text.strip().splitlines()[-1])
        times[mode] = 1e9 / result["per_s_cpu"]
        counts = (result["over"], result["ibeacons"])
    return counts, times


def measure(corpus):
    rows, counts = {}, {}
    for round_ in range(ROUNDS):
        for name, program in (("limit", limit), ("ours", ours), ("bdt", bdt)):
            counts[name], times = program(corpus)
            for mode, time in times.items():
                rows.setdefault((name, mode), []).append(time)
        print(f"{corpus}: round {round_ + 1} of {ROUNDS}", file=sys.stderr, flush=True)
    return counts, {key: statistics.median(times) for key, times in rows.items()}, rows


def main():
    failed = False
    for corpus in ("corpus", "corpus500"):
        counts, medians, rows = measure(corpus)
        print(f"\n{corpus}: frames, iBeacons, hits: limit {counts['limit']}, ours {counts['ours']}, bdt {counts['bdt']}")
        failed |= counts["limit"] != counts["ours"]
        for (name, mode), median in medians.items():
            times = rows[name, mode]
            print(f"  {name:6} {mode:19} {median:8.1f} ns per advert ({min(times):.1f} to {max(times):.1f})")
        for mode in ("recognise", "match"):
            mine = medians["ours", mode]
            print(f"  {mode}: {mine / medians['limit', mode]:.2f} x the limit's time (goal: at most 2)")
            print(f"  {mode}: {medians['bdt', mode] / mine:.0f} x the peer's rate (goal: at least 10)")
        prefetching = medians["ours", "match"] / medians["limit", "match, prefetching"]
        print(f"  match: {prefetching:.2f} x the time of the limit that prefetches 16 adverts ahead")
    if failed:
        sys.exit("the counts differ: the work is not the same")


main()
