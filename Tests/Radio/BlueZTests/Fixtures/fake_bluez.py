"""A hand-written bluetoothd for tests: the rules of bluetoothd 5.66 that matter to a scanner, on a private bus.

Once started, it owns org.bluez and prints a line. Tests control it through org.example.Fake at /fake, on the name
org.example.Fake. The rules: discovery, filters and monitors belong to a client and end with it; without DuplicateData
an unchanged beacon is not reported again; RSSI signals need a filter or a step of 8 dB; device objects disappear when
discovery ends.
"""
import json
import sys
import threading

import dbus
import dbus.lowlevel
import dbus.mainloop.glib
from gi.repository import GLib

ADAPTER = "org.bluez.Adapter1"
DEVICE = "org.bluez.Device1"
MANAGER = "org.bluez.AdvertisementMonitorManager1"
MONITOR = "org.bluez.AdvertisementMonitor1"
ADVERTISING = "org.bluez.LEAdvertisingManager1"
ADVERTISEMENT = "org.bluez.LEAdvertisement1"
OBJECTS = "org.freedesktop.DBus.ObjectManager"
PROPERTIES = "org.freedesktop.DBus.Properties"
FILTER_TYPES = {
    "Transport": dbus.String, "RSSI": dbus.Int16, "Pathloss": dbus.UInt16, "DuplicateData": dbus.Boolean,
    "Discoverable": dbus.Boolean, "UUIDs": dbus.Array, "Pattern": dbus.String,
}

dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SystemBus()
adapters = {}
watches = {}
mode = {"monitor": "none", "wedged": 0, "blocked": False, "silent": False, "denied": False, "full": False}


class Refusal(Exception):
    def __init__(self, name, words):
        super().__init__(words)
        self.name = "org.bluez.Error." + name


def signal(path, interface, member, signature, *values):
    message = dbus.lowlevel.SignalMessage(path, interface, member)
    message.append(*values, signature=signature)
    bus.send_message(message)


def changed(path, interface, properties, gone=()):
    signal(path, PROPERTIES, "PropertiesChanged", "sa{sv}as", interface, properties, list(gone))


class Adapter:
    def __init__(self, name):
        self.path = "/org/bluez/" + name
        self.address = "00:11:22:33:44:" + name[3:].zfill(2)
        self.powered = False
        self.clients = {}  # unique name -> filter
        self.filters = {}
        self.devices = {}  # path -> {rssi, data}
        self.monitors = []  # (owner, root)
        self.active = []  # (owner, path)
        self.advertisements = {}  # (owner, path) -> properties

    def properties(self):
        return {
            "Address": dbus.String(self.address), "Powered": dbus.Boolean(self.powered),
            "Discovering": dbus.Boolean(bool(self.clients)), "Name": dbus.String("fake"),
        }

    def interfaces(self):
        interfaces = {ADAPTER: self.properties(), ADVERTISING: {"SupportedInstances": dbus.Byte(4)}}
        if mode["monitor"] != "none":
            interfaces[MANAGER] = {"SupportedMonitorTypes": dbus.Array(["or_patterns"], signature="s")}
        return interfaces

    def set_powered(self, is_on):
        if is_on and mode["blocked"]:
            raise Refusal("Blocked", "Blocked through rfkill")
        if is_on == self.powered:
            return
        self.powered = is_on
        if not is_on:
            self.end_discovery()
        changed(self.path, ADAPTER, {"Powered": dbus.Boolean(is_on)})

    def set_filter(self, client, wanted):
        for key, value in wanted.items():
            is_known = key in FILTER_TYPES and isinstance(value, FILTER_TYPES[key])
            if not is_known or (key == "Transport" and value not in ("auto", "le", "bredr")):
                raise Refusal("InvalidArguments", "Invalid arguments in method call")
        watch(client)
        self.filters[client] = dict(wanted)

    def start(self, client):
        if not self.powered:
            raise Refusal("NotReady", "Resource Not Ready")
        if client in self.clients or mode["wedged"]:
            raise Refusal("InProgress", "Operation already in progress")
        watch(client)
        self.clients[client] = True
        if len(self.clients) == 1:
            changed(self.path, ADAPTER, {"Discovering": dbus.Boolean(True)})

    def stop(self, client):
        if client not in self.clients:
            raise Refusal("Failed", "No discovery started")
        del self.clients[client]
        if not self.clients:
            self.end_discovery(was_running=True)

    def end_discovery(self, was_running=False):
        was_running = was_running or bool(self.clients)
        self.clients = {}
        for path in list(self.devices):
            changed(path, DEVICE, {}, ["RSSI"])
            self.remove_device(path)
        if was_running:
            changed(self.path, ADAPTER, {"Discovering": dbus.Boolean(False)})

    def remove_device(self, path):
        del self.devices[path]
        signal("/", OBJECTS, "InterfacesRemoved", "oas", path, [DEVICE])

    def forget(self, client):
        self.filters.pop(client, None)
        self.monitors = [entry for entry in self.monitors if entry[0] != client]
        self.active = [entry for entry in self.active if entry[0] != client]
        self.advertisements = {key: entry for key, entry in self.advertisements.items() if key[0] != client}
        if client in self.clients:
            self.stop(client)

    def register_monitor(self, client, root):
        if mode["monitor"] == "refuse":
            raise Refusal("NotSupported", "Operation is not supported")
        if (client, root) in self.monitors:
            raise Refusal("AlreadyExists", "Already Exists")
        watch(client)
        self.monitors.append((client, root))
        if mode["monitor"] == "silent":
            return

        def found(objects):
            for path, interfaces in objects.items():
                patterns = interfaces.get(MONITOR, {}).get("Patterns", [])
                if (client, path) in self.active or MONITOR not in interfaces:
                    continue
                is_valid = interfaces[MONITOR].get("Type") == "or_patterns" and len(patterns) > 0
                if is_valid:
                    self.active.append((client, path))
                member = "Activate" if is_valid else "Release"
                bus.call_async(client, path, MONITOR, member, "", (), None, None)

        # Monitors may exist already, or may be exported later.
        bus.add_signal_receiver(lambda path, interfaces: found({path: interfaces}), "InterfacesAdded", OBJECTS, client, root)
        bus.call_async(client, root, OBJECTS, "GetManagedObjects", "", (), found, lambda error: None)

    def unregister_monitor(self, client, root):
        if (client, root) not in self.monitors:
            raise Refusal("DoesNotExist", "Does Not Exist")
        self.monitors.remove((client, root))
        self.active = [entry for entry in self.active if entry[0] != client]

    def register_advertisement(self, call, path):
        """Replies later, once the client's object has been read, as bluetoothd does."""
        key = (call.get_sender(), path)
        if mode["full"]:
            raise Refusal("NotPermitted", "Maximum advertisements reached")
        if key in self.advertisements:
            raise Refusal("AlreadyExists", "Already Exists")
        watch(key[0])

        def read(properties):
            self.advertisements[key] = properties
            bus.send_message(dbus.lowlevel.MethodReturnMessage(call))

        def failed(error):
            bus.send_message(dbus.lowlevel.ErrorMessage(call, "org.bluez.Error.Failed", str(error)))

        bus.call_async(key[0], path, PROPERTIES, "GetAll", "s", (ADVERTISEMENT,), read, failed)

    def unregister_advertisement(self, client, path):
        if self.advertisements.pop((client, path), None) is None:
            raise Refusal("DoesNotExist", "Does Not Exist")

    def release_advertisements(self):
        for client, path in self.advertisements:
            bus.call_async(client, path, ADVERTISEMENT, "Release", "", (), None, None)
        self.advertisements = {}

    def advertise(self, address, kind, companies, services, rssi):
        """Delivers one report from the controller."""
        if not self.clients:
            return
        wanted = {}
        for client in self.clients:
            wanted.update(self.filters.get(client, {}))
        path = self.path + "/dev_" + address.replace(":", "_")
        frame = {"RSSI": dbus.Int16(rssi)}
        if companies:
            frame["ManufacturerData"] = dbus.Dictionary(
                {dbus.UInt16(key): dbus.Array(data, signature="y") for key, data in companies}, signature="qv")
        if services:
            frame["ServiceData"] = dbus.Dictionary(
                {key: dbus.Array(data, signature="y") for key, data in services}, signature="sv")
        known = self.devices.get(path)
        self.devices[path] = {"rssi": rssi, "data": (companies, services), "kind": kind, "address": address}
        if known is None:
            first = {
                "Address": dbus.String(address), "AddressType": dbus.String(kind), "Paired": dbus.Boolean(False),
                "Alias": dbus.String(address.replace(":", "-")), "Adapter": dbus.ObjectPath(self.path), **frame,
                "UUIDs": dbus.Array([], signature="s"), "Connected": dbus.Boolean(False),
            }
            signal("/", OBJECTS, "InterfacesAdded", "oa{sa{sv}}", path, {DEVICE: first})
        else:
            # DuplicateData repeats unchanged data; any filter repeats the strength, otherwise only steps of 8 dB count.
            if known["data"] == (companies, services) and not wanted.get("DuplicateData"):
                frame.pop("ManufacturerData", None)
                frame.pop("ServiceData", None)
            if not wanted and abs(known["rssi"] - rssi) < 8:
                self.devices[path]["rssi"] = known["rssi"]
                frame.pop("RSSI")
            if frame:
                changed(path, DEVICE, frame)
        for client, monitor in self.active:
            bus.call_async(client, monitor, MONITOR, "DeviceFound", "o", (dbus.ObjectPath(path),), None, None)


def watch(client):
    if client in watches:
        return

    def followed(owner):
        if owner:
            return
        watches.pop(client).cancel()
        for adapter in adapters.values():
            adapter.forget(client)

    watches[client] = bus.watch_name_owner(client, followed)


def managed_objects():
    objects = {}
    for adapter in adapters.values():
        objects[dbus.ObjectPath(adapter.path)] = adapter.interfaces()
        for path, device in adapter.devices.items():
            objects[dbus.ObjectPath(path)] = {DEVICE: {
                "Address": dbus.String(device["address"]), "AddressType": dbus.String(device["kind"])}}
    return dbus.Dictionary(objects, signature="oa{sa{sv}}")


def call_bluez(call):
    """Handles a call to org.bluez; returns (values, signature), or None if the reply is sent later."""
    if mode["denied"]:
        raise dbus.DBusException("rejected by the policy", name="org.freedesktop.DBus.Error.AccessDenied")
    path, interface, member, arguments = call.get_path(), call.get_interface(), call.get_member(), call.get_args_list()
    if interface == OBJECTS and path == "/":
        return [managed_objects()], "a{oa{sa{sv}}}"
    adapter = next((adapter for adapter in adapters.values() if adapter.path == path), None)
    if adapter is None:
        raise dbus.DBusException("no such object", name="org.freedesktop.DBus.Error.UnknownObject")
    client = call.get_sender()
    if interface == PROPERTIES and member == "GetAll":
        return [dbus.Dictionary(adapter.properties(), signature="sv")], "a{sv}"
    if interface == PROPERTIES and member == "Set" and arguments[1] == "Powered":
        adapter.set_powered(bool(arguments[2]))
    elif member == "SetDiscoveryFilter":
        adapter.set_filter(client, arguments[0])
    elif member == "StartDiscovery":
        adapter.start(client)
    elif member == "StopDiscovery":
        adapter.stop(client)
    elif interface == MANAGER and member == "RegisterMonitor":
        adapter.register_monitor(client, arguments[0])
    elif interface == MANAGER and member == "UnregisterMonitor":
        adapter.unregister_monitor(client, arguments[0])
    elif interface == ADVERTISING and member == "RegisterAdvertisement":
        adapter.register_advertisement(call, arguments[0])
        return None
    elif interface == ADVERTISING and member == "UnregisterAdvertisement":
        adapter.unregister_advertisement(client, arguments[0])
    else:
        raise dbus.DBusException("no such method", name="org.freedesktop.DBus.Error.UnknownMethod")
    return [], ""


def add_adapter(name):
    adapters[name] = Adapter(name)
    signal("/", OBJECTS, "InterfacesAdded", "oa{sa{sv}}", adapters[name].path, adapters[name].interfaces())


def remove_adapter(name):
    adapter = adapters.pop(name)
    signal("/", OBJECTS, "InterfacesRemoved", "oas", adapter.path, [ADAPTER])


def unplug_untold(name):
    """Removes an adapter just after it was announced; the signal of its removal is late."""
    adapter = adapters.pop(name)
    signal("/", OBJECTS, "InterfacesAdded", "oa{sa{sv}}", adapter.path, adapter.interfaces())


def leave():
    """Ends bluetoothd, which forgets everything about its clients."""
    bus.release_name("org.bluez")
    for adapter in adapters.values():
        adapter.clients, adapter.filters, adapter.devices = {}, {}, {}
        adapter.monitors, adapter.active, adapter.advertisements = [], [], {}


def end_discovery(name):
    adapters[name].end_discovery()


def storm(name, devices, total):
    for number in range(total):
        device = number % devices
        data = dbus.ByteArray(bytes.fromhex("0215" + "21eecf71d5c74a009b9027c94b5146ea" + "0001") +
                              device.to_bytes(2, "big") + b"\xc5")
        adapters[name].advertise(f"C0:00:00:00:{device >> 8:02X}:{device & 255:02X}", "random", [(76, data)], [], -60)


def described(advertisement):
    data = advertisement.get("ManufacturerData", {})
    return {"type": str(advertisement.get("Type", "")),
            "data": {str(int(key)): bytes(value).hex() for key, value in data.items()}}


def state():
    return json.dumps({
        name: {
            "powered": adapter.powered, "discovering": len(adapter.clients), "monitors": len(adapter.monitors),
            "active": len(adapter.active),
            "advertisements": [described(entry) for entry in adapter.advertisements.values()],
            "filters": [{key: str(value) for key, value in entry.items()} for entry in adapter.filters.values()],
        } for name, adapter in adapters.items()})


def set_mode(key, value):
    mode[key] = json.loads(value)


CONTROL = {
    "AddAdapter": add_adapter, "RemoveAdapter": remove_adapter, "UnplugUntold": unplug_untold,
    "Leave": leave, "Storm": storm, "Mode": set_mode,
    "Return": lambda: bus.request_name("org.bluez"), "EndDiscovery": end_discovery, "State": state,
    "SetPowered": lambda name, is_on: adapters[name].set_powered(bool(is_on)),
    "Release": lambda name: adapters[name].release_advertisements(),
    "Advertise": lambda name, address, kind, companies, services, rssi: adapters[name].advertise(
        str(address), str(kind), [(int(key), data) for key, data in companies],
        [(str(key), data) for key, data in services], int(rssi)),
}


def receive(connection, call):
    if not isinstance(call, dbus.lowlevel.MethodCallMessage):
        return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED
    is_control = call.get_interface() == "org.example.Fake"
    if not is_control and mode["silent"]:
        return dbus.lowlevel.HANDLER_RESULT_HANDLED
    try:
        if is_control:
            text = CONTROL[call.get_member()](*call.get_args_list())
            values, signature = ([text], "s") if isinstance(text, str) else ([], "")
        else:
            answer = call_bluez(call)
            if answer is None:
                return dbus.lowlevel.HANDLER_RESULT_HANDLED
            values, signature = answer
        reply = dbus.lowlevel.MethodReturnMessage(call)
        reply.append(*values, signature=signature)
    except Refusal as error:
        reply = dbus.lowlevel.ErrorMessage(call, error.name, str(error))
    except dbus.DBusException as error:
        reply = dbus.lowlevel.ErrorMessage(call, error.get_dbus_name(), error.get_dbus_message())
    except Exception as error:
        reply = dbus.lowlevel.ErrorMessage(call, "org.example.Error.Fake", repr(error))
    if not call.get_no_reply():
        connection.send_message(reply)
    return dbus.lowlevel.HANDLER_RESULT_HANDLED


bus.add_message_filter(receive)
for name in sys.argv[1:]:
    adapters[name] = Adapter(name)
bus.request_name("org.example.Fake")
bus.request_name("org.bluez")
loop = GLib.MainLoop()
threading.Thread(target=lambda: (sys.stdin.read(), GLib.idle_add(loop.quit)), daemon=True).start()
print("ready", flush=True)
loop.run()
