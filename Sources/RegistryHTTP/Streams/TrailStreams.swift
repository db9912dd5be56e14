import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI
import Synchronization

/// Who follows which report, and from where on.
struct TrailFollower: Sendable {
    let report: ReportID
    let bike: BikeID
    let owner: OwnerID
    /// What the request was authenticated by: looked at again while the stream is open.
    let token: String?
    /// The last change that the follower has seen.
    var revision: Int64
}

/// The live streams that are open, bounded in number.
final class TrailStreams: Sendable {
    struct Limits: Sendable {
        var perOwner = 5
        var total = 1000
        /// Between two signs of life; each also looks whether the token still counts. Well below a minute.
        var heartbeat = Duration.seconds(15)
    }

    /// One of the streams that may be open: free again when it is released.
    final class Seat: Sendable {
        private let leave: @Sendable () -> Void

        fileprivate init(leave: @escaping @Sendable () -> Void) { self.leave = leave }

        deinit { leave() }
    }

    private let operations: RegistryOperations
    private let limits: Limits
    private let open = Mutex<[OwnerID: Int]>([:])

    init(operations: RegistryOperations, limits: Limits = Limits()) {
        self.operations = operations
        self.limits = limits
    }

    /// The answer that goes on for as long as the follower stays and may.
    func open(_ follower: TrailFollower) throws -> Response {
        let seat = try enter(follower.owner)
        let stream = TrailStream(operations: operations, follower: follower, heartbeat: limits.heartbeat)
        let body = ResponseBody { writer in
            try await stream.write(to: &writer)
            try await writer.finish(nil)
            withExtendedLifetime(seat) {}
        }
        // Proxies that gather answers would keep events back.
        var headers: HTTPFields = [.contentType: MediaType.eventStream, .cacheControl: "no-store"]
        if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
        return Response(status: .ok, headers: headers, body: body)
    }

    private func enter(_ owner: OwnerID) throws -> Seat {
        try open.withLock { open in
            let own = open[owner, default: 0]
            guard own < limits.perOwner else { throw DomainError.tooManyStreams(limits.perOwner) }
            guard open.values.reduce(0, +) < limits.total else { throw DomainError.tooManyStreams(limits.total) }
            open[owner] = own + 1
        }
        return Seat { [weak self] in
            self?.open.withLock { open in
                let rest = open[owner, default: 1] - 1
                open[owner] = rest > 0 ? rest : nil
            }
        }
    }
}
