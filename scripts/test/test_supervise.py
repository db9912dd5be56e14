import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SUPERVISE = pathlib.Path(__file__).parents[1] / "supervise.py"
# Leaves a process in a session of its own that ignores requests to end.
LEAVE = "setsid sh -c 'trap \"\" TERM HUP; echo $$ >{0}; sleep 120' & until [ -s {0} ]; do sleep 0.1; done; "


class SuperviseTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.left = pathlib.Path(folder.name, "left")

    def start(self, minutes, script):
        return subprocess.Popen(
            [sys.executable, SUPERVISE, str(minutes), "sh", "-c", LEAVE.format(self.left) + script], stderr=subprocess.PIPE)

    def expect_nothing_left(self):
        process = pathlib.Path("/proc", self.left.read_text().strip())
        self.assertTrue(not process.exists() or " Z " in (process / "stat").read_text())

    def test_the_status_is_the_commands_and_nothing_outlives_it(self):
        supervisor = self.start(1, "exit 3")
        supervisor.communicate(timeout=60)
        self.assertEqual(supervisor.returncode, 3)
        self.expect_nothing_left()

    def test_a_command_that_does_not_end_is_ended_with_everything_that_it_started(self):
        supervisor = self.start(0.02, "sleep 120")
        said = supervisor.communicate(timeout=60)[1]
        self.assertEqual(supervisor.returncode, 124)
        self.assertIn(b"ended after 0.02 minutes", said)
        self.expect_nothing_left()

    def test_a_signal_ends_everything(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            self.left.unlink(missing_ok=True)
            supervisor = self.start(1, "sleep 120")
            while not self.left.exists() or not self.left.read_text():
                time.sleep(0.1)
            supervisor.send_signal(number)
            supervisor.communicate(timeout=60)
            self.assertEqual(supervisor.returncode, 128 + number)
            self.expect_nothing_left()


if __name__ == "__main__":
    unittest.main()
