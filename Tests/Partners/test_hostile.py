import random
import unittest

import hostile
import missinglist


class ListTests(unittest.TestCase):
    def test_a_list_is_read_as_it_was_written(self):
        chance = random.Random(1)
        for count in (0, 1, 7, 3000):
            hashes = sorted({chance.randrange(1 << 40) for _ in range(count)})
            self.assertEqual(missinglist.read(hostile.full_list(hashes, 5)), ((5, 5), hashes))

    def test_a_wrong_hash_is_noticed(self):
        with self.assertRaises(missinglist.Broken):
            missinglist.read(hostile.full_list([1, 2, 3], 5, digest=bytes(32)))


if __name__ == "__main__":
    unittest.main()
