"""Runs the blocks of a page that are marked ‘sh’, as they are written, against a separate registry.

Usage: guide.py REPOSITORY PROGRAMS PAGE

All blocks of a page run in one shell, in an empty folder that is also the home, with the programs in PATH, and with

    URL       the registry’s address
    OPERATOR  an operator’s token
    CONFIG    the registry’s settings file, KEY the file with its signing key

A block marked ‘text’ or ‘json’ directly after a block of commands is their output: ‘…’ stands for anything in a line, a
line with only ‘…’ stands for any lines, and several spaces count as one. Exits with 0 only if every command succeeded
within five minutes a block, and every output matches.
"""

import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import tempfile

# Seconds that a block may take; a test of the page takes longer in all.
PATIENCE = 300
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What a page shows without running it here. ‘console’ is what scripts/installation.sh types.
SHOWN = {"", "console", "text", "json", "yaml", "ini", "nginx", "sql"}
INDENTED = re.compile(r"^[ \t]+```(?:sh|bash|shell)\b", re.MULTILINE)


def blocks(text):
    """Pairs of commands and the output that follows them, or None."""
    found = [(m.group(1), m.group(2), text.count("\n", 0, m.start()) + 1, m.start(), m.end()) for m in FENCE.finditer(text)]
    if INDENTED.search(text):
        raise SystemExit("commands in an indented block would not be run: move them out of the list")
    for index, (kind, body, line, _, end) in enumerate(found):
        if kind in SHOWN:
            continue
        if kind != "sh":
            raise SystemExit(f"line {line}: a block of ‘{kind}’ would not be run: mark commands with ‘sh’")
        following = found[index + 1] if index + 1 < len(found) else None
        answers = following and following[0] in ("text", "json") and not text[end:following[3]].strip()
        yield line, body, following[1] if answers else None


def pattern(expected):
    """The pattern that the whole output must match."""
    lines = []
    for line in expected.splitlines():
        if line.strip() == "…":
            lines.append(r"(?:[^\n]*\n)*?")
            continue
        words = [".*".join(map(re.escape, word.split("…"))) for word in line.split()]
        lines.append(r"[ \t]*" + r"[ \t]+".join(words) + r"[ \t]*\n")
    return "".join(lines)


def run(page, environment, folder):
    """Runs all blocks in one shell, so that each block sees the variables that earlier ones have set."""
    failures = 0
    shell = subprocess.Popen(
        ["bash", "-m"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=environment, cwd=folder, start_new_session=True)
    try:
        for number, (line, body, expected) in enumerate(blocks(page.read_text(encoding="utf-8"))):
            out, err, done = folder / f".out{number}", folder / f".err{number}", f"done-{number}"
            script = folder / f".block{number}"
            script.write_text("set -eo pipefail\n" + body, encoding="utf-8")
            # Sourced, so that variables and jobs are kept; a failing command ends the shell, and the trap reports it.
            shell.stdin.write(
                f"trap 'echo {done} $?' EXIT\n. {script} > {out} 2> {err} < /dev/null\nset +e\necho {done} 0\n")
            shell.stdin.flush()
            ready, _, _ = select.select([shell.stdout], [], [], PATIENCE)
            answer = shell.stdout.readline().split() if ready else []
            status = int(answer[1]) if answer[:1] == [done] else -1
            output = out.read_text(encoding="utf-8") if out.exists() else ""
            if status != 0:
                end = f"status {status}" if ready else f"no end after {PATIENCE} s"
                errors = err.read_text(encoding="utf-8") if err.exists() else ""
                print(f"{page}:{line}: {end}\n{body}{output}{errors}", file=sys.stderr)
                return failures + 1
            if expected is not None and not re.fullmatch(pattern(expected), output):
                failures += 1
                print(f"{page}:{line}: answers\n{output[:4000]}instead of\n{expected}", file=sys.stderr)
    finally:
        try:
            os.killpg(shell.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        for child in children(shell.pid):
            os.kill(child, signal.SIGKILL)
        shell.communicate()
    return failures


def children(session):
    """The processes of the shell’s session, because its background jobs have separate process groups."""
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session:
                yield int(entry.name)


def registry(programs, folder, environment):
    """Starts a registry; returns the process and the variables for the page."""
    key, settings = folder / "signing.key", folder / "registry.yaml"
    settings.write_text(
        f"listen: 127.0.0.1:0\ndatabase: {folder}/registry.sqlite\npublicURL: https://registry.example.org\n"
        "identities:\n  given: open\n"
        f"evidence:\n  keyFile: {key}\n", encoding="utf-8")

    def operate(*words):
        return subprocess.run(
            [programs / "findmybike-registry", *words, "--config", settings], env=environment, check=True, text=True,
            stdout=subprocess.PIPE).stdout.strip()

    operate("key", "create")
    token = operate("operator", "create")
    log = open(folder / "log", "w", encoding="utf-8")
    process = subprocess.Popen(
        [programs / "findmybike-registry", "serve", "--config", settings], env=environment, stderr=subprocess.PIPE,
        text=True)
    lines = []
    for line in process.stderr:
        lines.append(line)
        match = re.search(r"address=(\S+).*\] listening", line)
        if match:
            break
    else:
        raise SystemExit("the registry did not start:\n" + "".join(lines))
    # The log continues without a reader here.
    subprocess.Popen(["cat"], stdin=process.stderr, stdout=log)
    return process, {
        "URL": f"http://{match.group(1)}", "OPERATOR": token, "CONFIG": str(settings), "KEY": str(key)}


def main():
    repository, programs, page = map(pathlib.Path, sys.argv[1:4])
    with tempfile.TemporaryDirectory(prefix="findmybike-guide-") as name:
        folder, home = pathlib.Path(name), pathlib.Path(name) / "home"
        home.mkdir()
        (home / "config").symlink_to(repository / "config")
        environment = {
            "PATH": f"{programs}:/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC", "HOME": str(home)}
        process, given = registry(programs, folder, environment)
        try:
            if "operator" in page.name:
                given |= {"FINDMYBIKE_REGISTRY_URL": given["URL"], "FINDMYBIKE_TOKEN_FILE": str(home / "operator-token")}
                (home / "operator-token").touch(mode=0o600)
                (home / "operator-token").write_text(given["OPERATOR"], encoding="utf-8")
            failures = run(repository / page, environment | given, home)
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
