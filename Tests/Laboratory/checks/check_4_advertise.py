"""‘findmybike beacon advertise’ makes this machine a beacon that another controller hears."""

import os
import signal
import tempfile

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

    def test_a_rotating_beacon_never_pairs_an_old_address_with_a_new_identity(self):
        daemon = self.start_bluetoothd()
        sender = self.plug_in()
        daemon.wait_until_powered(sender.name)
        with tempfile.NamedTemporaryFile("w", prefix="key-") as file:
            file.write("000102030405060708090a0b0c0d0e0f\n")
            file.flush()
            os.chmod(file.name, 0o600)
            advertising = self.start("findmybike", "beacon", "advertise", "--rotating", "--key-file", file.name,
                                     "--slot-duration", "5s", "--adapter", sender.name)
            until(lambda: len(set(sender.advertisements())) >= 4, 90, "the identity did not change three times")
        advertising.send_signal(signal.SIGINT)
        output, errors = advertising.communicate(timeout=30)
        self.assertEqual(advertising.returncode, 0, errors)
        pairs = list(dict.fromkeys(sender.advertisements()))
        self.assertEqual(len({data for data, _ in pairs}), len(pairs), pairs)
        self.assertEqual(len({address for _, address in pairs}), len(pairs), pairs)
        for data, address in pairs:
            self.assertIn("ff4c000215", data)
            self.assertLess(int(address[:2], 16), 0x40, "not a non-resolvable private address")
        # The fourth line is written when the controller already advertises, so the signal may come first.
        self.assertGreaterEqual(output.count(" advertises "), 3)
