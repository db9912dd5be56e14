"""Breaks what the script of faults says, when it says so: one lane for the registries, one for the database."""
import time

import faults
import invariants
import libpq
import running

# Seconds after a loss before the next one.
CALM = 5


class Breaking(running.Lanes):
    """Runs the faults; `outages` is how long each loss of a primary lasted."""

    def __init__(self, script, services, pair, history, tell):
        steps = {faults.KILL_REGISTRY: self.kill, faults.PAUSE_REGISTRY: self.pause, faults.LOSE_PRIMARY: self.lose}
        super().__init__(script, steps, [(kind,) for kind in steps], (libpq.InDoubt, libpq.Refused, OSError))
        self.services, self.pair, self.history, self.tell = services, pair, history, tell
        self.outages = []

    def kill(self, fault):
        service = self.services[fault.target]
        ended = service.run
        service.kill()
        self.tell("killed %s, started %s" % (ended, service.run))

    def pause(self, fault):
        service = self.services[fault.target]
        self.tell("stopped %s for %.1f s" % (service.run, fault.seconds))
        service.pause(fault.seconds, self.stopping.wait)
        self.tell("continued %s" % service.run)

    def lose(self, fault):
        old, new = self.pair.primary, self.pair.standby
        self.pair.await_standby()
        self.history.note("losing", machine=old.name)
        if fault.left:
            self.leave(old, new, fault)
        else:
            self.replace(old, new, fault)
        # Between two losses something must have been answered, also on a slow machine.
        self.stopping.wait(CALM)

    def leave(self, old, new, fault):
        """Promotes the standby and lets the primary go on, as if whoever promotes cannot reach it.

        A registry that is gone holds the turn there and waits for the standby, so no other registry's commit fails there:
        each only waits for its turn in vain.
        """
        began = time.monotonic()
        old.stop_autovacuum()
        turn = old.take_turn()
        self.pair.promote()
        turn.keep()
        self.history.note("promoted", machine=new.name, left=True)
        self.tell("%s took over while the primary %s goes on" % (new.name, old.name))
        self.stopping.wait(invariants.LEAVING)
        written = old.written(fault.left)
        old.kill()
        self.history.note("old primary", machine=old.name, written=written)
        self.tell("the old primary %s went on for %.1f s: %d writes there after the first %g s" % (
            old.name, invariants.LEAVING + fault.left, written, invariants.LEAVING))
        self.rejoin(old, new, fault, began)

    def replace(self, old, new, fault):
        old.silence()
        time.sleep(fault.silence)
        killed = time.monotonic()
        if fault.hang:
            old.hang()
        else:
            old.kill()
        self.pair.promote()
        promoted = time.monotonic()
        self.history.note("promoted", machine=new.name)
        self.tell("%s the primary %s after %.1f s of silence; %s took over in %.2f s" % (
            "stopped" if fault.hang else "killed", old.name, fault.silence, new.name, promoted - killed))
        if fault.hang:
            self.stopping.wait(fault.hang)
            old.kill()
        written = self.pair.return_old(fault.seconds)
        self.history.note("old primary", machine=old.name, written=written)
        self.tell("the old primary %s was back for %.1f s: %d writes there" % (old.name, fault.seconds, written))
        self.rejoin(old, new, fault, killed)

    def rejoin(self, old, new, fault, lost):
        """Makes the old primary the standby; `lost` is when it was lost."""
        began = time.monotonic()
        self.pair.rejoin(fault.rejoin)
        self.history.note("restored", machine=old.name)
        self.outages.append(time.monotonic() - lost)
        self.tell("%s follows %s again, by %s, after %.1f s" % (
            old.name, new.name, fault.rejoin, time.monotonic() - began))
