"""Reads and writes the catalogues of texts: messages.pot has all texts in English, and LANGUAGE.po their translations.

The format is gettext's (PO), so that translators' programs open it: `msgctxt` is the text's key, `msgid` the English text, and
`msgstr` the translation. A placeholder is a name in braces, such as {name}. A text with a plural is about {count} things.
"""

import dataclasses
import gettext
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().with_name("Catalogues")
TEMPLATE = "messages.pot"
ENGLISH = {"Language": "en", "X-Language-Name": "English", "Plural-Forms": "nplurals=2; plural=(n != 1);"}
PLACEHOLDER = re.compile(r"\{(\w+)\}")
# How a bike is named in the sentences of alerts: each language uses the forms that it needs.
BIKE, ALERTS = {"Bike", "ofBike", "toBike"}, ("alert", "notice")
LINE = re.compile(r'(?:(msgctxt|msgid_plural|msgid|msgstr(?:\[(\d)\])?) )?"((?:[^"\\]|\\.)*)"$')
ESCAPES = {"n": "\n", "t": "\t"}


class Fault(Exception):
    """Something that is wrong with a catalogue, for a person."""


@dataclasses.dataclass
class Entry:
    """A text, or the header of a file under an empty key."""
    key: str
    english: list  # one text, or the singular and the plural
    texts: list = dataclasses.field(default_factory=list)
    comments: list = dataclasses.field(default_factory=list)  # lines with their mark, such as “#. for a button”
    is_fuzzy: bool = False

    @property
    def is_plural(self):
        return len(self.english) == 2

    @property
    def arguments(self):
        """The names of the placeholders, in the order in which a function takes them."""
        names = dict.fromkeys(self.names_in(self.english[-1]))
        for comment in self.comments:
            if comment.startswith("#. arguments: "):
                return comment.removeprefix("#. arguments: ").split(", ")
        return list(names)

    def names_in(self, text):
        """The placeholders of a text, where all forms of a bike's name are one."""
        has_forms = self.key.split(".")[0] in ALERTS
        return ["bike" if has_forms and name in BIKE else name for name in PLACEHOLDER.findall(text)]


class Catalogue:
    """The texts of one language."""
    def __init__(self, path, entries):
        self.path = path
        self.header = entries[0] if entries and not entries[0].key else Entry("", [""], [""])
        self.entries = {entry.key: entry for entry in entries if entry.key}
        if len(self.entries) != sum(1 for entry in entries if entry.key):
            keys = [entry.key for entry in entries]
            raise Fault(f"{path.name}: {next(key for key in keys if keys.count(key) > 1)} is there twice")

    @property
    def fields(self):
        if self.path.name == TEMPLATE:
            return ENGLISH
        lines = [line.partition(": ") for line in self.header.texts[0].splitlines()]
        return {name: value for name, _, value in lines}

    @property
    def language(self):
        return self.fields.get("Language", "")

    @property
    def name(self):
        """The language's name in this language."""
        return self.fields.get("X-Language-Name", "")

    @property
    def plural(self):
        """The number of plural forms, and the rule that chooses one, as an expression of C with the number n."""
        match = re.fullmatch(r"nplurals=(\d); plural=([n0-9%=!<>&|?:() ]+);", self.fields.get("Plural-Forms", ""))
        if not match:
            raise Fault(f"{self.path.name}: the header needs Plural-Forms, as in: {ENGLISH['Plural-Forms']}")
        return int(match[1]), match[2]

    def texts(self, key):
        """The text of a key, or its plural forms."""
        entry = self.entries[key]
        return entry.english if self.path.name == TEMPLATE else entry.texts

    def numbers(self):
        """For each plural form, up to three numbers that take it."""
        count, rule = self.plural
        choose, found = gettext.c2py(rule), [[] for _ in range(count)]
        for number in range(1000):
            form = choose(number)
            if form >= count:
                raise Fault(f"{self.path.name}: Plural-Forms chooses form {form} for {number}, but there are {count}")
            if len(found[form]) < 3:
                found[form].append(number)
        return found


def read(path):
    """The catalogue in a file."""
    entries, entry, field = [], None, None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#~"):
            entry = field = None
            continue
        if entry is None:
            entry = Entry("", [], [])
            entries.append(entry)
        if line.startswith("#"):
            if line.startswith("#,"):
                entry.is_fuzzy |= "fuzzy" in line
            elif not line.startswith("#|"):
                entry.comments.append(line.rstrip())
            continue
        match = LINE.match(line)
        if not match or not (match[1] or field):
            raise Fault(f"{path.name}:{number}: this is not a line of a PO file")
        text = re.sub(r"\\(.)", lambda found: ESCAPES.get(found[1], found[1]), match[3])
        if match[1]:
            field = match[1].partition("[")[0]
            if field in ("msgid", "msgid_plural"):
                entry.english.append("")
            elif field == "msgstr":
                entry.texts.append("")
        if field == "msgctxt":
            entry.key += text
        elif field == "msgstr":
            entry.texts[-1] += text
        else:
            entry.english[-1] += text
    return Catalogue(path, [entry for entry in entries if entry.english])


def read_all(folder=FOLDER):
    """The English catalogue, and those of the other languages by their file's name."""
    return read(folder / TEMPLATE), [read(path) for path in sorted(folder.glob("*.po"))]


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


def written(catalogue):
    """The contents of the catalogue's file, in the order and the form in which all are."""
    is_template = catalogue.path.name == TEMPLATE
    lines = [*catalogue.header.comments, 'msgid ""', 'msgstr ""']
    lines += [quoted(line + "\n") for line in catalogue.header.texts[0].splitlines()]
    for entry in catalogue.entries.values():
        flags = (["fuzzy"] if entry.is_fuzzy else []) + (["python-brace-format"] if entry.arguments else [])
        lines += ["", *entry.comments, *(["#, " + ", ".join(flags)] if flags else [])]
        lines += [f"msgctxt {quoted(entry.key)}", f"msgid {quoted(entry.english[0])}"]
        if entry.is_plural:
            lines.append(f"msgid_plural {quoted(entry.english[1])}")
            forms = ["", ""] if is_template else entry.texts
            lines += [f"msgstr[{index}] {quoted(text)}" for index, text in enumerate(forms)]
        else:
            lines.append(f"msgstr {quoted('' if is_template else entry.texts[0])}")
    return "\n".join(lines) + "\n"


def merged(english, other):
    """The other catalogue with exactly the texts of the English one. A text whose English has changed becomes fuzzy."""
    count = other.plural[0]
    entries = [other.header]
    for key, source in english.entries.items():
        old = other.entries.get(key)
        forms = count if source.is_plural else 1
        texts = (old.texts if old else [])[:forms]
        own = [line for line in old.comments if not line.startswith("#.")] if old else []
        entries.append(Entry(
            key, source.english, texts + [""] * (forms - len(texts)),
            own + [line for line in source.comments if line.startswith("#.")],
            old is not None and any(old.texts) and (old.is_fuzzy or old.english != source.english)))
    return Catalogue(other.path, entries)


def faults_of(catalogue, english):
    """Sentences about what is wrong with a catalogue."""
    file = catalogue.path.name
    if file != TEMPLATE and catalogue.language != catalogue.path.stem:
        yield f"{file}: the header says “Language: {catalogue.language}”, which is not the file's name"
    if not catalogue.name:
        yield f"{file}: the header needs X-Language-Name, the language's own name for itself"
    numbers = catalogue.numbers()
    for key in english.entries.keys() - catalogue.entries.keys():
        yield f"{file}: {key} is missing: run scripts/words.sh, then translate it"
    for key, entry in catalogue.entries.items():
        source = english.entries.get(key)
        if source is None:
            yield f"{file}: {key} is not in {TEMPLATE}: run scripts/words.sh"
            continue
        texts = catalogue.texts(key)
        if entry.english != source.english or entry.is_fuzzy:
            yield f"{file}: the English text of {key} has changed: translate it again, and remove “fuzzy”"
        if len(texts) != (len(numbers) if source.is_plural else 1):
            yield f"{file}: {key} has {len(texts)} plural forms, but {len(numbers)} are needed"
            continue
        if sorted(source.arguments) != sorted(set(source.names_in(source.english[-1]))) and catalogue is english:
            yield f"{file}: the arguments of {key} are not its placeholders"
        for form, text in enumerate(texts):
            yield from faults_in(f"{file}: {key}", text, source, numbers[form] if source.is_plural else None)


def faults_in(place, text, source, numbers):
    """Sentences about what is wrong with one text; numbers are some that take this plural form, or none if it has no plural."""
    if not text.strip():
        form = f", the form for {', '.join(map(str, numbers))}" if numbers else ""
        yield f"{place} is not translated{form}"
        return
    if any(ord(character) < 32 for character in text):
        yield f"{place} has a line break or another control character"
    if re.search(r"[{}]", PLACEHOLDER.sub("", text)):
        yield f"{place} has a brace that belongs to no placeholder"
    wanted, found = set(source.names_in(source.english[-1])), set(source.names_in(text))
    if numbers is not None and "count" not in wanted:
        yield f"{place} has a plural but no {{count}}"
    # A form for a single number can say it in words.
    optional = {"count"} if numbers is not None and len(numbers) == 1 else set()
    for name in sorted(wanted - found - optional):
        yield f"{place} lacks {{{name}}}"
    for name in sorted(found - wanted):
        yield f"{place} has {{{name}}}, which its English text does not have"
    for trimmed, end in ((str.lstrip, "beginning"), (str.rstrip, "end")):
        if (trimmed(text) == text) != (trimmed(source.english[0]) == source.english[0]):
            yield f"{place} must have a space at its {end}, or none, as its English text does"
