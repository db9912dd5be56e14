import CDBus
import Dispatch
import OperatingSystem

/// One private libdbus connection and all its state. Not Sendable: the actor that created it uses it on its queue, and
/// libdbus calls back there.
///
/// “Connections returned by dbus_bus_get_private() must be closed with dbus_connection_close() before the last
/// reference is dropped” (dbus-bus.c). No thread ever blocks in this connection: a reply would then wait for the next
/// poll.
final class Link {
    let queue: DispatchQueue
    /// The actor to which this link is isolated.
    weak var owner: DBusConnection?
    var connection: OpaquePointer?
    /// The sockets that libdbus watches, by its watches.
    var sources: [OpaquePointer: DescriptorSource] = [:]
    /// The pause after the socket is empty, so that a flood of messages seldom wakes the process.
    var readingPause: Duration = .zero
    /// The number of the current reading pause; nil if there is none.
    var pause: UInt64?
    /// Whether libdbus is delivering messages, which it must not be asked to do again meanwhile.
    var isDraining = false
    var isDrainScheduled = false
    /// The reason why the bus connection was lost.
    var loss: DBusError?

    /// The calls that wait for their replies.
    var waiters: [Waiter.ID: Waiter] = [:]
    /// The earliest deadline for which a timer runs.
    var nextExpiry = DispatchTime.distantFuture
    var subscriptions: [Subscription] = []
    /// The senders in the rules of all subscriptions, each with the number of rules that use it.
    var trackedNames: [String: (name: TrackedName, uses: Int)] = [:]
    /// The objects that peers can call, by path.
    var exports: [String: Export] = [:]
    var nextToken: UInt64 = 0
    /// Tasks that wait until the connection is closed or lost.
    var lossWaiters: [CheckedContinuation<DBusError, Never>] = []

    init(queue: DispatchQueue) {
        self.queue = queue
    }

    deinit { close() }

    /// Connects, sends Hello and sets up the descriptors. Blocks until the bus replies, at most 25 s.
    func open(_ address: DBusAddress) throws(DBusError) {
        let connection = try Self.connect(address)
        self.connection = connection
        dbus_connection_set_exit_on_disconnect(connection, 0)
        dbus_connection_set_max_message_size(connection, DBusMessageWriter.sizeLimit)
        // Unretained: close() removes all of these before this object is freed.
        let context = Unmanaged.passUnretained(self).toOpaque()
        guard dbus_connection_add_filter(connection, receiveMessage, context, nil) != 0,
            dbus_connection_set_watch_functions(connection, addWatch, removeWatch, toggleWatch, context, nil) != 0
        else {
            close()
            throw .outOfMemory
        }
        dbus_connection_set_dispatch_status_function(connection, dispatchStatusChanged, context, nil)
        // Messages that arrived together with the reply to Hello are already queued, and no descriptor event follows
        // for them.
        scheduleDrain()
    }

    var uniqueName: String? {
        guard let connection, let name = dbus_bus_get_unique_name(connection) else { return nil }
        return String(cString: name)
    }

    /// Closes the connection. Waiting calls are not resumed: ``lose(_:)`` does that first.
    func close() {
        guard let connection else { return }
        self.connection = nil
        dbus_connection_set_dispatch_status_function(connection, nil, nil, nil)
        dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
        dbus_connection_remove_filter(connection, receiveMessage, Unmanaged.passUnretained(self).toOpaque())
        sources = [:]
        dbus_connection_close(connection)
        dbus_connection_unref(connection)
    }

    /// Fails every pending operation on this connection, and closes it.
    func lose(_ reason: DBusError) {
        guard loss == nil else { return }
        loss = reason
        close()
        let (waiters, subscriptions, lossWaiters) = (waiters, subscriptions, lossWaiters)
        self.waiters = [:]
        self.subscriptions = []
        self.lossWaiters = []
        exports = [:]
        for waiter in waiters.values { waiter.complete(.failure(reason)) }
        for subscription in subscriptions { subscription.onEnd(reason) }
        for waiter in lossWaiters { waiter.resume(returning: reason) }
    }

    /// libdbus's connection; throws the reason if it is closed, lost or was never opened.
    func usableConnection() throws(DBusError) -> OpaquePointer {
        if let loss { throw loss }
        guard let connection else { throw .disconnected(reason: "it was never opened") }
        return connection
    }

    /// Runs the body later on the queue, unless the link has been freed by then.
    func later(at time: DispatchTime? = nil, _ body: @escaping @Sendable (Link) -> Void) {
        let work: @Sendable () -> Void = { [weak owner] in
            owner?.assumeIsolated { body($0.link) }
        }
        if let time { queue.asyncAfter(deadline: time, execute: work) } else { queue.async(execute: work) }
    }

    /// A number that no other call, subscription, export or pause of this link has.
    func token() -> UInt64 {
        nextToken += 1
        return nextToken
    }

    /// Opens a private connection and registers with the bus.
    private static func connect(_ address: DBusAddress) throws(DBusError) -> OpaquePointer {
        var problem = CDBus.DBusError()
        dbus_error_init(&problem)
        defer { dbus_error_free(&problem) }
        switch address {
        case .system:
            if let connection = dbus_bus_get_private(DBUS_BUS_SYSTEM, &problem) { return connection }
        case .address(let text):
            try DBusNames.check(text: text)
            guard let connection = dbus_connection_open_private(text, &problem) else { break }
            if dbus_bus_register(connection, &problem) != 0 { return connection }
            dbus_connection_close(connection)
            dbus_connection_unref(connection)
        }
        throw .cannotConnect(address: address.description, reason: problem.text)
    }
}

/// The link that a libdbus callback belongs to.
func link(_ context: UnsafeMutableRawPointer?) -> Link? {
    context.map { Unmanaged<Link>.fromOpaque($0).takeUnretainedValue() }
}
