"""Writes the texts of the catalogues that the pages use as JavaScript.
Usage: javascript.py OUTPUT

For each part of the texts, that is the beginning of a key such as “about”, and for each language there is a module
text/LANGUAGE/PART.js, whose default export has the texts under the rest of their keys. A text with placeholders is a function.
text/PART.js loads a part in a language, and text/languages.js has the names of the languages. bundle.py bundles these with the
pages; scripts/pages.sh checks the pages' types against them.
"""

import json
import pathlib
import sys

import catalogue
import swift

# Parts that others contain.
SHARED = {"bike": ["first", "display"]}
# Parts that a page loads before it shows them. The others are loaded by text.js and its like for the desk and displays.
LAZY = ["about", "setup", "poster", "messages", "recovered", "parking", "upkeep", "partners"]


def parts(english):
    """The names of the parts."""
    names = dict.fromkeys(key.split(".")[0] for key in english.entries)
    return [name for name in names if name not in swift.GROUPS and name not in SHARED]


def entries_of(english, part):
    """The entries of a part by their keys within it."""
    inside = [part, *(name for name, users in SHARED.items() if part in users)]
    for entry in english.entries.values():
        first, _, rest = entry.key.partition(".")
        if first in inside:
            yield rest, entry


def literal(text):
    return json.dumps(text, ensure_ascii=False)


def expression(text, values):
    """A text with its placeholders' values, as an expression."""
    pieces, end = [], 0
    for match in catalogue.PLACEHOLDER.finditer(text):
        pieces += [literal(text[end:match.start()]), values.get(match[1], match[1])]
        end = match.end()
    pieces.append(literal(text[end:]))
    # A text is first, so that numbers are not added.
    return " + ".join(pieces[:1] + [piece for piece in pieces[1:] if piece != '""'])


def value(entry, texts):
    """A text as an expression: a function if it has placeholders."""
    names = entry.arguments
    if not names:
        return literal(texts[0])
    if not entry.is_plural:
        types = "".join(f" @param {{string | number}} {name}" for name in names)
        return f"/**{types} */ ({', '.join(names)}) => {expression(texts[0], {})}"
    types = "".join(f" @param {{{'number' if name == 'count' else 'string | number'}}} {name}" for name in names)
    forms = ", ".join(expression(text, {"count": "shown"}) for text in texts)
    # What is shown can say more than the number, such as “1,000+”.
    return f"/**{types} @param {{string}} [shown] */ ({', '.join(names)}, shown = number(count)) => [{forms}][form(count)]"


def tree(pairs):
    """Texts by the parts of their keys."""
    root = {}
    for key, text in pairs:
        *folders, name = key.split(".")
        place = root
        for folder in folders:
            place = place.setdefault(folder, {})
        place[name] = text
    return root


def shown(node, indent):
    if isinstance(node, str):
        return node
    space = "  " * (indent + 1)
    if all(name.isdigit() for name in node):
        return "[\n" + "".join(f"{space}{shown(each, indent + 1)},\n" for each in node.values()) + "  " * indent + "]"
    lines = (f"{space}{literal(name)}: {shown(each, indent + 1)},\n" for name, each in node.items())
    return "{\n" + "".join(lines) + "  " * indent + "}"


def module(language, english, part):
    """The module of a part in a language."""
    entries = list(entries_of(english, part))
    lines = []
    if any(entry.is_plural for _, entry in entries):
        lines = [f"const form = (/** @type {{number}} */ n) => Number({language.plural[1]});",
                 "const number = (/** @type {number} */ n) => "
                 f'n < 1000 ? String(n) : new Intl.NumberFormat("{language.language}").format(n);']
    texts = tree((key, value(entry, language.texts(entry.key))) for key, entry in entries)
    return "\n".join([*lines, f"export default {shown(texts, 0)};", ""])


def modules(english, others):
    """The contents of all files by their names."""
    languages = sorted([english, *others], key=lambda each: each.name)
    names = {each.language: each.name for each in languages}
    files = {"text/languages.js": "/** The languages by their own names. */\n"
                                  f"export const languages = /** @type {{Record<string, string>}} */ ({json.dumps(names, ensure_ascii=False)});\n"}
    for part in parts(english):
        loaders = "".join(f'  {each.language}: async () => (await import("./{each.language}/{part}.js")).default,\n'
                          for each in languages)
        is_lazy = part in LAZY
        files[f"text/{part}.js"] = (('import {lazy} from "../lazy.js";\n' if is_lazy else "") +
                                    f'/** @typedef {{typeof import("./en/{part}.js").default}} Texts */\n'
                                    "/** @type {Record<string, () => Promise<Texts>>} */\n"
                                    f"{'' if is_lazy else 'export '}const loaders = {{\n{loaders}}};\n" +
                                    ("export const {load, texts} = lazy(loaders);\n" if is_lazy else ""))
        for each in languages:
            files[f"text/{each.language}/{part}.js"] = module(each, english, part)
    return files


def main():
    for name, text in modules(*catalogue.read_all()).items():
        path = pathlib.Path(sys.argv[1]) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
