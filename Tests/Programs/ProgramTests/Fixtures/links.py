"""Checks that every link in the documentation has a target: a file, a folder or a heading. Usage: links.py REPOSITORY

Links to the Internet are not checked. Exits with 0 if all links are valid; otherwise prints each broken link.
"""

import pathlib
import re
import sys
import unicodedata

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def prose(path):
    return FENCE.sub("", path.read_text(encoding="utf-8"))


def anchors(path):
    """The anchors of headings: lower case, hyphens for spaces, no punctuation; repeated ones are numbered."""
    seen, found = {}, set()
    for heading in re.findall(r"^#+ +(.+?) *$", prose(path), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        kept = "".join(c for c in plain.lower() if c in "-_ " or unicodedata.category(c)[0] in "LN")
        anchor = kept.replace(" ", "-")
        count = seen[anchor] = seen.get(anchor, -1) + 1
        found.add(anchor if count == 0 else f"{anchor}-{count}")
    return found


def problems(root):
    pages = [*sorted(root.glob("*.md")), *sorted(root.glob("docs/**/*.md")), *sorted(root.glob("Tests/**/README.md"))]
    for page in pages:
        for link in LINK.findall(prose(page)):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if not target.exists():
                yield f"{page.relative_to(root)}: {link}: there is no such file"
            elif anchor and anchor not in anchors(target):
                yield f"{page.relative_to(root)}: {link}: there is no such heading"


def main():
    found = list(problems(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(found), file=sys.stderr)
    sys.exit(1 if found else 0)


main()
