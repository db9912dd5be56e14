"""Writes the texts of the catalogues that Swift uses as Swift. Run by the plugin WriteSources when the program is built.
Usage: swift.py OUTPUT

OUTPUT is the folder of the Swift file, which is written only if it changes. A type such as FinderWords has a property for each
text whose key begins with “finder.”, and a function for each text with placeholders. So a key that does not exist does not
compile. A catalogue with a fault ends the build.
"""

import pathlib
import re
import sys

import catalogue

# The texts that Swift uses, by the beginning of their keys; JavaScript uses all others.
GROUPS = ["alert", "acknowledgement", "notice", "channel", "mail", "finder", "followed", "check", "staffPhoto", "status"]
# Texts for the cases of a type, which must be complete.
CASES = {
    "alert.bike": "BikeKind", "alert.ofBike": "BikeKind", "alert.toBike": "BikeKind", "alert.level": "SightingLevel",
    "alert.levelName": "SightingLevel", "alert.reason": "SightingReason", "notice.title": "OwnerNotice.Event",
    "notice.message": "OwnerNotice.Event", "status.state": "StationHealth.State",
}


def literal(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def label(name):
    return f"`{name}`" if name in ("in", "for", "is") else name


def camel(parts):
    return parts[0] + "".join(part[0].upper() + part[1:] for part in parts[1:])


class Tables:
    """The texts of all languages in the order of their numbers: those without a plural, and those with one."""
    def __init__(self, english):
        entries = [entry for entry in english.entries.values() if entry.key.split(".")[0] in GROUPS]
        self.single = [entry.key for entry in entries if not entry.is_plural]
        self.plural = [entry.key for entry in entries if entry.is_plural]

    def call(self, entry):
        """The expression for the text of an entry."""
        names = [name for name in entry.arguments if name != "count" or not entry.is_plural]
        is_named = entry.key.split(".")[0] in catalogue.ALERTS and "bike" in names
        values = ", ".join(f'"{name}": {label(name)}' for name in names if not is_named or name != "bike")
        values = (f", [{values}]" if values else "") + (", of: bike" if is_named else "")
        if entry.is_plural:
            return f"language.text(plural: {self.plural.index(entry.key)}, count{values})"
        return f"language.text({self.single.index(entry.key)}{values})"


def parameters(entry):
    """The parameters of an entry's function: the count first and a single other argument have no label."""
    others = [name for name in entry.arguments if name != "count" or not entry.is_plural]
    if entry.is_plural:
        return ", ".join(["_ count: Int", *(f"{name}: {kind(name, entry.key)}" for name in others)])
    if len(others) == 1:
        return f"_ {label(others[0])}: {kind(others[0], entry.key)}"
    return ", ".join(f"{name}: {kind(name, entry.key)}" for name in others)


def kind(name, key):
    """The type of an argument."""
    return "BikeName" if name == "bike" and key.split(".")[0] in catalogue.ALERTS else "String"


def members(english, tables, group):
    """The lines of the type of a group."""
    entries = [entry for entry in english.entries.values() if entry.key.startswith(group + ".")]
    while entries:
        entry = entries[0]
        folder = entry.key.rpartition(".")[0]
        siblings = [each for each in entries if each.key.startswith(folder + ".")]
        parts = entry.key.split(".")[1:]
        if folder in CASES:
            entries = [each for each in entries if each not in siblings]
            names = list(dict.fromkeys(name for each in siblings for name in each.arguments))
            inputs = "".join(f", {name}: {kind(name, entry.key)}" for name in names)
            yield f"    public func {camel(parts[:-1])}(_ value: {CASES[folder]}{inputs}) -> String {{"
            yield "        switch value {"
            yield from (f"        case .{each.key.rpartition('.')[2]}: {tables.call(each)}" for each in siblings)
            yield from ("        }", "    }")
        elif parts[-1].isdigit():
            entries = [each for each in entries if each not in siblings]
            calls = ", ".join(tables.call(each) for each in siblings)
            yield f"    public var {camel(parts[:-1])}: [String] {{ [{calls}] }}"
        else:
            entries = entries[1:]
            if entry.arguments:
                yield f"    public func {camel(parts)}({parameters(entry)}) -> String {{ {tables.call(entry)} }}"
            else:
                yield f"    public var {camel(parts)}: String {{ {tables.call(entry)} }}"


def plural_rule(rule):
    """A rule of C as an expression of Swift."""
    spaced = re.sub(r"\s*([?:])\s*", r" \1 ", rule)
    return spaced if "?" in rule else f"({spaced}) ? 1 : 0"


def written(english, others):
    tables = Tables(english)
    languages = [english, *others]
    lines = ["// Written by swift.py from the catalogues.", "public import RegistryAPI", ""]
    for group in GROUPS:
        lines += [f"/// The texts whose keys begin with `{group}`, in one language.",
                  f"public struct {group[0].upper() + group[1:]}Words: Hashable, Sendable {{",
                  "    public let language: AlertLanguage", "",
                  "    public init(_ language: AlertLanguage) { self.language = language }", "",
                  *members(english, tables, group), "}", ""]

    def switch(signature, lines_of, before=""):
        return [f"    {signature} {{", *([f"        {before}"] if before else []), "        switch self {",
                *(f"        case .{each.language}: {lines_of(each)}" for each in languages), "        }", "    }"]
    lines += ["extension AlertLanguage {",
              *switch("public var name: String", lambda each: literal(each.name)),
              *switch("var texts: [String]", lambda each: f"Texts.{each.language}"),
              *switch("var plurals: [[String]]", lambda each: f"Texts.{each.language}Plurals"),
              *switch("func pluralForm(of n: Int) -> Int", lambda each: plural_rule(each.plural[1])), "}", "",
              "/// The texts by their numbers.", "private enum Texts {"]
    for each in languages:
        lines += [f"    static let {each.language}: [String] = [",
                  *(f"        {literal(each.texts(key)[0])}," for key in tables.single), "    ]",
                  f"    static let {each.language}Plurals: [[String]] = [",
                  *(f"        [{', '.join(map(literal, each.texts(key)))}]," for key in tables.plural), "    ]"]
    return "\n".join([*lines, "}", ""])


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    try:
        english, others = catalogue.read_all()
        faults = [fault for each in (english, *others) for fault in catalogue.faults_of(each, english)]
    except catalogue.Fault as fault:
        faults = [str(fault)]
    if faults:
        sys.exit("\n".join(f"error: {fault}" for fault in faults))
    file, text = folder / "Words.swift", written(english, others)
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
