import RegistryRules
import Synchronization

/// The places for transfers that each hold a whole file in memory: photos that arrive, and files that are made for
/// their reader. A transfer that waits for a place takes that of the slowest one, so clients that stall cannot keep
/// others out.
final class TransferPlaces: Sendable {
    /// A place, which is free again when nothing refers to it. It has one of two life cycles:
    ///
    /// - A file that arrives, or a response that exists already: the place can be lost from the beginning, and
    ///   ``moved(_:)`` counts the bytes. Then ``complete()`` keeps the place of an upload, because the whole file is in
    ///   memory until the registry has stored it, and ``finish()`` frees the place of a response.
    /// - A file that the registry makes, in a kept place: it can be lost from ``begin()`` on. Then ``moved(_:)`` and
    ///   ``finish()`` as above.
    final class Place: Sendable {
        private let places: TransferPlaces
        fileprivate let number: UInt64

        fileprivate init(_ places: TransferPlaces, _ number: UInt64) {
            self.places = places
            self.number = number
        }

        deinit { leave() }

        private func leave() {
            let now = places.monotonic()
            places.table.withLock { $0.leave(number, at: now) }
        }

        /// Begins to move a file that was made in a kept place: from now on, the client's speed counts.
        func begin() {
            let now = places.monotonic()
            places.table.withLock { $0.begin(number, at: now) }
        }

        /// Counts bytes that have arrived, or were handed over to the connection.
        ///
        /// - Throws: `placeLost`.
        func moved(_ bytes: Int) throws(RequestError) {
            let now = places.monotonic()
            guard places.table.withLock({ $0.moved(bytes, number, at: now) }) else { throw .placeLost }
        }

        /// Keeps the place from now on, because the file is complete.
        ///
        /// - Throws: `placeLost`.
        func complete() throws(RequestError) {
            guard places.table.withLock({ $0.complete(number) }) else { throw .placeLost }
        }

        /// Frees the place, because the file was handed over.
        ///
        /// - Throws: `placeLost`.
        func finish() throws(RequestError) {
            try complete()
            leave()
        }

        /// Whether the place was lost although the client did its part (``TransferTable/steady``).
        var wasLostSteadily: Bool { places.table.withLock { $0.wasLostSteadily(number) } }
    }

    private let table: Mutex<TransferTable>
    /// The clock for waiting. A separate one, because a test may set the other by hand, and then no wait would end.
    private let clock = ContinuousClock()
    /// The time in nanoseconds, by which speeds are measured and debts end.
    private let monotonic: @Sendable () -> Int64

    /// How long a transfer waits for a place.
    private static let patience = Duration.seconds(10)
    /// How often a waiting transfer looks for a place.
    private static let interval = Duration.milliseconds(250)

    /// - Parameters:
    ///   - count: the number of places.
    ///   - share: the places of one owner, and of one address; an IPv6 /48 has twice as many.
    ///   - grace: how long a new transfer keeps its place, however slow it is.
    ///   - now: nanoseconds of a monotonic clock.
    init(_ count: Int, share: Int = 1, grace: Duration = .seconds(5), now: (@Sendable () -> Int64)? = nil) {
        table = Mutex(TransferTable(places: count, share: share, grace: grace))
        let start = ContinuousClock.now
        monotonic = now ?? { (ContinuousClock.now - start).nanoseconds }
    }

    /// Returns a place, perhaps after a wait.
    ///
    /// - Parameters:
    ///   - holder: whom the place counts for.
    ///   - isKept: whether the place cannot be lost before ``Place/begin()``, because the server is still making the
    ///     file.
    ///   - lose: ends the transfer, which has lost its place. Called at most once, by the transfer that takes the
    ///     place, so it must not wait. The transfer may have ended by then.
    /// - Throws: `overloaded`.
    func enter(
        _ holder: BodyBudget.Holder, isKept: Bool = false, lose: @escaping @Sendable () -> Void
    ) async throws -> Place {
        let number = table.withLock { $0.nextNumber() }
        // Leaves the table also if the client goes while it waits.
        let place = Place(self, number)
        let end = clock.now + Self.patience
        repeat {
            let now = monotonic()
            let entry = table.withLock { $0.enter(number, holder, at: now, isKept: isKept, lose: lose) }
            switch entry {
            case .entered(let displaced):
                displaced?()
                return place
            case .refused: throw DomainError.overloaded
            case .waiting: try await clock.sleep(for: Self.interval)
            }
        } while clock.now < end
        throw DomainError.overloaded
    }
}
