"""A scan survives the loss of bluetoothd and of its adapter: it resumes by itself."""

import time

from guest import Beacon, Check, until

BEFORE, AFTER = Beacon(minor=700), Beacon(minor=701, rssi=-70)


class RestartCheck(Check):
    def setUp(self):
        self.daemon = self.start_bluetoothd()
        self.controller = self.plug_in(BEFORE)
        self.daemon.wait_until_powered(self.controller.name)

    def test_a_scan_outlives_bluetoothd(self):
        scan = self.scan("--adapter", self.controller.name, seconds=600)
        self.wait_until_reported(BEFORE)
        self.daemon.kill()
        time.sleep(2)
        self.daemon.start()
        self.daemon.wait_until_powered(self.controller.name)
        self.daemon.wait_until_discovering(self.controller.name)
        # It was not on the air before, so a scan that hears it has resumed after the restart.
        self.controller.add(AFTER)
        heard = self.end_scan(scan, self.controller, AFTER)
        self.assert_heard(BEFORE, heard)
        self.assert_heard(AFTER, heard)

    def test_a_scan_outlives_its_adapter(self):
        scan = self.scan("--adapter", self.controller.name, seconds=600)
        self.wait_until_reported(BEFORE)
        self.controller.stop()
        time.sleep(2)
        again = self.plug_in(AFTER)
        self.assertEqual(again.name, self.controller.name)
        heard = self.end_scan(scan, again, AFTER)
        self.assert_heard(BEFORE, heard)
        self.assert_heard(AFTER, heard)

    def wait_until_reported(self, beacon):
        until(lambda: len(self.controller.reports()[beacon.address]) > 3, 30, "the controller was not told to scan")
