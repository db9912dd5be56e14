"""What checks under faults have in common: lines with the time, lanes of faults, a folder, and what a control must show."""
import pathlib
import shutil
import signal
import sys
import tempfile
import threading
import time

from machines import Failure


class Teller:
    """Prints lines with the time since the beginning."""

    def __init__(self):
        self.began, self.lock = time.monotonic(), threading.Lock()

    def __call__(self, text):
        with self.lock:
            print("%8.2f s  %s" % (time.monotonic() - self.began, text), flush=True)


class Lanes:
    """Carries out a script of faults, each when it is due: the faults of one lane one after the other, the lanes side by
    side. `problem` is what went wrong with the check itself."""

    def __init__(self, script, steps, lanes, failures):
        """`steps` has a function for each kind of fault, `lanes` the kinds of each lane, `failures` what steps may raise."""
        self.script, self.steps, self.kinds, self.failures = script, steps, lanes, failures
        self.done = dict.fromkeys(steps, 0)
        self.stopping, self.problem = threading.Event(), None

    def start(self):
        self.began = time.monotonic()
        self.lanes = [threading.Thread(target=self.lane, args=(kinds,), daemon=True) for kinds in self.kinds]
        for lane in self.lanes:
            lane.start()

    def join(self):
        """Waits for the end of all faults."""
        for lane in self.lanes:
            lane.join()
        if self.problem:
            raise self.problem

    def lane(self, kinds):
        try:
            for fault in self.script:
                if fault.kind not in kinds:
                    continue
                if self.stopping.wait(max(0, self.began + fault.at - time.monotonic())):
                    return
                self.steps[fault.kind](fault)
                self.done[fault.kind] += 1
        except (Failure, *self.failures) as problem:
            self.problem = problem if isinstance(problem, Failure) else Failure("%s: %r" % (fault.kind, problem))
            self.stopping.set()

    def numbers(self):
        return "; ".join("%s: %d" % item for item in sorted(self.done.items()) if item[1])


def conclusion(verdicts, control):
    """The exit status. `control` is the rule that was broken on purpose, which must have been noticed; None without one."""
    broken = [verdict for verdict in verdicts if not verdict.holds]
    if control is None:
        print("\nAll rules hold." if not broken else "\nBroken rules: %d." % len(broken))
        return int(bool(broken))
    expected = [verdict for verdict in broken if verdict.rule == control]
    if expected:
        print("\nThe control was noticed: %d of %d." % (len(expected[0].broken), expected[0].checked))
        return 0
    print("\nThe control was NOT noticed: the check does not see what it must.")
    return 1


def run(name, options, control, check, failures):
    """Runs a check in a folder of its own, and returns the exit status. `check` gets the options, the folder and a list for
    steps of cleaning up, and returns the verdicts; `failures` is what it may raise if it fails itself."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="findmybike-%s-" % name))
    cleaning = []
    try:
        # The machines' folder belongs to postgres; it must be able to reach it.
        folder.chmod(0o711)
        machines = folder / "machines"
        machines.mkdir(mode=0o700)
        if machines.owner() == "root":
            shutil.chown(machines, "postgres", "postgres")
        return conclusion(check(options, folder, cleaning), control)
    except (Failure, *failures) as problem:
        print("\nThe check itself failed: %r" % problem, file=sys.stderr)
        return 70
    finally:
        for step in reversed(cleaning):
            step()
        if options.keep:
            print("Logs and history are in %s." % folder)
        else:
            shutil.rmtree(folder, ignore_errors=True)
