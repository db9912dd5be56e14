/// The transfers that have a place, and those that wait for one. Times are in nanoseconds.
///
/// A holder that lost a place, or left it before the file was complete, comes after all others for a minute, and takes
/// no place from others. Otherwise a few stalling accounts could take the places from the rest in turn.
struct TransferTable: Sendable {
    /// The outcome of ``enter(_:_:at:isKept:lose:)``.
    enum Entry: Sendable {
        /// - Parameter displaced: ends the transfer that had the place before.
        case entered(displaced: (@Sendable () -> Void)?)
        /// The transfer waits for a place.
        case waiting
        /// The holder has as many transfers as it may, or too many wait.
        case refused
    }

    /// The state of a transfer at a time.
    private struct Mark: Sendable {
        let time: Int64
        /// The number of bytes that had moved.
        let moved: Int
    }

    private struct Transfer: Sendable {
        let parts: [BodyBudget.Holder]
        /// Ends the transfer, which has lost its place.
        let lose: @Sendable () -> Void
        /// Whether bytes move, so that the place can be lost.
        var isMoving: Bool
        /// When it got its place.
        var begin: Int64
        /// The beginning of the period over which its speed is measured. A new period begins each time the grace has
        /// passed, so that a quick start does not count forever.
        var measuredSince: Mark
        /// The beginning of the next period.
        var nextMark: Mark
        /// The number of bytes that have moved.
        var moved = 0
        var lastMove: Int64

        init(parts: [BodyBudget.Holder], isMoving: Bool, lose: @escaping @Sendable () -> Void, at now: Int64) {
            (self.parts, self.isMoving, self.lose) = (parts, isMoving, lose)
            (begin, lastMove) = (now, now)
            measuredSince = Mark(time: now, moved: 0)
            nextMark = measuredSince
        }

        mutating func addMoved(_ bytes: Int, at now: Int64, grace: Int64) {
            if now - nextMark.time >= grace {
                measuredSince = nextMark
                nextMark = Mark(time: now, moved: moved)
            }
            moved += bytes
            lastMove = now
        }

        /// The speed in bytes per nanosecond; 0 if nothing has moved for the grace, and while it is not known.
        func speed(at now: Int64, grace: Int64) -> Double {
            if now - lastMove >= grace || now - begin < grace / 5 { return 0 }
            return Double(moved - measuredSince.moved) / Double(max(now - measuredSince.time, 1))
        }
    }

    /// A holder that comes after all others.
    private struct Debt: Sendable {
        let parts: [BodyBudget.Holder]
        let until: Int64
    }

    /// The maximum number of transfers that wait.
    static let mostWaiting = 32
    /// The speed, in bytes per nanosecond, from which a client does its part: 16 KiB a second, which the registry also
    /// expects of a long body.
    private static let steady = Double(16 << 10) / 1_000_000_000
    /// How long a holder comes after all others.
    private static let debtTime = Duration.seconds(60).nanoseconds
    /// The maximum number of debts; then the oldest is forgotten.
    private static let mostDebts = 256

    /// The number of files that are in memory at a time.
    private let places: Int
    /// The number of places for one owner, and for one address.
    private let share: Int
    /// The time after which a transfer can lose its place: before that, its speed says little.
    private let grace: Int64

    /// The transfers that have places, by number.
    private var transfers: [UInt64: Transfer] = [:]
    /// The parts of the holders that wait, by the number of the transfer.
    private var waiting: [UInt64: [BodyBudget.Holder]] = [:]
    /// Transfers that have lost their places and not ended yet, and whether they were steady.
    private var lost: [UInt64: Bool] = [:]
    /// The latest last.
    private var debts: [Debt] = []
    private var lastNumber: UInt64 = 0

    init(places: Int, share: Int, grace: Duration) {
        self.places = places
        self.share = share
        self.grace = grace.nanoseconds
    }

    /// The number of a new transfer: the smaller, the longer it has waited.
    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Takes a place for a transfer, or lets it wait; a waiting transfer calls this again.
    mutating func enter(
        _ number: UInt64, _ holder: BodyBudget.Holder, at now: Int64, isKept: Bool = false,
        lose: @escaping @Sendable () -> Void
    ) -> Entry {
        debts.removeAll { $0.until <= now }
        if waiting[number] == nil {
            guard holder.parts.allSatisfy(hasRoom), makeRoom(for: holder.parts) else { return .refused }
            waiting[number] = holder.parts
        }
        guard isNext(number, holder.parts) else { return .waiting }
        var displaced: Transfer?
        if transfers.count >= places {
            guard !hasDebt(holder.parts), let slowest = slowest(at: now) else { return .waiting }
            displaced = displace(slowest, at: now)
        }
        waiting[number] = nil
        transfers[number] = Transfer(parts: holder.parts, isMoving: !isKept, lose: lose, at: now)
        return .entered(displaced: displaced?.lose)
    }

    /// Whether a part of a holder may have another transfer.
    private func hasRoom(_ part: BodyBudget.Holder) -> Bool {
        let seated = transfers.values.count { $0.parts.contains(part) }
        let queued = waiting.values.count { $0.contains(part) }
        return seated + queued < (part.network == nil ? share : 2 * share)
    }

    private func hasDebt(_ parts: [BodyBudget.Holder]) -> Bool {
        debts.contains { debt in parts.contains { debt.parts.contains($0) } }
    }

    /// Whether one more may wait. If too many wait, the last one with a debt makes room for one without.
    private mutating func makeRoom(for parts: [BodyBudget.Holder]) -> Bool {
        guard waiting.count >= Self.mostWaiting else { return true }
        guard !hasDebt(parts) else { return false }
        guard let last = waiting.filter({ hasDebt($0.value) }).keys.max() else { return false }
        waiting[last] = nil
        return true
    }

    /// Whether this transfer is the next: those without a debt come first, and among these the one that has waited
    /// longest.
    private func isNext(_ number: UInt64, _ parts: [BodyBudget.Holder]) -> Bool {
        let isLate = hasDebt(parts)
        let comesBefore: (UInt64, [BodyBudget.Holder]) -> Bool = { otherNumber, otherParts in
            hasDebt(otherParts) == isLate ? otherNumber < number : isLate
        }
        return !waiting.contains { comesBefore($0.key, $0.value) }
    }

    /// The slowest of all transfers; of several, one that is past its grace, and then the one with the fewest bytes
    /// moved. Nil if the slowest is in its grace: an older and faster one must not lose its place instead.
    private func slowest(at now: Int64) -> UInt64? {
        func rank(_ transfer: Transfer) -> (Double, Int, Int, Int64) {
            let isNew = now - transfer.begin < grace
            return (transfer.speed(at: now, grace: grace), isNew ? 1 : 0, transfer.moved, transfer.begin)
        }
        let moving = transfers.filter(\.value.isMoving).sorted { $0.key < $1.key }
        guard let slowest = moving.min(by: { rank($0.value) < rank($1.value) }), now - slowest.value.begin >= grace
        else { return nil }
        return slowest.key
    }

    /// Takes the place of a transfer away.
    private mutating func displace(_ number: UInt64, at now: Int64) -> Transfer? {
        guard let transfer = transfers.removeValue(forKey: number) else { return nil }
        lost[number] = transfer.speed(at: now, grace: grace) >= Self.steady
        recordDebt(of: transfer, at: now)
        return transfer
    }

    private mutating func recordDebt(of transfer: Transfer, at now: Int64) {
        if debts.count >= Self.mostDebts { debts.removeFirst() }
        debts.append(Debt(parts: transfer.parts, until: now + Self.debtTime))
    }

    /// Begins to move a file that was made in a kept place.
    mutating func begin(_ number: UInt64, at now: Int64) {
        guard let kept = transfers[number] else { return }
        transfers[number] = Transfer(parts: kept.parts, isMoving: true, lose: kept.lose, at: now)
    }

    /// Counts bytes of a transfer; returns false if it has lost its place.
    mutating func moved(_ bytes: Int, _ number: UInt64, at now: Int64) -> Bool {
        transfers[number]?.addMoved(bytes, at: now, grace: grace)
        return transfers[number] != nil
    }

    /// Keeps the place of a transfer whose file is complete; returns false if it has lost its place.
    mutating func complete(_ number: UInt64) -> Bool {
        transfers[number]?.isMoving = false
        return transfers[number] != nil
    }

    /// Whether a transfer has lost its place although its client did its part (``steady``).
    func wasLostSteadily(_ number: UInt64) -> Bool { lost[number] == true }

    /// Removes a transfer. One that was not complete makes a debt.
    mutating func leave(_ number: UInt64, at now: Int64) {
        if let transfer = transfers.removeValue(forKey: number), transfer.isMoving {
            recordDebt(of: transfer, at: now)
        }
        waiting[number] = nil
        lost[number] = nil
    }
}

/// The event that notifies a connection, or a stream of HTTP/2, that its upload has lost its place.
struct LostPlace: Sendable {}
