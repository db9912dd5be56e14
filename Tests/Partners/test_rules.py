import unittest

from rules import announced_once, arrived, told, witnessed


def heard(visit, at, **fields):
    return {"event": "heard", "visit": visit, "report": "r", "home": "Berlin", "guest": "Zürich", "station": "Zürich 0",
            "told": False, "ahead": 0.0, "at": at, "read_at": at - 0.1, "since": 0.0} | fields


def sighting(visit, name="Zürich 0 (via Zürich)", **fields):
    return {"id": visit, "report": "r", "late": False, "station": {"name": name}} | fields


def event(event_name, at, **fields):
    return {"event": event_name, "at": at} | fields


class ArrivalTests(unittest.TestCase):
    def lost(self, *events):
        return not arrived(sorted(events, key=lambda event: event["at"]), {}).holds

    def test_an_answered_visit_must_be_at_home(self):
        self.assertTrue(self.lost(heard("v", 10.0)))
        self.assertTrue(arrived([heard("v", 10.0)], {"v": sighting("v")}).holds)

    def test_an_update_of_a_visit_counts_like_the_first_report(self):
        just_listed = heard("v", 10.0, since=9.0)
        self.assertFalse(self.lost(just_listed))
        self.assertTrue(self.lost(just_listed, heard("v", 20.0, since=9.0)))

    def test_what_the_guest_has_suspended_need_not_arrive(self):
        span = (event("suspending", 8.0, city="Zürich", partner="Berlin"),
                event("resumed", 12.0, city="Zürich", partner="Berlin"))
        self.assertFalse(self.lost(heard("v", 10.0), *span))
        self.assertTrue(self.lost(heard("v", 7.0), *span))
        self.assertTrue(self.lost(heard("v", 13.0), *span))

    def test_what_the_home_registry_has_suspended_waits(self):
        span = (event("suspending", 8.0, city="Berlin", partner="Zürich"),
                event("resumed", 12.0, city="Berlin", partner="Zürich"))
        self.assertTrue(self.lost(heard("v", 10.0), *span))

    def test_what_waits_is_deleted_with_the_partnership(self):
        span = (event("removing", 11.0, city="Berlin", partner="Zürich"),
                event("joined", 12.0, city="Berlin", partner="Zürich"))
        self.assertFalse(self.lost(heard("v", 10.0), *span))
        self.assertTrue(self.lost(heard("v", 10.0, told=True), *span))
        self.assertTrue(self.lost(heard("v", 13.0), *span))

    def test_a_restored_backup_loses_what_came_after_it(self):
        home = event("backup restored", 12.0, city="Berlin", since=8.0)
        guest = event("backup restored", 12.0, city="Zürich", since=8.0)
        self.assertFalse(self.lost(heard("v", 10.0, told=True), home))
        self.assertFalse(self.lost(heard("v", 10.0), guest))
        self.assertTrue(self.lost(heard("v", 10.0, told=True), guest))
        # It may have waited, and arrived too late for the backup.
        self.assertFalse(self.lost(heard("v", 7.0), home))
        self.assertTrue(self.lost(heard("v", 7.0, told=True), home))
        self.assertTrue(self.lost(heard("v", 13.0), home))

    def test_after_a_restore_an_answer_may_be_the_one_that_the_guest_remembers(self):
        later = event("backup restored", 25.0, city="Berlin", since=21.0)
        again = (heard("v", 7.0, told=True), heard("v", 20.0, told=True))
        self.assertTrue(self.lost(*again, later))
        self.assertFalse(self.lost(*again, event("backup restored", 12.0, city="Berlin", since=6.0), later))

    def test_after_a_restore_the_guest_may_say_what_it_was_answered_before(self):
        home = event("backup restored", 12.0, city="Berlin", since=8.0)
        self.assertFalse(self.lost(heard("v", 9.0), heard("v", 14.0, told=True), home))
        # It still waits at the guest.
        self.assertTrue(self.lost(heard("v", 9.0), heard("v", 14.0), home))
        # It was in the backup.
        self.assertTrue(self.lost(heard("v", 7.0, told=True), heard("v", 14.0, told=True), home))
        # A station of the home registry was answered by it after the restore.
        self.assertTrue(self.lost(heard("v", 9.0, guest="Berlin"), heard("v", 14.0, guest="Berlin", told=True), home))

    def test_a_closed_search_counts_while_both_clocks_agree(self):
        closing = event("closing", 11.0, report="r")
        self.assertTrue(self.lost(heard("v", 10.0), closing))
        self.assertFalse(self.lost(heard("v", 11.5), closing))
        self.assertFalse(self.lost(heard("v", 10.0, ahead=7200.0), closing))


class SightingTests(unittest.TestCase):
    def test_each_sighting_was_reported_by_its_station(self):
        reported = [event("reported", 1.0, visit="v", report="r", station="Zürich 0")]
        self.assertTrue(witnessed(reported, {"v": sighting("v")}).holds)
        self.assertFalse(witnessed(reported, {"v": sighting("v", "Zürich 1 (via Zürich)")}).holds)
        self.assertFalse(witnessed(reported, {"w": sighting("w")}).holds)

    def test_the_first_sighting_at_a_station_is_announced(self):
        delivered = event("delivered", 2.0, report="r", name="Zürich 0 (via Zürich)", type="sighting.created",
                          sighting="v", alert="a")
        stored = {"v": sighting("v")}
        self.assertFalse(told([heard("v", 10.0)], stored).holds)
        self.assertTrue(told([heard("v", 10.0), delivered], stored).holds)
        other = dict(delivered, name="Zürich 1 (via Zürich)")
        self.assertFalse(told([heard("v", 10.0), other], stored).holds)
        self.assertTrue(told([heard("v", 10.0), other], {"v": sighting("v", late=True)}).holds)

    def test_a_visit_is_announced_once(self):
        opened = event("opened", 0.0, report="r", home="Berlin")
        alerts = [event("delivered", at, report="r", sighting="v", alert=alert, type="sighting.created", name="n",
                        station=station) for at, alert, station in ((10.0, "a", "s"), (15.0, "b", "t"))]
        self.assertTrue(announced_once([opened, alerts[0], dict(alerts[0], at=11.0)]).holds)
        self.assertFalse(announced_once([opened, *alerts]).holds)
        self.assertTrue(announced_once(
            [opened, *alerts, event("backup restored", 12.0, city="Berlin", since=9.0)]).holds)
        again = event("joining", 12.0, city="Zürich", partner="Berlin")
        self.assertTrue(announced_once([opened, heard("v", 9.0), *alerts, again]).holds)
        # The first alert is delivered again after the end of its partnership: it still belongs to that.
        repeated = dict(alerts[0], at=14.0)
        self.assertTrue(announced_once([opened, heard("v", 9.0), alerts[0], again, repeated, alerts[1]]).holds)


if __name__ == "__main__":
    unittest.main()
