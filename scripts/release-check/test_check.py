import contextlib
import fcntl
import io
import pathlib
import tempfile
import unittest
from unittest import mock

import check
from stages import STAGES, Figure, Stage


def shell(script, **more):
    return dict(shows="", commands=(("sh", "-c", script),), **more)


class ReleaseCheckTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.states = ("a1", "")
        self.patch("HERE", self.folder)
        self.patch("FOLDER", self.folder / "results")
        self.patch("LAST", self.folder / "last.json")
        self.patch("PAGE", self.folder / "page.md")
        self.patch("state", lambda: self.states)
        self.patch("os.geteuid", lambda: 0)

    def patch(self, name, value):
        patched = mock.patch("check." + name, value)
        patched.start()
        self.addCleanup(patched.stop)

    def run_check(self, *arguments):
        """The exit status, and everything that was printed."""
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            try:
                status = check.main(list(arguments))
            except SystemExit as exit:
                status = exit.code
        return status, said.getvalue()

    def passed(self):
        return {name: result["commit"] for name, result in check.read(self.folder / "results/results.json").items()
                if result["passed"]}

    def test_a_stage_that_passed_is_not_repeated_on_its_commit(self):
        self.patch("STAGES", (Stage("one", **shell("echo run >>count")), Stage("two", **shell("exit 1"))))
        self.assertEqual(self.run_check()[0], 1)
        self.assertEqual(self.run_check()[0], 1)
        self.assertEqual((self.folder / "count").read_text(), "run\n")
        self.states = ("b2", "")
        self.run_check()
        self.assertEqual((self.folder / "count").read_text(), "run\nrun\n")
        self.assertEqual(self.passed(), {"one": "b2"})

    def test_a_stage_needs_what_it_uses_to_have_passed_on_the_same_commit(self):
        self.patch("STAGES", (Stage("made", **shell("[ ! -e broken ]")), Stage("used", **shell("exit 0"), needs=("made",))))
        self.run_check("made")
        self.states = ("b2", "")
        self.run_check("--keep")
        self.assertEqual(self.passed(), {"made": "b2", "used": "b2"})
        (self.folder / "broken").touch()
        self.states = ("c3", "")
        status, said = self.run_check("used")
        self.assertEqual(status, 1)
        self.assertIn("used: not run, because made failed", said)

    def test_a_stage_without_its_figure_has_not_passed(self):
        figure = (Figure("tests", r"^Ran (\d+)"),)
        for output in ("done", "Ran 0 tests"):
            self.patch("STAGES", (Stage("one", **shell("echo '%s'" % output), figures=figure),))
            status, said = self.run_check()
            self.assertEqual(status, 1)
            self.assertIn("Figure not found in the output: tests", said)

    def test_a_tree_that_changes_meanwhile_proves_nothing(self):
        states = [("a1", ""), ("a1", " M file")]
        self.patch("STAGES", (Stage("one", **shell("exit 0")),))
        self.patch("state", lambda: states.pop(0) if states else ("a1", ""))
        self.assertEqual(self.run_check()[0], 1)
        self.assertEqual(self.passed(), {})
        self.states = ("a1", " M file")
        self.patch("state", lambda: self.states)
        self.assertEqual(self.run_check()[0], 65)

    def test_two_checks_do_not_run_at_the_same_time(self):
        self.patch("STAGES", (Stage("one", **shell("exit 0")),))
        self.run_check()
        with open(self.folder / "results/lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assertEqual(self.run_check("one")[0], 75)

    def test_a_record_is_of_one_complete_run_beside_the_one_before(self):
        self.patch("STAGES", (
            Stage("one", **shell("cat figure"), figures=(Figure("size", r"([\d,]+) kB", "kB"),)), Stage("two", **shell("exit 0"))))
        (self.folder / "figure").write_text("1,000 kB")
        self.run_check("one")
        self.assertIn("have not passed: two", self.run_check("record")[1])
        self.run_check("two")
        self.assertEqual(self.run_check("record")[0], 0)
        self.assertIn("size: 1,000 kB |", check.PAGE.read_text())
        self.assertIn("already", self.run_check("record")[1])
        (self.folder / "figure").write_text("1,200 kB")
        self.states = ("b2", "")
        self.run_check("one")
        self.assertIn("two commits", self.run_check("record")[1])
        self.run_check()
        self.assertEqual(self.run_check("record")[0], 0)
        self.assertIn("size: 1,200 kB (1,000) |", check.PAGE.read_text())

    def test_a_record_may_keep_the_rows_of_stages_that_have_not_passed(self):
        self.patch("STAGES", (
            Stage("one", **shell("echo 5 kB"), figures=(Figure("size", r"(\d+) kB", "kB"),)),
            Stage("two", **shell("[ -e there ]")), Stage("three", **shell("exit 1"))))
        (self.folder / "there").touch()
        self.run_check()
        self.assertEqual(self.run_check("record", "--keep")[0], 0)
        (self.folder / "there").unlink()
        self.states = ("b2", "")
        self.run_check()
        self.assertEqual(self.run_check("record", "--keep")[0], 0)
        rows = {row.split("`")[1]: row for row in check.PAGE.read_text().splitlines() if row.startswith("| `")}
        self.assertIn("| b2 |", rows["one"])
        self.assertIn("(5)", rows["one"])
        self.assertIn("| a1 |", rows["two"])
        self.assertIn("**not run**", rows["three"])
        self.assertIn("already", self.run_check("record", "--keep")[1])
        # A later record of another stage keeps the row, with the figure before.
        (self.folder / "there").touch()
        self.run_check()
        self.assertEqual(self.run_check("record", "--keep")[0], 0)
        self.assertIn(rows["one"] + "\n", check.PAGE.read_text())

    def test_it_explains_itself_before_it_runs_anything(self):
        self.patch("STAGES", (Stage("one", **shell("exit 0")),))
        with mock.patch("check.HERE", check.pathlib.Path(check.__file__).resolve().parents[2]):
            status, said = self.run_check("--help")
        self.assertEqual(status, 0)
        self.assertIn("# Usage: scripts/release-check.sh", said)
        self.assertEqual(self.run_check("--keep", "record")[0], 64)
        self.assertEqual(self.run_check("two")[0], 64)
        self.assertFalse((self.folder / "results").exists())

    def test_what_the_stages_need_are_stages_before_them(self):
        known = set()
        for stage in STAGES:
            self.assertLessEqual(set(stage.needs), known)
            known.add(stage.name)


if __name__ == "__main__":
    unittest.main()
