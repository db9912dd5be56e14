#!/usr/bin/env python3
"""Sends the same calls to two registries, an old and a new one, and compares their answers and what they have stored.

Usage: Tests/Differential/check.py OLD NEW [--calls NUMBER] [--seed NUMBER]
  OLD, NEW   the programs `findmybike-registry`
  --calls    how many calls after the preparation; 2000 if not given
  --seed     of the random calls; 1 if not given

Both registries begin with an empty SQLite database, and get the calls one after the other, in the same order. Of each
pair of answers, the statuses, the media types and the bodies are compared. The registries make identifiers and secrets,
and note times by themselves: identifiers must correspond one to one, secrets must only be there, and times may be a
minute apart. The same is true of the tables, which are compared at the end, and both must pass `audit verify`.

Prints the number of calls by status, and the differences. Exits 1 if there are any.
"""
import argparse
import collections
import contextlib
import pathlib
import sys
import tempfile

import calls
import comparison
from registry import Registry


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    matching, differences, counts = comparison.Matching(), [], collections.Counter()
    with tempfile.TemporaryDirectory(prefix="findmybike-differential.") as folder, contextlib.ExitStack() as stack:
        registries = [
            Registry(program.resolve(), pathlib.Path(folder) / name)
            for program, name in ((options.old, "old"), (options.new, "new"))]
        for registry in registries:
            stack.callback(registry.stop)
            registry.start()
        for number, call in enumerate(calls.script(options.seed, options.calls)):
            answers = [registry.call(call) for registry in registries]
            counts["%s %s %d" % (call.method, call.kind, answers[0].status)] += 1
            for difference in comparison.of_answers(*answers, matching):
                differences.append("call %d, %s %s: %s" % (number, call.method, call.path, difference))
        for registry in registries:
            registry.stop()
            registry.verify()
        differences += comparison.of_tables([registry.database for registry in registries], matching)
    for line, count in sorted(counts.items()):
        print("%6d  %s" % (count, line))
    print("%d calls, %d differences" % (sum(counts.values()), len(differences)))
    for difference in differences[:40]:
        print(difference)
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
