"""Checks the imports of the package's rooms, and draws its floors in a page of the documentation.

Usage: swift package dump-package | house.py PAGE [--check]

A room is a target in Sources/FLOOR/ROOM, and the floors are in the order in which Package.swift names them. A room may import
rooms of its own floor and of the floors before it.
"""

import json
import pathlib
import re
import sys

from targets import dependencies

IMPORT = re.compile(r"^(?:@\w+ )*(?:public |package |internal )?import (?:(?:struct|class|enum|protocol|func) )?(\w+)", re.MULTILINE)
BEGIN, END = "<!-- scripts/house.sh draws this -->\n", "<!-- end of the drawing -->\n"


class Room:
    def __init__(self, target):
        self.name = target["name"]
        _, self.floor, _ = target["path"].split("/")
        self.declared = dependencies(target)
        self.is_swift = target["type"] in ("regular", "executable")

    def imported(self):
        """The names of all modules that its files import."""
        files = pathlib.Path("Sources", self.floor, self.name).rglob("*.swift")
        return {name for file in files for name in IMPORT.findall(file.read_text(encoding="utf-8"))}


def rooms_of(package):
    """The rooms in the order in which the package names them, by name."""
    return {
        target["name"]: Room(target) for target in package["targets"]
        if (target.get("path") or "").startswith("Sources/")}


def faults(rooms):
    """Sentences about imports that are not declared, not needed, or lead to a higher floor."""
    floors = list(dict.fromkeys(room.floor for room in rooms.values()))
    for room in rooms.values():
        declared = {name for name in room.declared if name in rooms}
        for name in sorted(declared):
            if floors.index(rooms[name].floor) > floors.index(room.floor):
                yield f"{room.name} of the floor {room.floor} imports {name} of the higher floor {rooms[name].floor}"
        if room.is_swift:
            imported = room.imported() & set(rooms) - {room.name}
            # Each room gets Syntax, and a plugin is used without an import.
            for name in sorted(declared - imported - {"Syntax"}):
                yield f"Package.swift lets {room.name} import {name}, which no file of it does"
            for name in sorted(imported - declared):
                yield f"{room.name} imports {name}, which Package.swift does not say"


def drawing(rooms):
    """The floors from the highest to the lowest: their rooms, and the floors whose rooms they import."""
    floors = list(dict.fromkeys(room.floor for room in rooms.values()))
    lines = []
    for floor in reversed(floors):
        inside = [room for room in rooms.values() if room.floor == floor and room.is_swift]
        below = {rooms[name].floor for room in inside for name in room.declared if name in rooms} - {floor}
        below.discard("Base")  # every floor imports it
        names, line = [], ""
        for room in inside:
            if len(line) + len(room.name) > 96:
                names.append(line)
                line = ""
            line += ("  " if line else "") + room.name
        names.append(line)
        lines += [f"{floor if index == 0 else '':<12}{text}" for index, text in enumerate(names)]
        if below:
            lines.append(f"{'':<12}↓ {', '.join(name for name in floors if name in below)}")
        lines.append("")
    return "```\n" + "\n".join(lines[:-1]) + "\n```\n"


def drawn(page, text):
    """The page with this drawing."""
    before, rest = page.split(BEGIN)
    return before + BEGIN + text + END + rest.split(END)[1]


def main():
    page = pathlib.Path(sys.argv[1])
    rooms = rooms_of(json.load(sys.stdin))
    found = list(faults(rooms))
    for fault in found:
        print(f"house.sh: {fault}", file=sys.stderr)
    old = page.read_text(encoding="utf-8")
    new = drawn(old, drawing(rooms))
    if "--check" not in sys.argv:
        page.write_text(new, encoding="utf-8")
    elif new != old:
        print(f"house.sh: the drawing in {page} is old; run scripts/house.sh", file=sys.stderr)
        found.append("")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
