"""People at a terminal."""

import os
import pty
import re
import select
import time

# Long enough for any machine: only a command that hangs takes this long.
PATIENCE = 900
APT = (r"\[Y/n\] $", lambda: "y")


class Person:
    """A person with a login and with sudo. `screen` holds everything that has been on the screen."""

    def __init__(self, name, questions=()):
        """Questions are pairs of a pattern and a function that returns the answer."""
        self.name = name
        self.questions = [APT, *questions]
        self.screen = ""

    def types(self, command, status=0):
        """Types a command in a new login and returns what the screen shows; fails if it ends with another status."""
        child, terminal = pty.fork()
        if child == 0:
            os.environ["TERM"] = "dumb"
            os.execvp("runuser", ["runuser", "--login", self.name, "--command", "stty columns 200\n" + command])
        shown = self.converse(terminal)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        self.screen += shown
        if ended != status:
            raise AssertionError(f"{self.name} typed: {command}\nstatus {ended}\n{shown}")
        return shown

    def converse(self, terminal):
        """Reads until the terminal is closed, and answers questions."""
        shown, answered, deadline = b"", 0, time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if not select.select([terminal], [], [], 1)[0]:
                continue
            try:
                data = os.read(terminal, 65536)
            except OSError:  # EIO: nobody has the other side open any longer
                data = b""
            if not data:
                break
            shown += data
            asked = shown[answered:].decode(errors="replace")
            for question, answer in self.questions:
                if re.search(question, asked):
                    answered = len(shown)
                    os.write(terminal, answer().encode() + b"\n")
        else:
            shown += b"\n(nothing more came; the terminal is closed)\n"
        os.close(terminal)  # sends SIGHUP to processes that still run
        return shown.decode(errors="replace").replace("\r\n", "\n")
