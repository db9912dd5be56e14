import pathlib
import re
import unittest

import missinglist

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/missing-list.md"


def example(name):
    """An example of the page that describes the format."""
    return bytes.fromhex(re.search("```%s\n(.*?)```" % name, PAGE.read_text(encoding="utf-8"), re.DOTALL).group(1))


class MissingListTests(unittest.TestCase):
    def test_the_examples_of_the_page(self):
        full = missinglist.read(example("full"))
        self.assertEqual(full, ((42, 0x9F86D081884C7D65), [0x4220F74BF0, 0x764AE06C5F]))
        self.assertEqual(
            missinglist.read(example("delta"), full), ((43, 0x60303AE22B998861), [0x70CFEB08EB, 0x764AE06C5F]))

    def test_a_delta_from_another_version_is_refused(self):
        with self.assertRaises(missinglist.Broken):
            missinglist.read(example("delta"), ((42, 1), [0x4220F74BF0, 0x764AE06C5F]))

    def test_changed_bytes_are_refused_or_give_another_version(self):
        full = missinglist.read(example("full"))
        for place in (*range(8), *range(24, len(example("delta")))):
            changed = bytearray(example("delta"))
            changed[place] ^= 1
            with self.assertRaises(missinglist.Broken, msg=place):
                missinglist.read(bytes(changed), full)

    def test_every_beginning_is_refused(self):
        for length in range(len(example("full"))):
            with self.assertRaises(missinglist.Broken):
                missinglist.read(example("full")[:length])

    def test_the_hash_of_an_identity(self):
        identity = {"uuid": "21EECF71-D5C7-4A00-9B90-27C94B5146EA", "major": 1, "minor": 100}
        self.assertEqual(missinglist.hash_of(identity), 0x4220F74BF0)


if __name__ == "__main__":
    unittest.main()
