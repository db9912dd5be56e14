"""Programs under callgrind, which counts the instructions of all their threads, however busy the machine is."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

# How many seconds of timers are counted.
IDLE = 6


class Unsteady(Exception):
    """Something was lost or late: the machine was too busy."""


class Counted:
    """A program on one processor: the number of its threads depends on the number of processors. Beside the program is
    sigsuspend.so."""

    def __init__(self, command, environment=None, stdin=subprocess.DEVNULL):
        self.folder = tempfile.TemporaryDirectory(prefix="findmybike-callgrind.")
        self.dump = pathlib.Path(self.folder.name) / "dump"
        self.log = open(f"{self.folder.name}/log", "w+", encoding="utf-8", errors="replace")
        self.name = command[0].name
        self.pauses = 0
        processor = str(min(os.sched_getaffinity(0)))
        self.process = subprocess.Popen(
            ["taskset", "-c", processor, "valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={self.dump}",
             # While it skips the stubs of dynamic linking, counts of programs with several threads vary by some percent.
             "--skip-plt=no", *map(str, command)],
            stdin=stdin, stdout=self.log, stderr=self.log,
            env=os.environ | {"LD_PRELOAD": str(command[0].with_name("sigsuspend.so"))} | (environment or {}))

    def instructions(self, work, profile=None):
        """The instructions from the beginning of some work until the program rests; also written to a profile.

        Without those of its timers: they are counted before, while nothing happens, because a busy machine takes longer
        for the work, and more timers fire meanwhile.
        """
        self.await_rest()
        idle, seconds, _ = self.dumped(lambda: time.sleep(IDLE))
        count, busy, dump = self.dumped(lambda: (work(), self.await_rest()))
        if profile:
            shutil.copy(dump, profile)
        return count - idle / seconds * busy

    def dumped(self, work):
        """The instructions during some work, how many seconds of it the program was not paused, and the dump."""
        self.control("--zero")
        start, self.pauses = time.monotonic(), 0
        work()
        seconds = time.monotonic() - start - self.pauses
        self.control("--dump")
        # callgrind numbers the dumps.
        dump = max(self.dump.parent.glob("dump.*"), key=lambda path: int(path.suffix[1:]))
        return total(dump), seconds, dump

    def await_rest(self):
        """Waits until all threads have been asleep for a while. To ask the program whether it has finished would cost
        instructions."""
        calm = 0
        while calm < 10:
            self.require_running()
            before = self.cpu()
            time.sleep(0.04)
            calm = calm + 1 if self.is_asleep() and self.cpu() - before < 0.03 else 0

    def is_asleep(self):
        """Whether no thread runs, wants to, or waits for the disk: proc(5)."""
        states = set()
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                states.add((task / "stat").read_text().rsplit(")", 1)[1].split()[0])
        return states <= {"S"}

    @contextlib.contextmanager
    def paused(self):
        """The program does not run meanwhile: what it is sent waits for it, the same number of pieces each time."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)
            self.pauses += time.monotonic() - start

    def control(self, command):
        result = subprocess.run(
            ["callgrind_control", command, str(self.process.pid)], capture_output=True, text=True, timeout=300, check=False)
        if result.returncode != 0 or "OK." not in result.stdout:
            raise SystemExit(f"callgrind_control {command}: {result.stdout}{result.stderr}{self.output()}")

    def cpu(self):
        """Seconds of processor time so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def require_running(self):
        if self.process.poll() is not None:
            raise SystemExit(f"{self.name} ended with {self.process.returncode}: {self.output()}")

    def output(self):
        self.log.seek(0)
        return self.log.read()[-2000:]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.end()

    def end(self):
        """Waits until the program ends; returns all of its instructions."""
        status = self.process.wait(600)
        if status != 0:
            raise SystemExit(f"{self.name} ended with {status}: {self.output()}")
        return total(self.dump)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.log.close()
        self.folder.cleanup()


def total(dump):
    return int(re.search(r"^totals: (\d+)", dump.read_text(), re.MULTILINE)[1])
