"""Brings the catalogues of texts into their common form, and says what is wrong with them.

Usage: catalogues.py [--check]
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Sources/Wire/Languages"))
import catalogue  # noqa: E402


def faults(folder, is_check):
    """Sentences about what is wrong; writes the files anew, if this is not only a check."""
    try:
        yield from faults_of_all(folder, is_check)
    except catalogue.Fault as fault:
        yield str(fault)


def faults_of_all(folder, is_check):
    english, others = catalogue.read_all(folder)
    for each in (english, *others):
        whole = each if each is english else catalogue.merged(english, each)
        text = catalogue.written(whole)
        if text != each.path.read_text(encoding="utf-8"):
            if is_check:
                yield f"{each.path.name} is not in the common form: run scripts/words.sh"
            else:
                each.path.write_text(text, encoding="utf-8")
        yield from catalogue.faults_of(each if is_check else whole, english)


def main():
    found = list(faults(catalogue.FOLDER, sys.argv[1:] == ["--check"]))
    for fault in found[:100]:
        print(f"words.sh: {fault}", file=sys.stderr)
    if len(found) > 100:
        print(f"words.sh: and {len(found) - 100} more", file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
