"""Tests that every target of fuzzing begins with inputs."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent


class SeedTests(unittest.TestCase):
    def test_each_target_has_seeds(self):
        """Where a fixture has moved, a target would begin with nothing, or the release check would stop there."""
        with tempfile.TemporaryDirectory() as corpus:
            subprocess.run([sys.executable, "-B", HERE / "seed.py", HERE.parents[1], corpus], check=True)
            for target in HERE.glob("*.swift"):
                with self.subTest(target.stem):
                    self.assertTrue(list(pathlib.Path(corpus, target.stem).glob("seed-*")))


if __name__ == "__main__":
    unittest.main()
