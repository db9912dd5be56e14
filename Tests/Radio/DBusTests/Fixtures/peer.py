"""A D-Bus peer written with dbus-python: org.example.Peer at /peer. Prints a line when it owns its name."""
import sys
import threading

import dbus
import dbus.lowlevel
import dbus.mainloop.glib
from gi.repository import GLib

NAME = "org.example.Peer"
dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SystemBus()


def send_signal(member, *values, signature):
    signal = dbus.lowlevel.SignalMessage("/peer", NAME, member)
    signal.append(*values, signature=signature)
    bus.send_message(signal)


def echo(call):
    return call.get_args_list(), call.get_signature()


def burst(call):
    for number in range(call.get_args_list()[0]):
        send_signal("Tick", number, f"tick {number}", signature="us")
    return [], ""


def fail(call):
    raise dbus.DBusException("the kettle is on", name="org.example.Error.Kettle")


def call_object(call):
    """Calls an object of the caller with dbus-python, and returns its reply."""
    path, interface, member, text = call.get_args_list()
    owner = bus.get_object(call.get_sender(), path, introspect=False)

    def answered(*values):
        done = dbus.lowlevel.MethodReturnMessage(call)
        done.append("|".join(str(value) for value in values), signature="s")
        bus.send_message(done)

    def failed(error):
        done = dbus.lowlevel.ErrorMessage(call, error.get_dbus_name(), error.get_dbus_message())
        bus.send_message(done)

    owner.get_dbus_method(member, interface)(text, reply_handler=answered, error_handler=failed)
    return None


METHODS = {"Echo": echo, "Burst": burst, "Fail": fail, "CallObject": call_object, "Never": lambda call: None}


def receive(connection, message):
    if not isinstance(message, dbus.lowlevel.MethodCallMessage) or message.get_interface() != NAME:
        return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED
    try:
        result = METHODS[message.get_member()](message)
        if result is not None:
            reply = dbus.lowlevel.MethodReturnMessage(message)
            reply.append(*result[0], signature=result[1])
            connection.send_message(reply)
    except dbus.DBusException as error:
        reply = dbus.lowlevel.ErrorMessage(message, error.get_dbus_name(), error.get_dbus_message())
        connection.send_message(reply)
    return dbus.lowlevel.HANDLER_RESULT_HANDLED


bus.add_message_filter(receive)
bus.request_name(NAME)
loop = GLib.MainLoop()
threading.Thread(target=lambda: (sys.stdin.read(), GLib.idle_add(loop.quit)), daemon=True).start()
print("ready", flush=True)
loop.run()
