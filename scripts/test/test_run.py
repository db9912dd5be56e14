import pathlib
import subprocess
import sys
import tempfile
import unittest

# In place of ‘swift’: writes events as Swift Testing does, and then does what a test says.
FAKE = """
import json, os, sys, time
path = sys.argv[sys.argv.index("--event-stream-output-path") + 1]
def write(record, **payload):
    with open(path, "a") as events:
        events.write(json.dumps({"version": 0, "kind": record, "payload": payload}) + "\\n")
def test(name):
    place = {"_filePath": os.environ["SOURCE"]}
    write("test", kind="function", id=f"R.{name}/works()/R.swift:1:2", displayName=f"{name} works", sourceLocation=place,
          isParameterized=False)
def event(kind, name):
    write("event", kind=kind, testID=f"R.{name}/works()/R.swift:1:2")
"""

# What a run ends with.
DONE = "\nwrite('event', kind='runEnded')"


class RunTests(unittest.TestCase):
    def run_fake(self, script, limit=300, source="", width=6):
        with tempfile.TemporaryDirectory() as folder:
            fake, swift, log = (pathlib.Path(folder, name) for name in ("fake.py", "R.swift", "log"))
            fake.write_text(FAKE + script, encoding="utf-8")
            swift.write_text(source, encoding="utf-8")
            return subprocess.run(
                [sys.executable, pathlib.Path(__file__).with_name("run.py"), log, sys.executable, fake],
                env={"TEST_LIMIT": str(limit), "SOURCE": str(swift), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
                     "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": str(width)},
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)

    def test_a_run_without_tests_is_refused_and_says_what_to_do(self):
        result = self.run_fake("")
        self.assertEqual(result.returncode, 64)
        self.assertIn("--filter takes names", result.stdout)

    def test_the_longest_tests_are_listed(self):
        result = self.run_fake("test('A')\nevent('testStarted', 'A')\ntime.sleep(0.5)\nevent('testEnded', 'A')" + DONE)
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"\d\.\d s  R\.A/works\(\) “A works”")

    def test_a_test_that_spins_is_killed_and_named(self):
        result = self.run_fake("test('A')\nevent('testStarted', 'A')\nwhile True: pass", limit=1)
        self.assertEqual(result.returncode, 1)
        self.assertIn("✘ killed, because it did not end in time: R.A/works() “A works”", result.stdout)

    def test_a_test_that_exits_with_0_does_not_hide_the_others(self):
        result = self.run_fake(
            "for name in 'AB': test(name); event('testStarted', name)\nevent('testEnded', 'A')\nsys.exit(0)")
        self.assertEqual(result.returncode, 1)
        self.assertIn("does a test call exit?", result.stdout)
        self.assertIn("R.B/works()", result.stdout)

    def test_a_run_that_reports_nothing_more_is_killed(self):
        result = self.run_fake("test('A')\nevent('testStarted', 'A')\nevent('testEnded', 'A')\ntime.sleep(300)", limit=1)
        self.assertEqual(result.returncode, 1)
        self.assertIn("the run, which reports nothing", result.stdout)

    def test_the_processes_of_a_killed_run_end_in_whatever_group_they_are(self):
        result = self.run_fake(
            "import subprocess\nsubprocess.Popen(['sleep', '300'], process_group=0)\n"
            "test('A')\nevent('testStarted', 'A')\ntime.sleep(300)", limit=1)
        # The output, which ‘sleep’ would keep open, has ended.
        self.assertIn("killed", result.stdout)

    def test_a_source_file_may_state_a_longer_limit(self):
        script = "test('A')\nevent('testStarted', 'A')\ntime.sleep(2)\nevent('testEnded', 'A')" + DONE
        self.assertEqual(self.run_fake(script, limit=1, source=".timeLimit(.minutes(2))").returncode, 0)
        self.assertEqual(self.run_fake(script, limit=1, source=".timeLimit(.minutes(x))").returncode, 1)

    def test_a_test_that_waits_for_a_place_is_not_late(self):
        begin = "for name in 'ABC': test(name); event('testStarted', name)\n"
        patient = begin + "for name in 'ABC': time.sleep(1.2); event('testEnded', name)" + DONE
        result = self.run_fake(patient, limit=2, width=1)
        self.assertEqual(result.returncode, 0, result.stdout)
        # All places are taken by a test that does not end.
        result = self.run_fake(begin + "event('testEnded', 'A')\nwhile True: pass", limit=1, width=1)
        self.assertEqual(result.returncode, 1)
        self.assertIn("did not end in time: R.B/works() “B works”\n", result.stdout)
        self.assertNotIn("R.C", result.stdout)

    def test_a_case_of_a_test_with_arguments_is_a_test_of_its_own(self):
        result = self.run_fake(
            "write('test', kind='function', id='R/x(_:)/R.swift:1:2', isParameterized=True, sourceLocation={},\n"
            "      _testCases=[{'id': '1'}, {'id': '2'}])\n"
            "def case(kind, case): write('event', kind=kind, testID='R/x(_:)/R.swift:1:2', _testCase={'id': case})\n"
            "write('event', kind='testStarted', testID='R/x(_:)/R.swift:1:2')\n"
            "case('testCaseStarted', '1'); time.sleep(1.2); case('testCaseEnded', '1')\n"
            "case('testCaseStarted', '2'); time.sleep(1.2); case('testCaseEnded', '2')\n"
            "write('event', kind='testEnded', testID='R/x(_:)/R.swift:1:2')" + DONE, limit=2, width=1)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertRegex(result.stdout, r"1\.\d s  R/x\(_:\)\n")

    def test_a_crash_names_the_tests_that_were_running(self):
        result = self.run_fake(
            "for name in 'AB': test(name); event('testStarted', name)\nevent('testEnded', 'A')\n"
            "print('error: Exited with unexpected signal code 11', flush=True)\nsys.exit(1)")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"Running at that time:\n  R\.B/works\(\) “B works”, for 0 s\n")

    def test_a_failure_is_shown_once_more_at_the_end(self):
        result = self.run_fake("print('✘ Test \\033[1mworks\\033[0m failed')\nprint('◇ Test x started')\nsys.exit(1)")
        self.assertEqual(result.returncode, 1)
        self.assertIn("== failed\n✘ Test works failed\n", result.stdout)
        self.assertNotIn("◇", result.stdout)

    def test_a_process_that_stays_after_its_tests_is_killed(self):
        result = self.run_fake(
            "test('A')\nevent('testStarted', 'A')\nevent('testEnded', 'A')\nwrite('event', kind='runEnded')\n"
            "time.sleep(300)", limit=1)
        self.assertEqual(result.returncode, 1)
        self.assertIn("the end of the process", result.stdout)


if __name__ == "__main__":
    unittest.main()
