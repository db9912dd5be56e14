"""Prints the lines that a change adds with words that are often a sign of stiff English, and counts them.

Usage: git diff --unified=0 BASE | words.py

These words are not forbidden: read each sentence, and write it anew if there is a plainer one. In code, only comments and
texts are read.
"""

import re
import sys

WORDS = re.compile(r"\b(?:tells?|told|nobody|at once|whoever|with which|by which)\b", re.IGNORECASE)
# What people read in a line of each language; all of a page.
READ = {
    "md": re.compile(r".*"), "swift": re.compile(r'//.*|"[^"]*"'), "js": re.compile(r'//.*|\*.*|"[^"]*"'),
    "py": re.compile(r'#.*|"[^"]*"'), "sh": re.compile(r"#.*|\"[^\"]*\"")}


def added(diff):
    """The path, number and text of each line that a diff adds."""
    path, number = None, 0
    for line in diff:
        if line.startswith("+++ "):
            path = line[4:].strip().removeprefix("b/")
        elif line.startswith("@@ "):
            number = int(re.search(r"\+(\d+)", line).group(1))
        elif line.startswith("+"):
            yield path, number, line[1:].strip()
            number += 1


def findings(diff):
    for path, number, text in added(diff):
        read = READ.get(path.rpartition(".")[2])
        if read and WORDS.search(" ".join(read.findall(text))):
            yield "%s:%d: %s" % (path, number, text)


def main():
    lines = list(findings(sys.stdin))
    for line in lines:
        print(line)
    print("%d lines with tell, nobody, at once, whoever, with which, by which: is there a plainer sentence?" % len(lines))


if __name__ == "__main__":
    main()
