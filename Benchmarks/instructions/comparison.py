"""The committed counts of instructions, and how new ones differ from them."""

# In percent. A count that falls further than that is no improvement but a broken measurement, or a program that does less.
LIMIT = 3
FALL = 30
HEADER = "# Instructions of each, counted and written by Benchmarks/count.sh update: see docs/performance.md."


def parse(text):
    """The counts by name."""
    counts = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != 3 or not fields[1].isdecimal() or int(fields[1]) == 0 or fields[0] in counts:
            raise ValueError(f"line {number} is not a name, a count and what it is of, or repeats a name: {line}")
        counts[fields[0]] = int(fields[1])
    return counts


def render(counts, units, tools):
    """The file: the versions of the tools, and a line for each count, in the order of the units."""
    if broken := [name for name, count in counts.items() if count <= 0]:
        raise ValueError(f"not a count of instructions: {', '.join(broken)}")
    lines = [HEADER, f"# {tools}", *(f"{name}\t{counts[name]}\t{unit}" for name, unit in units.items())]
    return "\n".join(lines) + "\n"


def compare(committed, counted):
    """What has grown or fallen too much, or is not known, which is an error; and what has fallen so much that the file should be
    written again. Counts that were not taken are not compared."""
    errors, hints = [], []
    for name, count in counted.items():
        if name not in committed:
            errors.append(f"{name}: {count:,} instructions, but the file has no such count")
            continue
        before = committed[name]
        text = f"{name}: {before:,} → {count:,} instructions, {count / before - 1:+.1%}"
        if 100 * count > (100 + LIMIT) * before or 100 * count < (100 - FALL) * before:
            errors.append(text)
        elif 100 * count < (100 - LIMIT) * before:
            hints.append(text)
    return errors, hints
