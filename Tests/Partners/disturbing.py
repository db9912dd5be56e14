"""Carries out the script of faults: one lane for killed processes, one for links, one for everything special."""
import http.client
import threading

import plan
import shared
import running
from links import HANG, REFUSE
from web import Unexpected

# The city that is restored from backups: no search is opened there during a run.
RESTORED = "Zürich"


class Disturbing(running.Lanes):
    def __init__(self, script, world, foreign, history, tell):
        steps = {plan.KILL: self.kill, plan.LINK: self.break_link, plan.DAYS: self.days, plan.CLOCK: self.clock,
                 plan.RESTORE: self.restore, plan.SUSPEND: self.suspend, plan.REMOVE: self.remove,
                 plan.CERTIFICATE: self.certificate, plan.ELSEWHERE: self.elsewhere}
        super().__init__(script, steps, ((plan.KILL,), (plan.LINK,), plan.SPECIAL),
                         (Unexpected, OSError, http.client.HTTPException))
        self.world, self.foreign, self.history, self.tell = world, foreign, history, tell
        self.names = list(world.cities)
        self.links = list(world.links.values())
        self.busy = {name: threading.Lock() for name in self.names}

    def kill(self, fault):
        service = self.world.services[fault.target]
        city = next(city for city in self.world.cities.values() if service in city.services)
        with self.busy[city.name]:
            service.kill()

    def break_link(self, fault):
        link = self.links[fault.target]
        link.set(fault.mode)
        self.stopping.wait(fault.seconds)
        link.set()

    def of(self, name):
        """The links from and to a city."""
        return [link for pair, link in self.world.links.items() if name in pair]

    def days(self, fault):
        name = self.names[fault.target]
        for link in self.of(name):
            link.set(REFUSE if fault.other % 2 else HANG)
        self.stopping.wait(fault.seconds / 2)
        self.advance(self.names, fault.ahead)
        self.tell("%s is cut off; %.1f days pass" % (name, fault.ahead / 86_400))
        self.stopping.wait(fault.seconds / 2)
        for link in self.of(name):
            link.set()

    def advance(self, names, seconds):
        """Lets time pass at these cities at once, or sets their clocks."""
        for name in names:
            city = self.world.cities[name]
            # What is under way may have taken too long by the new time.
            for service in city.services:
                self.history.note("paused", run=service.run)
            city.clock.advance(seconds)
            self.history.note("clock", city=name, ahead=city.clock.ahead)
            for service in city.services:
                self.history.note("continued", run=service.run)

    def clock(self, fault):
        name = self.names[fault.target]
        self.advance([name], fault.ahead)
        self.tell("the clock of %s is wrong by %+d s" % (name, fault.ahead))
        self.stopping.wait(fault.seconds)
        self.advance([name], -fault.ahead)

    def restore(self, fault):
        city = self.world.cities[RESTORED]
        # A partnership with a code that was used since would be another matter.
        with self.busy[city.name]:
            since = self.history.now()
            backup = city.back_up()
        self.stopping.wait(fault.seconds)
        with self.busy[city.name]:
            city.restore(backup)
            self.history.note("backup restored", city=city.name, since=since)
        self.tell("%s is restored from a backup that is %.1f s old" % (city.name, self.history.now() - since))

    def suspend(self, fault):
        by, of = self.names[fault.target], self.names[fault.other]
        self.history.note("suspending", city=by, partner=of)
        self.world.cities[by].change(of, {"suspended": True})
        self.stopping.wait(fault.seconds)
        self.world.cities[by].change(of, {"suspended": False})
        self.history.note("resumed", city=by, partner=of)
        self.tell("%s suspended %s for %.1f s" % (by, of, fault.seconds))

    def remove(self, fault):
        by, of = self.names[fault.target], self.names[fault.other]
        self.history.note("removing", city=by, partner=of)
        self.world.cities[by].remove(of)
        self.stopping.wait(fault.seconds / 2)
        self.world.cities[of].remove(by)
        self.history.note("joining", city=by, partner=of)
        self.world.join(*self.world.pair_of(by, of))
        self.history.note("joined", city=by, partner=of)
        self.tell("%s removed %s; they are partners again" % (by, of))

    def certificate(self, fault):
        caller, called = self.names[fault.target], self.names[fault.other]
        link = self.world.links[caller, called]
        if link.context is None:
            return
        for authority in (self.world.authority, self.foreign):
            link.set(authority=authority)
            self.stopping.wait(fault.seconds / 3)
        link.set(authority=self.world.authority)
        self.tell("the certificate of %s for %s was replaced, also by one of a stranger" % (called, caller))

    def elsewhere(self, fault):
        name = self.names[fault.target]
        other = self.world.cities[self.names[fault.other]]
        for (_, called), link in self.world.links.items():
            if called == name:
                link.set(target=other.port)
        self.stopping.wait(fault.seconds)
        for (_, called), link in self.world.links.items():
            if called == name:
                link.set()
        self.tell("the address of %s led to %s" % (name, other.name))
