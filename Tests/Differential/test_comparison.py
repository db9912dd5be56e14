"""What counts as a difference, and what does not."""
import unittest

from calls import Call, script
from comparison import Matching, of_values

ONE, OTHER = "019aa4e1-1c2d-7000-8000-000000000001", "019aa4e1-1c2d-7000-8000-000000000002"


class Comparison(unittest.TestCase):
    def differences(self, old, new, matching=None):
        return of_values(old, new, matching or Matching())

    def test_identifiers_must_correspond(self):
        self.assertEqual(self.differences([{"id": ONE}, ONE], [{"id": OTHER}, OTHER]), [])
        self.assertEqual(len(self.differences([ONE, ONE], [OTHER, ONE])), 1)
        self.assertEqual(len(self.differences([ONE, OTHER], [OTHER, OTHER])), 1)
        self.assertEqual(self.differences("owner:%s." % ONE, "owner:%s." % OTHER), [])

    def test_times_may_be_a_minute_apart(self):
        self.assertEqual(self.differences("at 2026-11-21T06:15:00Z", "at 2026-11-21T06:15:59.9Z"), [])
        self.assertEqual(len(self.differences("2026-11-21T06:15:00Z", "2026-11-21T06:16:01Z")), 1)

    def test_secrets_must_only_be_there(self):
        self.assertEqual(self.differences({"token": "a"}, {"token": "b"}), [])
        self.assertEqual(len(self.differences({"token": "a"}, {"token": None})), 1)

    def test_everything_else_must_be_the_same(self):
        for old, new in [({"a": 1}, {"a": 2}), ({"a": 1}, {}), ([1], [1, 1]), ("x", "y"), (1, True), (None, 0)]:
            self.assertEqual(len(self.differences({"here": old}, {"here": new})), 1, (old, new))

    def test_identities_must_correspond(self):
        one, other = ({"uuid": ONE, "major": 1, "minor": minor} for minor in (7, 8))
        self.assertEqual(self.differences([one, one], [other, other]), [])
        self.assertEqual(len(self.differences([one, one], [other, one])), 1)


class Calls(unittest.TestCase):
    def test_a_seed_gives_the_same_kinds_of_calls(self):
        kinds = [[call.kind for call in script(seed, 300)] for seed in (1, 1, 2)]
        self.assertEqual(kinds[0], kinds[1])
        self.assertNotEqual(kinds[0], kinds[2])
        self.assertTrue(all(isinstance(call, Call) for call in script(3, 9)))


if __name__ == "__main__":
    unittest.main()
