import CDBus
import Dispatch

/// A call that waits for its reply.
struct Waiter {
    /// libdbus's serial number of the call, unique within the connection.
    typealias ID = UInt32

    let token: UInt64
    let member: String
    /// How long the caller wanted to wait, for the error.
    let limit: Duration
    let deadline: DispatchTime
    /// Called once, on the queue.
    let complete: (Result<DBusMessage, any Error>) -> Void
}

extension Link {
    /// Sends a message; returns its serial number.
    @discardableResult
    func send(_ message: DBusMessage) throws(DBusError) -> UInt32 {
        let connection = try usableConnection()
        var serial: UInt32 = 0
        guard dbus_connection_send(connection, message.pointer, &serial) != 0 else { throw .outOfMemory }
        return serial
    }

    /// Sends a call, and registers a waiter for its reply.
    func send(
        _ call: DBusCall, limit: Duration, token: UInt64,
        _ complete: @escaping (Result<DBusMessage, any Error>) -> Void
    ) {
        do {
            let serial = try send(call.message())
            let deadline = DispatchTime.now() + limit.dispatchInterval
            waiters[serial] = Waiter(
                token: token, member: call.member, limit: limit, deadline: deadline, complete: complete
            )
            scheduleExpiry(at: deadline)
            resumeReading()
        } catch {
            complete(.failure(error))
        }
    }

    /// Sends a call without requesting a reply.
    func post(_ call: DBusCall) throws(DBusError) {
        let message = try call.message()
        dbus_message_set_no_reply(message.pointer, 1)
        try send(message)
    }

    /// Fails a waiting call whose task was cancelled; a late reply is dropped.
    func cancel(_ token: UInt64) {
        guard let serial = waiters.first(where: { $0.value.token == token })?.key else { return }
        waiters.removeValue(forKey: serial)?.complete(.failure(CancellationError()))
    }

    /// Handles a reply. Returns true for late replies too, or libdbus would look for another handler.
    func answer(_ raw: OpaquePointer) -> Bool {
        guard let waiter = waiters.removeValue(forKey: dbus_message_get_reply_serial(raw)) else { return true }
        let message = DBusMessage(borrowing: raw)
        let isError = dbus_message_get_type(raw) == DBUS_MESSAGE_TYPE_ERROR
        waiter.complete(isError ? .failure(message.error) : .success(message))
        return true
    }

    /// Starts a timer, unless one for an earlier deadline runs already.
    private func scheduleExpiry(at deadline: DispatchTime) {
        guard deadline < nextExpiry else { return }
        nextExpiry = deadline
        later(at: deadline) { $0.expireOverdue() }
    }

    /// Fails the calls whose deadlines have passed, and starts the timer for the next.
    private func expireOverdue() {
        let now = DispatchTime.now()
        let overdue = waiters.filter { $0.value.deadline <= now }
        for (serial, waiter) in overdue {
            waiters[serial] = nil
            waiter.complete(.failure(DBusError.timedOut(member: waiter.member, after: waiter.limit)))
        }
        nextExpiry = .distantFuture
        if let next = waiters.values.map(\.deadline).min() { scheduleExpiry(at: next) }
    }
}

extension Duration {
    /// The duration in nanoseconds, from zero to a year: Dispatch adds them to the clock unchecked.
    var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = max(.zero, min(self, .seconds(31_536_000))).components
        return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
