#!/usr/bin/env python3
"""Makes a manual page (man(7)) from the output of a program's --experimental-dump-help.

Usage: PROGRAM --experimental-dump-help | manual.py SUMMARY VERSION > PROGRAM.1
"""
import json
import sys


# As in docs/guide/troubleshooting.md, after sysexits(3).
STATUSES = [
    (1, "A check failed: doctor found a problem, or the reports differ from the simulation."),
    (3, "The evidence pack is unchanged, but its key is not trusted."),
    (64, "Wrong arguments, or the answer to a question was not yes."),
    (65, "The data is invalid, or the registry refuses it."),
    (66, "A file cannot be read."),
    (69, "The registry, a radio or another service cannot be reached."),
    (70, "An internal error in the program."),
    (71, "An operating-system error, or the radios no longer hear anything."),
    (73, "A file cannot be created."),
    (74, "The disk fails or is full."),
    (75, "A temporary failure: try again later."),
    (77, "Not permitted."),
    (78, "The settings are invalid."),
]

VARIABLES = [
    ("NO_COLOR", "If not empty, output has no colours."),
    ("CLICOLOR_FORCE", "If not empty and not 0, output has colours even without a terminal, unless NO_COLOR is set."),
    ("COLUMNS", "The width of tables."),
    ("TZ", "The time zone of times."),
    ("FINDMYBIKE_...", "Settings; each program lists its own with the subcommand settings."),
]


def escape(text):
    """Text escaped for troff: backslashes, hyphens, and lines that would begin with a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("’", "\\(cq").replace("‘", "\\(oq").replace("…", "\\&...")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.splitlines())


def dashed(name):
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def usage(argument):
    if argument["kind"] == "positional":
        text = "<%s>" % argument["valueName"]
    else:
        text = dashed(argument["preferredName"])
        if argument["kind"] == "option":
            text += " <%s>" % argument["valueName"]
    if argument["isRepeating"]:
        text += " ..."
    return "[%s]" % text if argument["isOptional"] else text


def heading(argument):
    if argument["kind"] == "positional":
        return "\\fI%s\\fR" % escape(argument["valueName"])
    names = ", ".join("\\fB%s\\fR" % escape(dashed(name)) for name in argument["names"])
    return names + (" \\fI%s\\fR" % escape(argument["valueName"]) if argument["kind"] == "option" else "")


def arguments(command):
    """The options of a command except --help and --version, which are on the page once."""
    shown = (a for a in command.get("arguments", []) if a["shouldDisplay"])
    return [a for a in shown if a.get("preferredName", {}).get("name") not in ("help", "version")]


def body(command):
    if command.get("abstract"):
        yield escape(command["abstract"])
    for paragraph in command.get("discussion", "").split("\n\n"):
        if not paragraph.strip():
            continue
        literal = any(line.startswith("  ") for line in paragraph.splitlines())
        yield ".PP"
        if literal:
            yield ".nf"
        yield escape(paragraph)
        if literal:
            yield ".fi"
    for argument in arguments(command):
        yield ".TP"
        yield heading(argument)
        yield escape(argument.get("abstract", "")) or "\\&"
        values = argument.get("allValues")
        if values:
            yield escape("One of: %s." % ", ".join(values))
        if argument.get("defaultValue"):
            yield escape("Default: %s." % argument["defaultValue"])


def leaves(command, path=()):
    """Commands that can be run, with their paths."""
    subcommands = [s for s in command.get("subcommands", []) if s["shouldDisplay"] and s["commandName"] != "help"]
    if not subcommands:
        yield path + (command["commandName"],), command
    for subcommand in subcommands:
        yield from leaves(subcommand, path + (command["commandName"],))


def main():
    summary, version = sys.argv[1:3]
    root = json.load(sys.stdin)["command"]
    name = root["commandName"]
    commands = list(leaves(root))
    print('.TH %s 1 "" "FindMyBike %s" "User Commands"' % (name.upper().replace("-", "\\-"), version))
    print(".SH NAME\n%s \\- %s" % (escape(name), escape(summary)))
    print(".SH SYNOPSIS")
    for path, command in commands:
        words = " ".join(usage(a) for a in arguments(command))
        print(".B %s\n%s\n.br" % (escape(" ".join(path)), escape(words) or "\\&"))
    print(".SH DESCRIPTION")
    print("\n".join(body(root)))
    if len(commands) > 1:
        print(".SH COMMANDS")
        for path, command in commands:
            print(".SS %s" % escape(" ".join(path[1:])))
            print("\n".join(body(command)))
    print(".SH EXIT STATUS\n0 on success; otherwise a line on standard error says what is wrong and what to do.")
    for status, meaning in STATUSES:
        print(".TP\n.B %d\n%s" % (status, escape(meaning)))
    print(".SH ENVIRONMENT")
    for name, meaning in VARIABLES:
        print(".TP\n.B %s\n%s" % (escape(name), escape(meaning)))
    print(".SH SEE ALSO")
    others = [n for n in ("findmybike", "findmybike-monitor", "findmybike-registry") if n != name]
    print(",\n".join(".BR %s (1)" % escape(n) for n in others))


main()
