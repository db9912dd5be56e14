"""Prints the test targets or suites (TARGET.SUITE) that a change needs, one a line, or "all".

Usage: swift package dump-package | targets.py PATH…

A file in a room needs the tests of that room and of the rooms that import it directly. A file of a test target needs that
target. Any other file needs the suites whose sources name its path. ProgramTests starts the built programs and takes
minutes: it is left out unless the change is in a program, in its tests, or in a room that no other test covers.
"""

import json
import pathlib
import re
import sys

SLOW = "ProgramTests"


def dependencies(target):
    """Names of the targets and products that a target depends on."""
    return {value[0] for entry in target["dependencies"] for value in entry.values()}


def suites_naming(path, tests):
    """The suites in source files of the tests that name a path, or a variable file of its folder."""
    names = (f'"{path}"', f'"{pathlib.PurePath(path).parent}/\\(')
    for name in tests:
        for file in pathlib.Path(tests[name]["path"]).rglob("*.swift"):
            text = file.read_text(encoding="utf-8")
            if any(name in text for name in names):
                yield from (f"{name}.{suite}" for suite in re.findall(r"^struct (\w+Tests)\b", text, re.MULTILINE))


def main():
    package = json.load(sys.stdin)
    targets = {target["name"]: target for target in package["targets"]}
    tests = {name: target for name, target in targets.items() if target["type"] == "test"}
    folders = {target["path"]: name for name, target in targets.items()}
    needed = set()
    for path in sys.argv[1:]:
        if path in ("Package.swift", "Package.resolved"):
            print("all")
            return
        owner = folders.get("/".join(path.split("/")[:3]))
        if owner in tests:
            needed.add(owner)
        elif owner is None:
            needed.update(suites_naming(path, tests))
        elif targets[owner]["type"] == "executable":
            needed.add(SLOW)
        else:
            direct = {name for name, target in targets.items() if owner in dependencies(target)}
            covering = {name for name in tests if name == f"{owner}Tests" or name in direct or name[:-5] in direct} - {SLOW}
            needed |= covering or {SLOW}
    print("\n".join(sorted(needed)))


if __name__ == "__main__":
    main()
