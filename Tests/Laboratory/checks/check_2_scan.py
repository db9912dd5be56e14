"""‘findmybike scan’ hears the beacons of a virtual controller, through every interface of the kernel."""

from guest import Beacon, Check, until

NEAR, FAR = Beacon(minor=20_001, rssi=-55), Beacon(minor=513, rssi=-80, measured_power=-65, major=40_000)


class ScanCheck(Check):
    def setUp(self):
        self.daemon = self.start_bluetoothd()

    def ready_controller(self, **options):
        controller = self.plug_in(NEAR, FAR, **options)
        self.daemon.wait_until_powered(controller.name)
        return controller

    def assert_both_heard(self, scan):
        self.assert_near_and_far(self.heard(scan))

    def assert_near_and_far(self, heard):
        self.assertEqual(set(heard), {NEAR.minor, FAR.minor})
        for beacon in (NEAR, FAR):
            self.assert_heard(beacon, heard)

    def test_bluetoothd_tells_the_beacons(self):
        controller = self.ready_controller()
        self.assert_both_heard(self.scan("--adapter", controller.name))
        self.assert_idle(controller)

    def test_bluetoothd_tells_the_beacons_of_an_extended_controller(self):
        controller = self.ready_controller(extended=True)
        self.assert_both_heard(self.scan("--adapter", controller.name))
        self.assert_idle(controller)

    def test_raw_hci_tells_the_beacons(self):
        controller = self.ready_controller()
        self.assert_both_heard(self.scan("--adapter", controller.name, "--backend", "hci"))
        self.assert_passive_and_unfiltered(controller)
        self.assert_idle(controller)

    def test_raw_hci_tells_the_beacons_of_an_extended_controller(self):
        controller = self.ready_controller(extended=True)
        self.assert_both_heard(self.scan("--adapter", controller.name, "--backend", "hci"))
        self.assert_passive_and_unfiltered(controller)
        self.assert_idle(controller)

    def assert_idle(self, controller):
        until(lambda: not controller.scans()[-1][0], 10, "the controller scans on after the program’s end")

    def assert_passive_and_unfiltered(self, controller):
        _, active, filtered = next(scan for scan in controller.scans() if scan[0])
        self.assertFalse(active, "the scan is not passive")
        self.assertFalse(filtered, "the controller was asked to drop what it takes for duplicates")

    def test_raw_hci_tells_the_beacons_beside_another_scan(self):
        controller = self.ready_controller()
        other = self.scan("--adapter", controller.name, seconds=600)
        self.daemon.wait_until_discovering(controller.name)
        self.assert_both_heard(self.scan("--adapter", controller.name, "--backend", "hci"))
        self.assert_near_and_far(self.end_scan(other, controller, NEAR, FAR))

    def test_the_monitor_channel_tells_what_another_scan_hears(self):
        controller = self.ready_controller()
        other = self.scan("--adapter", controller.name, seconds=600)
        self.daemon.wait_until_discovering(controller.name)
        self.assert_both_heard(self.scan("--adapter", controller.name, "--backend", "monitor-channel"))
        # bluetoothd's own scans, which it renews every ten seconds, are all active.
        self.assertTrue(all(active for enabled, active, _ in controller.scans() if enabled), "the tap changed the scan")
        self.assert_near_and_far(self.end_scan(other, controller, NEAR, FAR))

    def test_a_scan_of_silent_air_ends_in_time(self):
        controller = self.plug_in()
        self.daemon.wait_until_powered(controller.name)
        for backend in ("bluez", "hci", "monitor-channel"):
            with self.subTest(backend=backend):
                scan = self.scan("--adapter", controller.name, "--backend", backend, seconds=3)
                self.assertEqual(self.heard(scan), {})


class ExperimentalScanCheck(Check):
    def test_bluetoothd_with_its_advertisement_monitor_tells_the_beacons(self):
        daemon = self.start_bluetoothd("--experimental")
        controller = self.plug_in(NEAR)
        daemon.wait_until_powered(controller.name)
        self.assert_heard(NEAR, self.heard(self.scan("--adapter", controller.name)))
