import hashlib
import unittest

import invariants


def events(*items):
    """Events from (name, time, fields)."""
    return [{"event": name, "at": at, **fields} for name, at, fields in items]


class WriteTests(unittest.TestCase):
    def test_an_answered_write_that_is_not_stored_is_lost(self):
        history = events(("answered", 1, {"kind": "bike", "ids": ["a", "b"]}), ("unanswered", 2, {"ids": ["c"]}))
        self.assertTrue(invariants.answered_writes(history, "bike", {"a", "b"}).holds)
        verdict = invariants.answered_writes(history, "bike", {"a"})
        self.assertEqual([item[0] for item in verdict.broken], ["b"])
        self.assertEqual(verdict.checked, 2)

    def test_a_reader_must_see_all_and_nothing_that_vanishes(self):
        self.assertEqual(invariants.missed({1, 3}, [1, 2, 3], "version").broken, (2,))
        self.assertEqual(invariants.seen_stays({1, 4}, [1, 2, 3], "version").broken, (4,))

    def test_each_reader_has_its_own_order(self):
        history = events(
            ("list", 1, {"reader": "x", "version": 5}), ("list", 2, {"reader": "y", "version": 4}),
            ("list", 3, {"reader": "x", "version": 5}))
        self.assertTrue(invariants.never_back(history, "list", "reader", "version").holds)
        history += events(("list", 4, {"reader": "x", "version": 4}))
        self.assertFalse(invariants.never_back(history, "list", "reader", "version").holds)

    def test_a_version_with_two_contents_is_noticed(self):
        history = events(
            *(("list", at, {"version": 5, "mark": 1, "digest": digest}) for at, digest in ((1, "a"), (2, "b"))))
        self.assertEqual(len(invariants.one_content(history).broken), 1)


class ChainTests(unittest.TestCase):
    def setUp(self):
        self.commitments = {"1": b"one", "2": b"two"}
        first = hashlib.sha256(bytes(32) + b"one").digest()
        self.places = [("1", first), ("2", hashlib.sha256(first + b"two").digest())]

    def test_a_whole_chain(self):
        self.assertTrue(invariants.chain(self.commitments, self.places).holds)

    def test_what_breaks_a_chain(self):
        missing, doubled = self.places[:1], [*self.places, self.places[1]]
        changed = [(self.places[0][0], bytes(32)), self.places[1]]
        for places in (missing, doubled, changed, self.places[::-1]):
            self.assertFalse(invariants.chain(self.commitments, places).holds)


class AlertTests(unittest.TestCase):
    def delivered(self, at, run="r.1", alert="x"):
        return ("delivered", at, {"alert": alert, "run": run})

    def test_an_alert_that_never_arrives_is_noticed(self):
        self.assertEqual(invariants.delivered(events(self.delivered(1)), ["x", "y"]).broken, ("y",))

    def test_a_repeat_needs_a_reason(self):
        repeat = [self.delivered(10), self.delivered(60, "r.2")]
        self.assertFalse(invariants.explained_repeats(events(*repeat)).holds)
        reasons = (
            [("died", 10.5, {"run": "r.1"})],
            [("paused", 9, {"run": "r.1"}), ("continued", 55, {"run": "r.1"})],
            [("losing", 5, {}), ("restored", 9, {})],
        )
        for reason in reasons:
            history = sorted(events(*repeat, *reason), key=lambda event: event["at"])
            self.assertTrue(invariants.explained_repeats(history).holds, reason)
        others = events(*repeat, ("died", 10.5, {"run": "r.2"}), ("died", 30, {"run": "r.1"}))
        self.assertFalse(invariants.explained_repeats(others).holds)

    def test_an_alert_is_settled_once(self):
        history = events(("settled", 1, {"alert": "x"}), ("settled", 2, {"alert": "x"}))
        self.assertEqual(invariants.settled_once(history).broken, ("x",))


class TrailTests(unittest.TestCase):
    def verdicts(self, seen, final):
        history = events(*(("trail", at, {"reader": "r", "revision": number, "sighting": sighting})
                           for at, (number, sighting) in enumerate(seen)))
        return [verdict.holds for verdict in invariants.trails(history, {"r": final})]

    def test_a_change_that_was_overtaken_may_be_missing(self):
        self.assertEqual(self.verdicts([(1, "a"), (3, "b")], [(1, "a"), (3, "b")]), [True, True])

    def test_gaps_and_ends(self):
        self.assertEqual(self.verdicts([(1, "a"), (3, "c")], [(1, "a"), (2, "b"), (3, "c")]), [False, True])
        self.assertEqual(self.verdicts([(1, "a")], [(1, "a"), (2, "b")]), [True, False])
        self.assertEqual(self.verdicts([(2, "a"), (1, "b")], []), [False, True])


class TokenTests(unittest.TestCase):
    def test_a_token_is_refused_from_the_answer_on(self):
        history = events(("revoked", 5, {"kind": "revocation", "token": "t"}),
                         ("used", 6, {"token": "t", "began": 4, "status": 200}),
                         ("used", 7, {"token": "t", "began": 6, "status": 503}))
        self.assertTrue(invariants.dead_after(history, "revocation").holds)
        history += events(("used", 9, {"token": "t", "began": 8, "status": 200}))
        self.assertFalse(invariants.dead_after(history, "revocation").holds)


class LeavingTests(unittest.TestCase):
    """The standby was promoted at 10, and the old primary goes on."""

    promoted = ("promoted", 10, {"left": True})

    def test_a_revoked_token_is_refused_when_the_old_primary_must_have_been_left(self):
        history = events(("revoked", 12, {"kind": "revocation", "token": "t"}), self.promoted,
                         ("used", 19.5, {"token": "t", "began": 19, "status": 200}))
        self.assertTrue(invariants.dead_after(history, "revocation").holds)
        history += events(("used", 21.5, {"token": "t", "began": 21, "status": 200}))
        self.assertFalse(invariants.dead_after(history, "revocation").holds)
        history[1]["left"] = False
        self.assertEqual(len(invariants.dead_after(history, "revocation").broken), 2)

    def test_a_version_may_go_back_only_until_then(self):
        history = events(self.promoted, ("list", 11, {"reader": "x", "version": 5}),
                         ("list", 12, {"reader": "x", "version": 4}), ("list", 21, {"reader": "x", "version": 5}))
        self.assertTrue(invariants.never_back(history, "list", "reader", "version").holds)
        history += events(("list", 22, {"reader": "x", "version": 4}))
        self.assertFalse(invariants.never_back(history, "list", "reader", "version").holds)


class ProcessTests(unittest.TestCase):
    def test_a_process_may_end_by_itself_only_while_the_database_is_away(self):
        history = events(("started", 1, {"run": "r.1"}), ("died", 2, {"run": "r.1"}))
        self.assertTrue(invariants.ended_by_themselves(history).holds)
        history += events(("losing", 3, {}), ("ended by itself", 4, {"run": "r.2", "status": 75}), ("restored", 5, {}))
        self.assertTrue(invariants.ended_by_themselves(history, passing=(75,)).holds)
        self.assertFalse(invariants.ended_by_themselves(history).holds)
        history += events(("ended by itself", 20, {"run": "r.3", "status": 75}))
        self.assertFalse(invariants.ended_by_themselves(history, passing=(75,)).holds)

    def test_a_process_that_opens_too_many_files(self):
        history = events(("size", 1, {"run": "r.1", "files": 40, "threads": 20, "megabytes": 90}))
        self.assertTrue(invariants.bounded(history).holds)
        history += events(("size", 2, {"run": "r.1", "files": 900, "threads": 20, "megabytes": 90}))
        self.assertFalse(invariants.bounded(history).holds)

    def test_the_first_answers_after_each_failover(self):
        history = events(
            ("promoted", 1, {}), ("read", 2, {"status": 503}), ("read", 2.5, {"status": 200}), ("restored", 9, {}),
            ("answered", 9.5, {}), ("restored", 20, {}), ("losing", 21, {}), ("answered", 40, {}))
        self.assertEqual(invariants.first_answers(history), ([1.5], [0.5]))

    def test_a_write_to_an_old_primary(self):
        self.assertTrue(invariants.old_primary_unused(events(("old primary", 1, {"written": 0}))).holds)
        self.assertFalse(invariants.old_primary_unused(events(("old primary", 1, {"written": 2}))).holds)


if __name__ == "__main__":
    unittest.main()
