import CPostgreSQL
import Foundation
import Synchronization
import Syntax

/// Receives the notifications of channels (LISTEN) on a separate connection and thread.
///
/// The server keeps no notification for a client that is not connected. So each connection begins with the event
/// ``Event/mayHaveMissed``, after which the receiver should look for changes itself.
package final class Listener: Sendable {
    /// What the receiver gets.
    package enum Event: Sendable, Hashable {
        case notification(channel: String, payload: String)
        /// A connection begins: notifications before it may be lost.
        case mayHaveMissed
    }

    private struct State {
        var isStopping = false
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// What the thread and the handle share, so that the handle's end can stop the thread.
    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    private let shared = Shared()

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - channels: the names of the channels.
    ///   - timelines: shared by all pools and listeners of one database.
    ///   - handler: called on the listener's thread; it must not block.
    package init(
        _ settings: ConnectionSettings, channels: [String], deadlines: Deadlines = Deadlines(),
        timelines: Timelines = Timelines(), _ handler: @escaping @Sendable (Event) -> Void
    ) {
        let shared = shared
        let thread = Thread {
            Self.listen(settings, channels, deadlines, timelines, shared, handler)
            let waiters = shared.state.withLock { state in
                state.hasEnded = true
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }
        thread.name = "postgresql-listen"
        thread.start()
    }

    deinit { shared.state.withLock { $0.isStopping = true } }

    /// Returns when the connection is closed. An attempt to connect delays it by its deadline, and by the look-up of the
    /// hosts’ names, which has none.
    package func stop() async {
        await withCheckedContinuation { continuation in
            let hasEnded = shared.state.withLock { state in
                state.isStopping = true
                if !state.hasEnded { state.waiters.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    /// Connects and receives, again and again, until the listener stops.
    private static func listen(
        _ settings: ConnectionSettings, _ channels: [String], _ deadlines: Deadlines, _ timelines: Timelines,
        _ shared: Shared, _ handler: (Event) -> Void
    ) {
        var backoff = Backoff()
        while !shared.state.withLock(\.isStopping) {
            do {
                let connection = try Connection.open(settings, deadlines, timelines: timelines)
                try connection.listen(to: channels)
                backoff = Backoff()
                handler(.mayHaveMissed)
                try receive(connection, shared, handler)
            } catch {
                Thread.sleep(forTimeInterval: Double(backoff.next().milliseconds) / 1000)
            }
        }
    }

    /// How often the thread checks whether it should stop.
    private static let turn = Duration.milliseconds(500)
    /// After this many turns, the thread checks that the server still answers.
    private static let quietTurns = 20

    /// Passes on notifications until the connection can no longer be used, or the listener stops.
    private static func receive(
        _ connection: Connection, _ shared: Shared, _ handler: (Event) -> Void
    ) throws {
        var turns = 0
        while !shared.state.withLock(\.isStopping), connection.isCurrent {
            if try connection.notifications(within: turn, handler) { turns = 0 } else { turns += 1 }
            guard turns >= quietTurns else { continue }
            turns = 0
            try connection.run("SELECT 1")
        }
    }
}

extension Connection {
    /// Makes the server send the notifications of these channels.
    func listen(to channels: [String]) throws {
        for channel in channels {
            let name = channel.replacing(scalars: ["\"": "\"\""])
            try simple("LISTEN \"\(name)\"", mayCommit: false, within: nil)
        }
    }

    /// Passes on the notifications that arrive within this time; false if none does.
    ///
    /// - Throws: ``PostgreSQLError`` if the connection is lost.
    func notifications(within time: Duration, _ handler: (Listener.Event) -> Void) throws -> Bool {
        try roundTrip(mayCommit: false) {
            guard let pointer = link.pointer else { throw Link.Lost(message: "the connection is closed") }
            // Some may have arrived with the reply to a statement.
            if deliver(pointer, handler) { return true }
            guard Link.poll(PQsocket(pointer), Link.readable, until: .now + time) != 0 else { return false }
            try link.consume()
            return deliver(pointer, handler)
        }
    }

    /// Passes on the notifications that have arrived; false if there are none.
    private func deliver(_ pointer: OpaquePointer, _ handler: (Listener.Event) -> Void) -> Bool {
        var isAny = false
        while let notification = PQnotifies(pointer) {
            defer { PQfreemem(notification) }
            isAny = true
            handler(
                .notification(
                    channel: String(cString: notification.pointee.relname),
                    payload: notification.pointee.extra.map { String(cString: $0) } ?? ""))
        }
        return isAny
    }
}
