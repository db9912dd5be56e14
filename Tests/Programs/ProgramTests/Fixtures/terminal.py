"""Runs programs at a pseudo-terminal, as a person does.

Usage: terminal.py REPOSITORY PROGRAMS
Prints a JSON object with what a person would see.
"""

import json
import os
import pathlib
import pty
import re
import select
import signal
import sys
import tempfile
import time

REPOSITORY, PROGRAMS = map(pathlib.Path, sys.argv[1:3])


class Terminal:
    """A program at its own terminal, as the leader of its session."""

    def __init__(self, *command):
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm", COLUMNS="80")
            os.execv(command[0], [str(word) for word in command])
        self.text = b""

    def read(self, wanted, seconds=60):
        """Reads until the pattern has been written, but for this many seconds at most."""
        end = time.monotonic() + seconds
        while not re.search(wanted, self.text) and time.monotonic() < end:
            if select.select([self.master], [], [], 1)[0]:
                try:
                    self.text += os.read(self.master, 65536)
                except OSError:
                    break
        return bool(re.search(wanted, self.text))

    def status(self, seconds=60):
        """The exit status; None if the program keeps running."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.05)
        os.kill(self.pid, signal.SIGKILL)
        return None


def registry(folder):
    settings = pathlib.Path(folder) / "registry.yaml"
    settings.write_text(f"listen: 127.0.0.1:0\ndatabase: {folder}/registry.sqlite\n")
    terminal = Terminal(PROGRAMS / "findmybike-registry", "serve", "--config", settings)
    result = {"listens": terminal.read(rb"listening +\S*address=")}
    result["forProgramsOnly"] = bool(re.search(rb"\d{4}-\d\d-\d\dT\d\d:", terminal.text))
    os.kill(terminal.pid, signal.SIGHUP)
    result["reloads"] = terminal.read(rb"settings reloaded")
    os.close(terminal.master)
    result["ends"] = terminal.status()
    return result


def scan():
    scenario = REPOSITORY / "config/scenarios/bike-passes-cafe.yaml"
    terminal = Terminal(PROGRAMS / "findmybike", "scan", "--simulate", scenario, "--speed", "1")
    result = {"draws": terminal.read(rb"\x1b\[\d+A")}
    os.write(terminal.master, b"\x03")
    result["status"] = terminal.status() if terminal.read(rb"\^C[\s\S]*malformed") else None
    # After the key is pressed, drawing begins in the first column.
    result["header"] = bool(re.search(rb"\^C[^\r\n]*\r\x1b\[\d+A\x1b\[J", terminal.text))
    return result


with tempfile.TemporaryDirectory() as folder:
    print(json.dumps({"registry": registry(folder), "scan": scan()}))
