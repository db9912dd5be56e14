"""From a radio to an owner: a missing bike comes near, the monitor hears it, and the owner is alerted once."""

import pathlib
import queue
import shutil
import sys
import tempfile

from guest import PROGRAMS, ROOT, Beacon, Check, until

sys.path.insert(0, str(ROOT / "scripts/demo"))
import play  # noqa: E402
from receiver import Receiver  # noqa: E402

OTHER, MISSING = Beacon(minor=4_000), Beacon(minor=4_001, rssi=-70)


class MonitorCheck(Check):
    def test_the_owner_of_a_bike_that_comes_near_is_alerted_through_bluetoothd(self):
        self.check_alert("bluez")

    def test_the_owner_of_a_bike_that_comes_near_is_alerted_through_raw_hci(self):
        self.check_alert("hci")

    def check_alert(self, backend):
        daemon = self.start_bluetoothd()
        controller = self.plug_in(OTHER)
        daemon.wait_until_powered(controller.name)
        stage, receiver, owner, bike, monitor = self.start_monitor(
            f"radio:\n  backend: {backend}\n  adapters: {controller.name}\n")
        stage.await_line("monitor", r"\] beacon heard", 60)
        controller.add(MISSING)
        alert = self.alert(receiver, stage)
        stage.tell("owner", "ALERT", alert["data"]["message"])

        monitor.terminate()
        self.assertEqual(monitor.wait(timeout=30), 0, stage.tail("monitor"))
        self.assertIn("Café Sprocket", stage.run("findmybike", "bike", "sightings", bike["id"], **owner))
        self.assertTrue(receiver.alerts.empty(), "one visit alerted twice")
        self.assertTrue(receiver.refusals.empty(), "an alert came with a wrong signature")

    def test_an_adapter_plugged_in_later_joins_and_a_quiet_one_is_helped(self):
        daemon = self.start_bluetoothd()
        quiet = self.plug_in()
        daemon.wait_until_powered(quiet.name)
        stage, receiver, _, _, monitor = self.start_monitor("radio:\n  quietAfter: 10\n")
        daemon.wait_until_discovering(quiet.name)
        late = self.plug_in(MISSING, address="00:00:AC:BE:00:02")
        stage.await_line("monitor", rf"adapter={late.name}\b.*\] adapter added", 60)
        self.alert(receiver, stage)

        stage.await_line("monitor", rf"adapter={quiet.name}\b.*step=powerCycle.*\] recovery step done", 120)
        until(lambda: quiet.scans()[-1][0], 30, "the quiet adapter does not scan after its power cycle")
        self.assertIsNone(monitor.poll(), stage.tail("monitor"))

    def test_an_adapter_plugged_in_later_joins_the_raw_ones_too(self):
        daemon = self.start_bluetoothd()  # powers the controllers on
        first = self.plug_in(OTHER)
        daemon.wait_until_powered(first.name)
        stage, receiver, _, _, _ = self.start_monitor("radio:\n  backend: hci\n")
        stage.await_line("monitor", r"\] beacon heard", 60)
        late = self.plug_in(MISSING, address="00:00:AC:BE:00:02")
        stage.await_line("monitor", rf"adapter={late.name}\b.*\] adapter added", 60)
        self.alert(receiver, stage)

    def start_monitor(self, radio):
        """A registry with one missing bike, and a monitor with these settings of its radio."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="street-"))
        self.addCleanup(shutil.rmtree, folder)
        stage = play.Stage(PROGRAMS, folder)
        self.addCleanup(stage.stop)
        receiver = Receiver()
        identity = f"{MISSING.uuid}:{MISSING.major}:{MISSING.minor}"
        url = play.serve_registry(stage, folder)
        owner, bike = play.report_bike(stage, folder, url, receiver, identity)
        monitor = stage.start("monitor", "findmybike-monitor", "--config", play.monitor_settings(folder, url, radio))
        return stage, receiver, owner, bike, monitor

    def alert(self, receiver, stage):
        try:
            return receiver.alerts.get(timeout=120)
        except queue.Empty:
            self.fail(f"no alert arrived; monitor:\n{stage.tail('monitor')}\nregistry:\n{stage.tail('registry')}")
