"""Processes that are killed, stopped and started again: registries, and what stands in for them."""
import os
import signal
import subprocess
import threading
import time


# Seconds after which systemd starts a registry again that ended by itself (RestartSec).
RESTART = 2


class Service:
    """One process at a time. `command` gets the number of the start and returns the command line.

    A process that ends by itself is started again.
    """

    def __init__(self, name, command, log, history, environment=None):
        self.name, self.command, self.log, self.history = name, command, log, history
        self.environment = environment
        self.generation, self.process, self.doomed = 0, None, None
        self.lock, self.closed = threading.Lock(), False

    @property
    def run(self):
        """The name of the present process among all processes of this service."""
        return "%s.%d" % (self.name, self.generation)

    def start(self):
        with self.lock:
            self.begin()

    def begin(self, after=None):
        """Starts the next process, if the present one is `after`. Called with the lock."""
        if not self.closed and (after is None or self.process is after):
            self.generation += 1
            with open(self.log, "ab") as log:
                self.process = subprocess.Popen(
                    self.command(self.generation), stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                    env=self.environment)
            self.history.note("started", run=self.run, pid=self.process.pid)
            threading.Thread(target=self.watch, args=(self.process, self.run), daemon=True).start()

    def watch(self, process, run):
        """Starts the next process if this one ends by itself."""
        status = process.wait()
        with self.lock:
            if self.closed or process is self.doomed:
                return
        self.history.note("ended by itself", run=run, status=status)
        time.sleep(RESTART)
        with self.lock:
            self.begin(process)

    def kill(self):
        """Kills the process and starts the next one at once."""
        with self.lock:
            ended, process = self.run, self.process
            self.doomed = process
        process.kill()
        process.wait()
        self.history.note("died", run=ended)
        with self.lock:
            self.begin(process)

    def pause(self, seconds, wait=time.sleep):
        self.process.send_signal(signal.SIGSTOP)
        self.history.note("paused", run=self.run)
        wait(seconds)
        self.process.send_signal(signal.SIGCONT)
        self.history.note("continued", run=self.run)

    def stop(self, seconds=20):
        """Ends the process for good; returns its exit status, or None if it had to be killed."""
        with self.lock:
            self.closed = True
            if self.process is None:
                return 0
            if self.process.poll() is None:
                self.process.send_signal(signal.SIGCONT)
                self.process.terminate()
            try:
                return self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                return None

    def size(self):
        """The numbers of open files and threads, and the resident memory in megabytes; None without a process."""
        folder = "/proc/%d" % self.process.pid
        try:
            with open(folder + "/status", encoding="ascii") as file:
                lines = dict(line.split(":", 1) for line in file)
            return {"files": len(os.listdir(folder + "/fd")), "threads": int(lines["Threads"]),
                    "megabytes": int(lines["VmRSS"].split()[0]) // 1024}
        except (OSError, KeyError):
            return None

    def tail(self):
        return "".join(self.log.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)[-12:])
