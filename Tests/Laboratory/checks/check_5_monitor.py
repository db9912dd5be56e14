"""From a radio to an owner: a missing bike comes near, the monitor hears it, and the owner is alerted once."""

import os
import pathlib
import re
import shutil
import tempfile
import unittest

from guest import PATIENCE, PROGRAMS, SERIAL, Beacon, Check, until
from registry import RegistryOutside, play

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
        self.start_monitor(f"radio:\n  backend: {backend}\n  adapters: {controller.name}\n")
        self.await_line(r"\] beacon heard", 60)
        controller.add(MISSING)
        self.stage.tell("owner", "ALERT", self.alert())
        self.print_memory()

        self.monitor.terminate()
        self.assertEqual(self.monitor.wait(timeout=30 * PATIENCE), 0, self.stage.tail("monitor"))
        table = self.stage.run("findmybike", "bike", "sightings", self.known["bike"], **self.owner)
        self.assertEqual(table.count("Café Sprocket  "), 1, f"not exactly one sighting:\n{table}")
        self.assertEqual(self.registry.alert(0.1), "", "one visit alerted twice")
        self.assertEqual(self.registry.refused(), 0, "an alert came with a wrong signature")

    def test_an_adapter_plugged_in_later_joins_and_a_quiet_one_is_helped(self):
        daemon = self.start_bluetoothd()
        quiet = self.plug_in()
        daemon.wait_until_powered(quiet.name)
        self.start_monitor("radio:\n  quietAfter: 10\n")
        daemon.wait_until_discovering(quiet.name)
        late = self.plug_in(MISSING, address="00:00:AC:BE:00:02")
        self.await_line(rf"adapter={late.name}\b.*\] adapter added", 60)
        self.alert()

        self.await_line(rf"adapter={quiet.name}\b.*step=powerCycle.*\] recovery step done", 120)
        until(lambda: quiet.scans()[-1][0], 30, "the quiet adapter does not scan after its power cycle")
        self.assertIsNone(self.monitor.poll(), self.stage.tail("monitor"))

    def test_an_adapter_plugged_in_later_joins_the_raw_ones_too(self):
        daemon = self.start_bluetoothd()  # powers the controllers on
        first = self.plug_in(OTHER)
        daemon.wait_until_powered(first.name)
        self.start_monitor("radio:\n  backend: hci\n")
        self.await_line(r"\] beacon heard", 60)
        late = self.plug_in(MISSING, address="00:00:AC:BE:00:02")
        self.await_line(rf"adapter={late.name}\b.*\] adapter added", 60)
        self.alert()

    def test_a_monitor_outlives_its_only_adapter(self):
        daemon = self.start_bluetoothd()
        controller = self.plug_in(OTHER)
        daemon.wait_until_powered(controller.name)
        self.start_monitor("")
        self.await_line(r"\] beacon heard", 60)
        controller.stop()
        again = self.plug_in(MISSING)
        self.assertEqual(again.name, controller.name)
        self.alert()

    @unittest.skipUnless(SERIAL, "without a serial port, the adapter is gone with its controller")
    def test_a_controller_that_lost_its_power_is_made_to_scan_again(self):
        daemon = self.start_bluetoothd()
        controller = self.plug_in(OTHER)
        daemon.wait_until_powered(controller.name)
        self.start_monitor("radio:\n  backend: hci\n  quietAfter: 10\n")
        self.await_line(r"\] beacon heard", 60)
        controller.lose_power()
        controller.add(MISSING)
        self.alert()

    def test_a_rotating_beacon_is_one_stay_with_one_bell_and_one_alert(self):
        daemon = self.start_bluetoothd()
        sender, listener = self.plug_in(), self.plug_in(address="00:00:AC:BE:00:02")
        for controller in (sender, listener):
            daemon.wait_until_powered(controller.name)
        self.start_monitor(f"radio:\n  adapters: {listener.name}\n", rotating=True)
        play.write_secret(self.stage.folder / "bike.key", self.known["key"])
        self.start("findmybike", "beacon", "advertise", "--rotating", "--key-file", self.stage.folder / "bike.key",
                   "--slot-duration", "20s", "--adapter", sender.name)
        # This check carries the frames between the two.
        carried = []
        while len(carried) < 3:
            data, address = until(
                lambda: next((pair for pair in sender.advertisements() if pair not in carried), None), 90 * PATIENCE,
                f"only {len(carried)} identities were advertised")
            if carried:
                listener.tell(f"remove {carried[-1][1]}")
            listener.tell(f"add {address} -60 3 200 {data}")
            carried.append((data, address))
            self.await_line(r"\] visit began", 60)
            if len(carried) == 1:
                self.stage.tell("owner", "ALERT", self.alert())
        until(lambda: self.registry.log().count("] sighting stored") >= 3, 60 * PATIENCE,
              "the registry did not store three visits")
        self.monitor.terminate()
        self.assertEqual(self.monitor.wait(timeout=30 * PATIENCE), 0, self.stage.tail("monitor"))
        bells = self.stage.folder / "bells"
        self.assertEqual(bells.read_text(encoding="utf-8").count("rung"), 1, "the bell rang again")
        self.assertEqual(self.registry.alert(2), "", "a change of identity alerted the owner again")

    def start_monitor(self, radio, rotating=False):
        """A registry with one missing bike, and a monitor with these settings of its radio."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="street-"))
        self.addCleanup(shutil.rmtree, folder)
        self.registry = RegistryOutside()
        self.addCleanup(self.registry.close)
        if rotating:
            self.known = self.registry.open_rotating()
            bell = folder / "bell"
            bell.write_text(f"#!/bin/sh\necho rung >> {folder}/bells\n", encoding="utf-8")
            bell.chmod(0o755)
            radio += f"alarm:\n  command: [{bell}]\n"
        else:
            self.known = self.registry.open(f"{MISSING.uuid}:{MISSING.major}:{MISSING.minor}")
        for name in ("station", "owner"):
            play.write_secret(folder / f"{name}-token", self.known[f"{name}Token"].strip())
        self.owner = {
            "FINDMYBIKE_REGISTRY_URL": self.known["url"], "FINDMYBIKE_TOKEN_FILE": folder / "owner-token"}
        self.stage = play.Stage(PROGRAMS, folder)
        self.addCleanup(self.stage.stop)
        settings = play.monitor_settings(folder, self.known["url"], radio)
        self.monitor = self.stage.start("monitor", "findmybike-monitor", "--config", settings)

    def await_line(self, pattern, seconds):
        self.stage.await_line("monitor", pattern, seconds * PATIENCE)

    def alert(self):
        alert = self.registry.alert(120 * PATIENCE)
        self.assertTrue(
            alert, f"no alert arrived; monitor:\n{self.stage.tail('monitor')}\nregistry:\n{self.registry.log()[-2000:]}")
        return alert

    def print_memory(self):
        status = pathlib.Path(f"/proc/{self.monitor.pid}/status").read_text(encoding="utf-8")
        sizes = {name: int(size) * 1024 / 1e6 for name, size in re.findall(r"(VmRSS|RssAnon):\s+(\d+) kB", status)}
        print(f"    the monitor's memory with pages of {os.sysconf('SC_PAGESIZE') // 1024} kB: "
              f"{sizes['VmRSS']:.1f} MB resident, {sizes['RssAnon']:.1f} MB anonymous", flush=True)
