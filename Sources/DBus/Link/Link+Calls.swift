import CDBus
import Dispatch

/// A call that waits for its answer.
struct Waiter {
    /// libdbus's serial number of the call: unique while the connection lives.
    typealias ID = UInt32

    let token: UInt64
    let member: String
    let limit: Duration
    let deadline: DispatchTime
    /// Called once, on the queue.
    let complete: (Result<DBusMessage, any Error>) -> Void
}

extension Link {
    /// Sends a message; answers its serial number.
    @discardableResult
    func send(_ message: DBusMessage) throws(DBusError) -> UInt32 {
        let connection = try live()
        var serial: UInt32 = 0
        guard dbus_connection_send(connection, message.pointer, &serial) != 0 else { throw .outOfMemory }
        return serial
    }

    /// Sends a call, and remembers what waits for its answer.
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
            expire(at: deadline)
            resumeReading()
        } catch {
            complete(.failure(error))
        }
    }

    /// Sends a call and asks for no answer.
    func post(_ call: DBusCall) throws(DBusError) {
        let message = try call.message()
        dbus_message_set_no_reply(message.pointer, 1)
        try send(message)
    }

    func cancel(_ token: UInt64) {
        guard let serial = waiters.first(where: { $0.value.token == token })?.key else { return }
        waiters.removeValue(forKey: serial)?.complete(.failure(CancellationError()))
    }

    /// Answers late ones too as its own, or libdbus would go on looking for somebody.
    func answer(_ raw: OpaquePointer) -> Bool {
        guard let waiter = waiters.removeValue(forKey: dbus_message_get_reply_serial(raw)) else { return true }
        let message = DBusMessage(borrowing: raw)
        let isError = dbus_message_get_type(raw) == DBUS_MESSAGE_TYPE_ERROR
        waiter.complete(isError ? .failure(message.error) : .success(message))
        return true
    }

    /// One Dispatch timer at a time, for the deadline that comes first.
    private func expire(at deadline: DispatchTime) {
        guard deadline < nextExpiry else { return }
        nextExpiry = deadline
        later(at: deadline) { $0.expireOverdue() }
    }

    private func expireOverdue() {
        let now = DispatchTime.now()
        let overdue = waiters.filter { $0.value.deadline <= now }
        for (serial, waiter) in overdue {
            waiters[serial] = nil
            waiter.complete(.failure(DBusError.timedOut(member: waiter.member, after: waiter.limit)))
        }
        nextExpiry = .distantFuture
        if let next = waiters.values.map(\.deadline).min() { expire(at: next) }
    }
}

extension Duration {
    /// Nanoseconds from none to a year: Dispatch adds them to the clock unchecked.
    var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = max(.zero, min(self, .seconds(31_536_000))).components
        return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
