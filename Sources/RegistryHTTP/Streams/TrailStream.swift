import Hummingbird
import NIOCore
import Registry
import RegistryAPI
import ServiceLifecycle
import Synchronization

/// One live stream: an event for each change of a sighting, its identifier the change's revision.
struct TrailStream: Sendable {
    let operations: RegistryOperations
    let follower: TrailFollower
    let heartbeat: Duration
    let seat: TrailStreams.Seat

    private static let pageLimit = 100

    /// Writes until the follower leaves, loses its seat, its token is revoked, the report is gone, or the server shuts down.
    func write(to writer: inout any ResponseBodyWriter) async throws {
        let wake = WakeUp()
        seat.occupy { wake.set(.end) }
        let subscription = operations.trailSignal.follow(follower.report) { wake.set(.change) }
        defer { withExtendedLifetime(subscription) {} }
        let pulse = Task { [heartbeat] in
            while !Task.isCancelled {
                try await Task.sleep(for: heartbeat)
                wake.set(.pulse)
            }
        }
        defer { pulse.cancel() }
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await follow(wake, &writer)
            } onGracefulShutdown: {
                wake.set(.end)
            }
        } onCancel: {
            wake.set(.end)
        }
    }

    private func follow(_ wake: WakeUp, _ writer: inout any ResponseBodyWriter) async throws {
        var revision = follower.revision
        try await writer.write(ByteBuffer(string: "retry: 3000\n\n"))
        try await writeChanges(after: &revision, &writer)
        for await _ in wake.signals {
            let reasons = wake.take()
            if reasons.contains(.end) { return }
            if reasons.contains(.pulse) {
                guard try await isAllowed() else {
                    return try await writer.write(ByteBuffer(string: ": the token is not valid any more\n\n"))
                }
                try await writer.write(ByteBuffer(string: ": \(operations.clock.now)\n\n"))
            }
            if reasons.contains(.change) { try await writeChanges(after: &revision, &writer) }
        }
    }

    private func isAllowed() async throws -> Bool {
        guard let token = follower.token else { return false }
        return try await operations.credential(token: token)?.principal == .owner(follower.owner)
    }

    private func writeChanges(after revision: inout Int64, _ writer: inout any ResponseBodyWriter) async throws {
        while true {
            let changes = try await operations.sightingChanges(
                of: follower.report, on: follower.bike, owner: follower.owner, after: revision, limit: Self.pageLimit
            )
            for change in changes {
                var event = ByteBuffer(string: "id: \(change.revision)\nevent: sighting\ndata: ")
                event.writeImmutableBuffer(try JSONBody.encode(change.sighting))
                event.writeString("\n\n")
                try await writer.write(event)
                revision = change.revision
            }
            if changes.count < Self.pageLimit { return }
        }
    }
}

/// Reasons to wake up; those that come while nobody waits gather.
private final class WakeUp: Sendable {
    struct Reasons: OptionSet, Sendable {
        let rawValue: Int
        static let change = Reasons(rawValue: 1)
        static let pulse = Reasons(rawValue: 2)
        static let end = Reasons(rawValue: 4)
    }

    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let reasons = Mutex<Reasons>([])

    init() {
        (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func set(_ reason: Reasons) {
        reasons.withLock { _ = $0.insert(reason) }
        continuation.yield()
    }

    func take() -> Reasons {
        reasons.withLock { reasons in
            defer { reasons = [] }
            return reasons
        }
    }
}
