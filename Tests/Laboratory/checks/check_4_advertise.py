"""‘findmybike beacon advertise’ makes this machine a beacon that another controller hears."""

import signal

from guest import Beacon, Check, until

BEACON = Beacon(minor=4242, rssi=-60, jitter=0, measured_power=-62)


class AdvertiseCheck(Check):
    def test_what_one_controller_advertises_is_heard_by_another(self):
        daemon = self.start_bluetoothd()
        sender, listener = self.plug_in(), self.plug_in(address="00:00:AC:BE:00:02")
        daemon.wait_until_powered(sender.name)
        daemon.wait_until_powered(listener.name)
        identity = f"{BEACON.uuid}:{BEACON.major}:{BEACON.minor}"
        advertising = self.start("findmybike", "beacon", "advertise", identity,
                                 "--measured-power", BEACON.measured_power, "--adapter", sender.name)
        data = until(sender.advertised, 30, "the controller was not told to advertise")
        # This check carries the frames between the two.
        listener.tell(f"add {BEACON.address} {BEACON.rssi} 0 {BEACON.interval} {data}")
        self.assert_heard(BEACON, self.heard(self.scan("--adapter", listener.name)))

        advertising.send_signal(signal.SIGINT)
        _, errors = advertising.communicate(timeout=30)
        self.assertEqual(advertising.returncode, 0, errors)
        until(lambda: sender.advertised() is None, 10, "the controller advertises on")
