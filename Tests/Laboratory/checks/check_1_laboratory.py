"""The laboratory itself: without the project's programs, bluetoothd reports what the controller sent, and nothing else."""

import collections

import dbus
import dbus.mainloop.glib
from gi.repository import GLib

from guest import Beacon, Check


class LaboratoryCheck(Check):
    def test_bluetoothd_tells_the_rssi_values_of_the_truth_log(self):
        daemon = self.start_bluetoothd()
        controller = self.plug_in(Beacon(minor=1), Beacon(minor=2, rssi=-75))
        daemon.wait_until_powered(controller.name)
        told = discover(controller.name, seconds=5)
        sent = controller.reports()
        self.assertEqual(set(sent), {Beacon(minor=1).address, Beacon(minor=2).address})
        for address, values in sent.items():
            # bluetoothd puts changes of a property that it has not yet sent into one signal, and the last report may
            # still be on its way when the scan is stopped.
            message = f"told {told[address]} of {values}, sent by {address}"
            rest = iter(values)
            self.assertTrue(all(value in rest for value in told[address]), message)
            self.assertGreaterEqual(len(told[address]), len(values) * 3 // 4, message)


def discover(adapter, seconds):
    """Runs a client's discovery; returns address → every RSSI that bluetoothd reported."""
    bus = dbus.SystemBus(private=True, mainloop=dbus.mainloop.glib.DBusGMainLoop())
    told = collections.defaultdict(list)

    def hear(path, properties):
        if "RSSI" in properties:
            told[path.rpartition("/dev_")[2].replace("_", ":")].append(int(properties["RSSI"]))

    bus.add_signal_receiver(
        lambda path, interfaces: hear(path, interfaces.get("org.bluez.Device1", {})),
        "InterfacesAdded", "org.freedesktop.DBus.ObjectManager", "org.bluez")
    bus.add_signal_receiver(
        lambda interface, changed, invalidated, path: hear(path, changed),
        "PropertiesChanged", dbus.PROPERTIES_IFACE, "org.bluez", arg0="org.bluez.Device1", path_keyword="path")
    client = dbus.Interface(bus.get_object("org.bluez", f"/org/bluez/{adapter}"), "org.bluez.Adapter1")
    client.SetDiscoveryFilter({"Transport": "le", "DuplicateData": True})
    client.StartDiscovery()
    loop = GLib.MainLoop()
    GLib.timeout_add(int(seconds * 1000), loop.quit)
    loop.run()
    client.StopDiscovery()
    bus.close()
    return told
