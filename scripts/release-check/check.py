"""Runs the stages of the release check, remembers what passed, and writes the table. Called by scripts/release-check.sh."""
import fcntl
import json
import os
import pathlib
import subprocess
import sys
import time

from stages import HERE, STAGES

sys.path.insert(0, str(HERE / "scripts"))
import supervise

FOLDER = HERE / ".build/release-check"
LAST = pathlib.Path(__file__).with_name("last.json")
PAGE = HERE / "docs/release-check.md"
HEAD = """\
# The release check

`scripts/release-check.sh` runs the slow checks before a release, and those that rarely fail. This table is written by
`scripts/release-check.sh record`. It says when each stage last passed, and on which commit. The figure of the pass
before is in brackets, if it is recorded.

"""


def refuse(status, text):
    print("release-check.sh: %s" % text, file=sys.stderr)
    sys.exit(status)


def git(*arguments):
    return subprocess.run(("git", *arguments), cwd=HERE, check=True, capture_output=True, text=True).stdout.strip()


def read(path):
    """A JSON object; empty if there is no file."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write(path, value):
    """Writes a whole new file: a run that is stopped must not lose what passed before it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(new, path)


def state():
    """The commit, and what is not committed."""
    return git("rev-parse", "--short", "HEAD"), git("status", "--porcelain", "--untracked-files=normal")


def succeeds(stage, log):
    """Runs the commands of a stage. Nothing that they start outlives them."""
    end = time.monotonic() + stage.minutes * 60
    for command in stage.commands:
        print("$", *command, file=log, flush=True)
        left = max(end - time.monotonic(), 1) / 60
        if supervise.run(left, command, cwd=HERE, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT) != 0:
            return False
    return True


def run(stage, commit):
    """The result of a stage."""
    path = FOLDER / (stage.name + ".log")
    print("== %s: %s" % (stage.name, stage.shows), flush=True)
    began = time.time()
    with open(path, "w", encoding="utf-8") as log:
        passed = succeeds(stage, log)
    text = path.read_text(encoding="utf-8", errors="replace")
    figures = {figure.name: [figure.read(text), figure.unit] for figure in stage.figures}
    # A zero is no figure either: it says that nothing was checked or measured.
    lost = [name for name, (value, _) in figures.items() if not value]
    if passed and lost:
        print("   Figure not found in the output: %s" % ", ".join(lost))
        passed = False
    if passed and state() != (commit, ""):
        print("   The tree has changed meanwhile: nobody knows what was checked")
        passed = False
    minutes = (time.time() - began) / 60
    print("   %s after %.1f minutes; the output is in %s" % (
        "passed" if passed else "FAILED", minutes, path.relative_to(HERE)), flush=True)
    if not passed:
        print("".join("   | %s\n" % line for line in text.splitlines()[-30:]), flush=True)
    return {"passed": passed, "commit": commit, "when": time.strftime("%Y-%m-%d %H:%M", time.gmtime(began)),
            "minutes": round(minutes, 1), "figures": {name: value for name, value in figures.items() if value[0] is not None}}


def number(value):
    return "%s" % (round(value, 2) if value % 1 else format(int(value), ","))


def beside(results, last):
    """Each result, with the figures of the pass that was recorded before it. A row that is kept keeps them, too."""
    together = {}
    for name, result in results.items():
        earlier = last.get(name, {})
        is_kept = all(earlier.get(key) == result[key] for key in ("commit", "when"))
        before = earlier.get("before" if is_kept else "figures", {})
        together[name] = {**result, "before": before} if before else result
    return together


def table(results):
    """The table in Markdown, of what beside() returns."""
    rows = ["| stage | shows | passed (UTC) | commit | minutes | figures (before) |", "|---|---|---|---|---|---|"]
    for stage in STAGES:
        result = results.get(stage.name)
        if result is None or not result["passed"]:
            rows.append("| `%s` | %s | **%s** | | | |" % (
                stage.name, stage.shows, "not run" if result is None else "failed"))
            continue
        figures = []
        for name, (value, unit) in result["figures"].items():
            old = result.get("before", {}).get(name)
            figures.append(" ".join(filter(None, (
                "%s:" % name, number(value), unit, "(%s)" % number(old[0]) if old else ""))))
        rows.append("| `%s` | %s | %s | %s | %s | %s |" % (
            stage.name, stage.shows, result["when"], result["commit"], result["minutes"], "; ".join(figures)))
    return "\n".join(rows) + "\n"


def check(names, keeps):
    commit, changes = state()
    if changes:
        refuse(65, "uncommitted changes: commit them first; the table names the commit")
    if os.geteuid() != 0:
        refuse(77, "run this with sudo env \"PATH=$PATH\": it installs Debian into folders")
    path = FOLDER / "results.json"
    FOLDER.mkdir(parents=True, exist_ok=True)
    lock = open(FOLDER / "lock", "w", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        refuse(75, "another release check runs in this clone: wait until it has ended")
    results = read(path)

    def is_done(stage, keeps=keeps):
        result = results.get(stage.name, {})
        return result.get("passed", False) and (keeps or result["commit"] == commit)

    wanted = [stage for stage in STAGES if (stage.name in names if names else not is_done(stage))]
    needed = {need for stage in wanted for need in stage.needs}
    # What a stage needs must be of this commit, too.
    chosen = [stage for stage in STAGES if stage in wanted or stage.name in needed and not is_done(stage, keeps=False)]
    failed = []
    for stage in chosen:
        if broken := [need for need in stage.needs if need in failed]:
            print("== %s: not run, because %s failed" % (stage.name, broken[0]), flush=True)
            failed.append(stage.name)
            continue
        # What an interrupted run had passed before says nothing of this one.
        write(path, {name: result for name, result in results.items() if name != stage.name})
        results[stage.name] = run(stage, commit)
        write(path, results)
        if not results[stage.name]["passed"]:
            failed.append(stage.name)
    print("%d passed, %d failed%s" % (
        len(chosen) - len(failed), len(failed), ": %s" % ", ".join(failed) if failed else ""))
    return 1 if failed else 0


def record(results, keeps):
    last = read(LAST)
    if keeps:
        results = {**last, **{name: result for name, result in results.items() if result["passed"]}}
    else:
        missing = [stage.name for stage in STAGES if not results.get(stage.name, {}).get("passed")]
        if missing:
            refuse(65, "these stages have not passed: %s; ‘record --keep’ keeps their rows" % ", ".join(missing))
        if len({results[stage.name]["commit"] for stage in STAGES}) > 1:
            refuse(65, "the stages passed on two commits or more: ‘record --keep’ records that, and the table names each")
    results = beside(results, last)
    if results == last:
        refuse(65, "this run is already in %s" % PAGE.name)
    PAGE.write_text(HEAD + table(results), encoding="utf-8")
    write(LAST, results)
    print("Commit %s and %s." % (PAGE.relative_to(HERE), LAST.relative_to(HERE)))


def main(arguments):
    results = read(FOLDER / "results.json")
    keeps = arguments[:1] == ["--keep"]
    names = arguments[1:] if keeps else arguments
    match names:
        case [("-h" | "--help" | "help")]:
            print((HERE / "scripts/release-check.sh").read_text(encoding="utf-8").partition("\nset ")[0])
        case [("list" | "table" | "record"), *_] if keeps:
            refuse(64, "--keep is for a run without names; to record, type ‘record --keep’")
        case ["list"]:
            for stage in STAGES:
                result = results.get(stage.name)
                state = "not run" if result is None else "%s on %s at %s" % (
                    "passed" if result["passed"] else "failed", result["commit"], result["when"])
                print("%-18s %-40s %s" % (stage.name, state, stage.shows))
        case ["table"]:
            print(table(beside(results, read(LAST))), end="")
        case ["record"]:
            record(results, keeps=False)
        case ["record", "--keep"]:
            record(results, keeps=True)
        case _:
            unknown = [name for name in names if name not in {stage.name for stage in STAGES}]
            if unknown or keeps and names:
                refuse(64, "there is no stage ‘%s’: ‘scripts/release-check.sh list’ prints the stages" % unknown[0]
                       if unknown else "--keep is for a run without names")
            return check(names, keeps)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
