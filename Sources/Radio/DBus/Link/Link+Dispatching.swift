import CDBus
import Dispatch

extension Link {
    /// The maximum number of messages that are delivered before other work on the queue.
    private static let drainLimit = 1024

    /// Delivers the messages that were read. Returns whether there were any.
    @discardableResult
    func drain() -> Bool {
        guard let connection, !isDraining else { return false }
        isDraining = true
        var count = 0
        var status = dbus_connection_get_dispatch_status(connection)
        while count < Self.drainLimit, status == DBUS_DISPATCH_DATA_REMAINS {
            status = dbus_connection_dispatch(connection)
            count += 1
        }
        isDraining = false
        // Close only after libdbus has returned from its dispatch.
        if dbus_connection_get_is_connected(connection) == 0 {
            lose(.disconnected(reason: "the bus closed it"))
        } else if status != DBUS_DISPATCH_COMPLETE {
            scheduleDrain()
        }
        return count > 0
    }

    /// Schedules a dispatch, because libdbus must not be dispatched from within its own callbacks.
    func scheduleDrain() {
        guard !isDrainScheduled else { return }
        isDrainScheduled = true
        later {
            $0.isDrainScheduled = false
            $0.drain()
        }
    }

    /// Returns whether the message was handled.
    func receive(_ message: OpaquePointer) -> Bool {
        switch dbus_message_get_type(message) {
        case DBUS_MESSAGE_TYPE_METHOD_RETURN, DBUS_MESSAGE_TYPE_ERROR: return answer(message)
        case DBUS_MESSAGE_TYPE_SIGNAL: return deliver(message)
        case DBUS_MESSAGE_TYPE_METHOD_CALL: return serve(message)
        default: return false
        }
    }
}

let dispatchStatusChanged: DBusDispatchStatusFunction = { _, status, context in
    guard status == DBUS_DISPATCH_DATA_REMAINS, let link = link(context), !link.isDraining else { return }
    link.scheduleDrain()
}

let receiveMessage: DBusHandleMessageFunction = { _, message, context in
    guard let message, let link = link(context), link.receive(message) else {
        return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
    }
    return DBUS_HANDLER_RESULT_HANDLED
}
