import pathlib
import unittest

import comparison
from counts import UNITS


class FileTests(unittest.TestCase):
    def test_what_is_written_is_read(self):
        text = comparison.render({"a": 1200, "b": 7}, {"b": "request", "a": "advert"}, "Swift 6.2")
        self.assertEqual(text.splitlines()[1:], ["# Swift 6.2", "b\t7\trequest", "a\t1200\tadvert"])
        self.assertEqual(comparison.parse(text), {"a": 1200, "b": 7})

    def test_a_line_that_is_no_count_is_refused(self):
        for line in ("a\t12", "a\ttwelve\tadvert", "a\t-1\tadvert", "a\t0\tadvert", "a\t1\tadvert\na\t2\tadvert"):
            with self.assertRaises(ValueError, msg=line):
                comparison.parse(line)

    def test_the_committed_file_has_only_counts_that_can_be_taken(self):
        text = (pathlib.Path(__file__).parents[1] / "instructions.tsv").read_text(encoding="utf-8")
        self.assertLessEqual(comparison.parse(text).keys(), UNITS.keys())


class ComparisonTests(unittest.TestCase):
    def compare(self, count):
        return comparison.compare({"visit": 100_000, "other": 5}, {"visit": count})

    def test_growth_beyond_the_limit_is_an_error_that_says_how_much(self):
        errors, hints = self.compare(103_100)
        self.assertEqual(errors, ["visit: 100,000 → 103,100 instructions, +3.1%"])
        self.assertEqual(hints, [])

    def test_a_fall_beyond_the_limit_is_a_hint(self):
        errors, hints = self.compare(96_900)
        self.assertEqual(errors, [])
        self.assertEqual(hints, ["visit: 100,000 → 96,900 instructions, -3.1%"])

    def test_changes_up_to_the_limit_are_noise(self):
        for count in (103_000, 100_000, 97_000):
            self.assertEqual(self.compare(count), ([], []))

    def test_a_count_without_a_committed_one_is_an_error(self):
        self.assertEqual(len(comparison.compare({}, {"visit": 1})[0]), 1)


if __name__ == "__main__":
    unittest.main()
