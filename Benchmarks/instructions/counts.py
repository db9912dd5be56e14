"""Counts the instructions of requests and adverts with callgrind. Started by Benchmarks/count.sh.

Usage: counts.py PROGRAMS show|check|update [NAME…]
       counts.py PROGRAMS profile NAME
PROGRAMS: the folder of findmybike, findmybike-monitor, findmybike-registry and hci-stream.
"""

import functools
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile

import comparison
import monitor_counts
import registry_counts
import street
from callgrind import Counted, Unsteady

FILE = pathlib.Path(__file__).resolve().parents[1] / "instructions.tsv"
SOURCES = {"bluez": monitor_counts.bluez, "hci": monitor_counts.hci, "esphome": monitor_counts.esphome,
           "mqtt": monitor_counts.mqtt}
# What each count is of.
UNITS = {
    "registry-visit": "visit posted alone, durable",
    "registry-visit-of-100": "visit of 100 in a post, durable",
    "registry-bike": "GET of a bike by its owner",
    "registry-missing-unchanged": "GET of the missing list, 304",
    "advert-street": "advert of a captured street, 1,000,000 missing",
    **{f"advert-{source}-{kind}": f"advert of {text}"
       for source in SOURCES for kind, text in (("unknown", "an unknown iBeacon"), ("listed", "a missing bike"))},
}


def all_ways(programs):
    """The ways to count by name. Each takes the path for a profile, or None."""
    stage = functools.cache(lambda: registry_counts.Stage(programs))

    def requests(send, number, each=1):
        return lambda profile: stage().count(send, number, profile) / each

    def adverts(source, kind):
        return lambda profile: source(programs, kind == "listed", profile)

    return {
        "registry-visit": requests(registry_counts.Stage.post_one, 500),
        "registry-visit-of-100": requests(registry_counts.Stage.post_batch, 20, 100),
        "registry-bike": requests(registry_counts.Stage.get_bike, 1000),
        "registry-missing-unchanged": requests(registry_counts.Stage.get_missing, 1000),
        "advert-street": lambda profile: captured_street(programs, profile),
        **{f"advert-{name}-{kind}": adverts(source, kind)
           for name, source in SOURCES.items() for kind in ("unknown", "listed")},
    }


def captured_street(programs, profile):
    with tempfile.TemporaryDirectory(prefix="findmybike-street.") as folder:
        captures = [street.make_capture(pathlib.Path(folder), programs / "findmybike", each) for each in street.SECONDS]
        registry = monitor_counts.Registry([], street.OTHERS)

        def run(folder, arguments):
            settings = street.write_settings(folder, registry)
            with Counted([programs / "findmybike-monitor", "--config", settings, *arguments]) as monitor:
                instructions = monitor.end()
                if profile:
                    shutil.copy(monitor.dump, profile)
                return instructions

        return street.instructions_per_advert(captures, run)


def counted(way, profile=None):
    """Counts; if something was lost, again."""
    for _ in range(2):
        try:
            return round(way(profile))
        except Unsteady as error:
            print(f"again: {error}", file=sys.stderr, flush=True)
    return round(way(profile))


def count(ways, names):
    counts = {}
    for name in names:
        counts[name] = counted(ways[name])
        print(f"{name}\t{counts[name]:,}\t{UNITS[name]}", flush=True)
    return counts


def check(ways, names):
    text = FILE.read_text(encoding="utf-8")
    committed = comparison.parse(text)
    if tools() not in text:
        print(f"{FILE.name} was written with other tools than {tools()}: a difference may be theirs", flush=True)
    counts = count(ways, names)
    # One that grew or fell is counted twice more: the median is compared.
    for name in names:
        if any(comparison.compare(committed, {name: counts[name]})):
            counts[name] = statistics.median([counts[name], counted(ways[name]), counted(ways[name])])
    errors, hints = comparison.compare(committed, counts)
    for hint in hints:
        print(f"less: {hint}; write it down: Benchmarks/count.sh update {hint.split(':')[0]}")
    if errors:
        print(f"more than {comparison.LIMIT} % more than in {FILE.name}:", *errors, sep="\n  ")
        print("Find the cause (Benchmarks/count.sh profile NAME). If the work is worth it, write the new counts with\n"
              "Benchmarks/count.sh update NAME…, commit the file, and say in the commit what they pay for.")
    return 1 if errors else 0


def update(ways, names):
    before = comparison.parse(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    counts = before | count(ways, names)
    units = {name: unit for name, unit in UNITS.items() if name in counts}
    FILE.write_text(comparison.render(counts, units, tools()), encoding="utf-8")


def tools():
    def first_line(*command):
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]

    return f"{first_line('swift', '--version')}; {first_line('valgrind', '--version')}"


def profile(ways, name):
    """Prints the functions with the most instructions."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/profile"
        counted(ways[name], path)
        for inclusive in ("no", "yes"):
            print(f"== {'with' if inclusive == 'yes' else 'without'} what they call", flush=True)
            command = ["callgrind_annotate", f"--inclusive={inclusive}", "--auto=no", "--threshold=100", path]
            text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            lines = text[text.index("file:function"):].splitlines()[2:62]
            swift = subprocess.run(["swift", "demangle", "--simplified"], input="\n".join(lines), capture_output=True,
                                   text=True, check=True).stdout
            print("\n".join(line[:200] for line in swift.splitlines()), flush=True)


def main():
    programs, command, names = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    unknown = set(names) - set(UNITS)
    if unknown or (command == "profile" and len(names) != 1):
        raise SystemExit(f"there are these counts: {', '.join(UNITS)}")
    ways = all_ways(programs)
    # So that what was started is ended, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    match command:
        case "show":
            count(ways, names or UNITS)
        case "check":
            sys.exit(check(ways, names or UNITS))
        case "update":
            update(ways, names or UNITS)
        case "profile":
            profile(ways, names[0])


if __name__ == "__main__":
    main()
