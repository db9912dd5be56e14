import Hummingbird
import NIOCore
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL
import ServiceLifecycle
import Synchronization

/// One live stream: an event for each change of a sighting, with the change's revision as its identifier.
struct TrailStream: Sendable {
    let operations: RegistryOperations
    let follower: TrailFollower
    /// The interval of comments, and of checks whether the follower has access.
    let heartbeat: Duration
    /// The stream ends when it loses its seat.
    let seat: TrailStreams.Seat
    let connection: any NIOCore.Channel

    /// The number of changes that are read together.
    private static let pageLimit = 100

    /// Writes until the follower disconnects or loses its seat, it may no longer read, the report is gone,
    /// or the server shuts down.
    func write(to writer: inout any ResponseBodyWriter) async throws {
        let events = StreamEvents()
        seat.occupy { events.set(.end) }
        let subscription = operations.store.signals.trails.follow(follower.report) { events.set(.change) }
        defer { withExtendedLifetime(subscription) {} }
        let pulse = Task { [heartbeat] in
            while !Task.isCancelled {
                try await Task.sleep(for: heartbeat)
                events.set(.pulse)
            }
        }
        defer { pulse.cancel() }
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await follow(events, &writer)
            } onGracefulShutdown: {
                events.set(.end)
            }
        } onCancel: {
            events.set(.end)
        }
    }

    /// Writes all changes so far, and then reacts to events.
    private func follow(_ events: StreamEvents, _ writer: inout any ResponseBodyWriter) async throws {
        var revision = follower.revision
        try await writer.write(ByteBuffer(string: "retry: 3000\n\n"))
        try await writeChanges(after: &revision, &writer)
        for await _ in events.signals {
            let pending = events.take()
            if pending.contains(.end) { return }
            // Also before a change: a token that was revoked must not see where the bike is now.
            guard try await follower.hasAccess() else {
                return try await writer.write(ByteBuffer(string: ": access has ended\n\n"))
            }
            if pending.contains(.pulse) {
                try await writer.write(ByteBuffer(string: ": \(operations.clock.now)\n\n"))
            }
            if pending.contains(.change) { try await writeChanges(after: &revision, &writer) }
        }
    }

    private func writeChanges(after revision: inout Int64, _ writer: inout any ResponseBodyWriter) async throws {
        while true {
            let changes = try await follower.changes(revision, Self.pageLimit)
            for change in changes {
                try await writer.write(change.text, over: connection)
                revision = change.revision
            }
            if changes.count < Self.pageLimit { return }
        }
    }
}

/// The events that a stream has to react to; events that arrive while it writes are collected.
private final class StreamEvents: Sendable {
    struct Events: OptionSet, Sendable {
        let rawValue: Int
        /// A sighting has changed.
        static let change = Events(rawValue: 1)
        /// The heartbeat's interval is over.
        static let pulse = Events(rawValue: 2)
        /// The stream must end.
        static let end = Events(rawValue: 4)
    }

    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let pending = Mutex<Events>([])

    init() {
        (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Notes an event, and wakes the stream.
    func set(_ event: Events) {
        pending.withLock { _ = $0.insert(event) }
        continuation.yield()
    }

    /// The events since the last call.
    func take() -> Events {
        pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
    }
}
