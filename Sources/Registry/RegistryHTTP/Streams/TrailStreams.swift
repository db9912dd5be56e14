import HTTPTypes
import Hummingbird
import NIOCore
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL
import Synchronization

/// The open live streams, limited in number.
final class TrailStreams: Sendable {
    struct Limits: Sendable {
        /// The number of streams that count for one owner.
        var perOwner = 5
        /// The number of all streams.
        var total = 1000
        /// The interval of heartbeats; each also checks whether the token is still valid. Well below a minute.
        var heartbeat = Duration.seconds(15)

        /// The limits for those who have links to searches; an owner's links together have one limit.
        var ofShares: Limits { Limits(perOwner: 4 * perOwner, total: max(1, total / 2), heartbeat: heartbeat) }
    }

    /// One of the limited number of streams: it becomes free when it is released or taken away.
    final class Seat: Sendable {
        private enum State {
            case taken(end: (@Sendable () -> Void)?)
            case lost
        }

        private let state = Mutex(State.taken(end: nil))
        private let leave: @Sendable () -> Void

        fileprivate init(leave: @escaping @Sendable () -> Void) { self.leave = leave }

        deinit { leave() }

        /// Says how to end the stream that has this seat.
        ///
        /// - Parameter end: ends the stream; called immediately if the seat is already lost.
        func occupy(_ end: @escaping @Sendable () -> Void) {
            let isLost = state.withLock { state in
                if case .lost = state { return true }
                state = .taken(end: end)
                return false
            }
            if isLost { end() }
        }

        /// Frees the seat for others and ends its stream.
        func giveUp() {
            leave()
            let end = state.withLock { state -> (@Sendable () -> Void)? in
                guard case .taken(let end) = state else { return nil }
                state = .lost
                return end
            }
            end?()
        }
    }

    private let operations: RegistryOperations
    private let limits: Limits
    private let seating = Mutex(Seating())

    init(operations: RegistryOperations, limits: Limits = Limits()) {
        self.operations = operations
        self.limits = limits
    }

    /// Opens a stream: a response that lasts while the follower stays and has access.
    func open(_ follower: TrailFollower, over connection: any NIOCore.Channel) throws -> Response {
        let seat = try enter(follower.owner)
        let stream = TrailStream(
            operations: operations, follower: follower, heartbeat: limits.heartbeat, seat: seat, connection: connection)
        let body = ResponseBody { writer in
            let watch = ClosedConnectionHandler { [weak seat] in seat?.giveUp() }
            try await connection.pipeline.addHandler(watch, position: .first).get()
            defer { connection.pipeline.removeHandler(watch, promise: nil) }
            try await stream.write(to: &writer)
            try await writer.finish(nil)
        }
        let headers: HTTPFields = [
            .contentType: MediaType.eventStream, .cacheControl: "no-store",
            // A proxy that buffers responses would delay events.
            .xAccelBuffering: "no",
        ]
        return Response(status: .ok, headers: headers, body: body)
    }

    /// A seat for a stream of an owner. If all are taken, the oldest of an owner with more streams is taken away.
    ///
    /// - Throws: `tooManyStreams`.
    private func enter(_ owner: OwnerID) throws -> Seat {
        let number = seating.withLock { seating in
            seating.last += 1
            return seating.last
        }
        let seat = Seat { [weak self] in self?.leave(owner, number) }
        let loser = try seating.withLock { seating throws(DomainError) in
            let own = seating.count(of: owner)
            guard own < limits.perOwner else { throw DomainError.tooManyStreams(limits.perOwner) }
            var loser: Seat?
            if seating.total >= limits.total {
                guard let oldest = seating.oldest(ofOwnerWithMoreThan: own) else {
                    throw DomainError.tooManyStreams(limits.total)
                }
                loser = oldest.taken.seat
                seating.remove(oldest.taken.number, of: oldest.owner)
            }
            seating.add(seat, number, of: owner)
            return loser
        }
        // Called outside the lock, because giving up acquires it again.
        loser?.giveUp()
        return seat
    }

    private func leave(_ owner: OwnerID, _ number: UInt64) {
        seating.withLock { $0.remove(number, of: owner) }
    }
}

/// The seats and their holders, the oldest first.
private struct Seating: Sendable {
    struct Taken: Sendable {
        let number: UInt64
        weak var seat: TrailStreams.Seat?
    }

    private var seats: [OwnerID: [Taken]] = [:]
    private(set) var total = 0
    /// The number of the last seat that was assigned.
    var last: UInt64 = 0

    func count(of owner: OwnerID) -> Int { seats[owner, default: []].count }

    mutating func add(_ seat: TrailStreams.Seat, _ number: UInt64, of owner: OwnerID) {
        seats[owner, default: []].append(Taken(number: number, seat: seat))
        total += 1
    }

    mutating func remove(_ number: UInt64, of owner: OwnerID) {
        guard var own = seats[owner], let index = own.firstIndex(where: { $0.number == number }) else { return }
        own.remove(at: index)
        seats[owner] = own.isEmpty ? nil : own
        total -= 1
    }

    /// The oldest seat of the owner with the most seats; among several such owners, the one whose seat is oldest. Nil
    /// if no owner has more than `count`.
    func oldest(ofOwnerWithMoreThan count: Int) -> (owner: OwnerID, taken: Taken)? {
        let most = seats.filter { $0.value.count > count }.max { one, other in
            (one.value.count, other.value.first?.number ?? 0) < (other.value.count, one.value.first?.number ?? 0)
        }
        guard let most, let oldest = most.value.first else { return nil }
        return (most.key, oldest)
    }
}

/// Reports when a connection closes, even if only the client's half is closed: a follower sends no more requests over
/// it, and would otherwise be missed only at the next heartbeat.
private final class ClosedConnectionHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = Never

    private let onClose: @Sendable () -> Void

    init(_ onClose: @escaping @Sendable () -> Void) { self.onClose = onClose }

    func channelInactive(context: ChannelHandlerContext) {
        onClose()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed = event as? ChannelEvent { onClose() }
        context.fireUserInboundEventTriggered(event)
    }
}
