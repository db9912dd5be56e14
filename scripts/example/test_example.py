"""CONTRIBUTING's first example and the patch that carries it out name the same files."""
import pathlib
import re
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]


class Example(unittest.TestCase):
    def test_the_example_names_all_files_of_its_patch_and_no_others(self):
        patch = (PROJECT / "scripts/example/new-field.patch").read_text(encoding="utf-8")
        changed = re.findall(r"^\+\+\+ b/(.*)$", patch, re.MULTILINE)
        text = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
        steps = text.split("## Example: a new field of a bike\n")[1].split("\nThe release check carries")[0]
        named = re.findall(r"`((?:Sources|Tests)/\S*\.swift)`", steps)
        self.assertEqual(sorted(named), sorted(changed))
        for path in changed:
            self.assertTrue((PROJECT / path).is_file(), path)


if __name__ == "__main__":
    unittest.main()
