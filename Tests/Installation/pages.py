"""The commands that a page tells people to type: its blocks marked ‘console’ and ‘sh’.

In a block ‘console’ each line with a prompt begins a command, which a backslash or a here-document continues; the lines
below it are its output. A block ‘sh’ is one command, and a block ‘text’ directly after it is its output. ‘…’ stands for
anything, as in the blocks that guide.py runs.
"""

import dataclasses
import re

from guide import FENCE, pattern

PART = re.compile(FENCE.pattern + r"|^#+ ([^\n]*)$", FENCE.flags)
HERE_DOCUMENT = re.compile(r"<<'?(\w+)'?")
# Placeholders for what the reader has been given, or what a command has shown.
CODE = re.compile(r"\b[0-9A-Z]{5}(?:-[0-9A-Z]{5}){3}\b")


@dataclasses.dataclass(frozen=True)
class Command:
    """A command to type, its position on the page, and the part of its output that the page shows (perhaps nothing)."""

    section: str
    line: int
    text: str
    shown: str = ""

    def is_answered_by(self, screen):
        return re.search(r"^" + pattern(self.shown), screen + "\n", re.MULTILINE) is not None

    def with_code_from(self, told):
        """The command with the code that was shown last in place of the page's."""
        codes = CODE.findall(told)
        return CODE.sub(codes[-1], self.text) if codes else self.text


def commands(text):
    """All commands of a page, in order."""
    found, section, end = [], "", -1
    for part in PART.finditer(text):
        kind, body, heading = part.groups()
        line = text.count("\n", 0, part.start()) + 2
        if heading is not None:
            section = heading
        elif kind == "console":
            found += console(section, line, body)
        elif kind == "sh":
            found.append(Command(section, line, body))
            end = part.end()
            continue
        elif kind == "text" and end >= 0 and not text[end:part.start()].strip():
            found[-1] = dataclasses.replace(found[-1], shown=body)
        end = -1
    return found


def console(section, line, body):
    found, open_until = [], None
    for number, text in enumerate(body.splitlines(keepends=True), line):
        if open_until is None and text.startswith("$ "):
            found.append(Command(section, number, text[2:]))
        elif not found:
            raise ValueError(f"line {number}: a block ‘console’ begins with ‘$ ’")
        elif open_until is not None:
            found[-1] = dataclasses.replace(found[-1], text=found[-1].text + text)
        else:
            found[-1] = dataclasses.replace(found[-1], shown=found[-1].shown + text)
        open_until = continuation(found[-1].text) if not found[-1].shown else None
    if open_until is not None:
        raise ValueError(f"line {found[-1].line}: the command has no end")
    return found


def continuation(command):
    """The end that a command waits for: the word that ends its here-document, the end of a line, or None."""
    last = command.splitlines()[-1]
    if word := HERE_DOCUMENT.search(command):
        return None if last == word.group(1) else word.group(1)
    return "" if last.endswith("\\") else None


class Guide:
    """The pages, and the commands on them that have been typed."""

    def __init__(self, folder, sections):
        """`sections` are the sections of each page that count; none means all."""
        self.untyped = []
        for page, titles in sections.items():
            for command in commands((folder / page).read_text(encoding="utf-8")):
                if not titles or command.section in titles:
                    self.untyped.append((page, command))

    def section(self, page, title, person, told=""):
        """Has a person type a section, command by command; yields the screen after each.

        `told` is what another person's screen shows, such as a code.
        """
        wanted = [command for of, command in self.untyped if of == page and command.section == title]
        if not wanted:
            raise AssertionError("%s has nothing (more) to type in ‘%s’" % (page, title))
        for command in wanted:
            self.untyped.remove((page, command))
            print("\n    %s:%d %s$ %s" % (page, command.line, person.name, command.text.rstrip()), end="", flush=True)
            screen = person.types(command.with_code_from(told))
            if not command.is_answered_by(screen):
                raise AssertionError("%s:%d: the screen shows\n%sinstead of\n%s" % (
                    page, command.line, screen, command.shown))
            yield screen

    def all(self, page, title, person, told=""):
        return list(self.section(page, title, person, told))
