/// The transfers that have a place, and those that wait for one. Times are in nanoseconds.
///
/// A holder that lost a place, or left it before the file was complete, comes after all others for a minute, and takes
/// no place from others. Otherwise a few stalling accounts could take the places from the rest in turn.
struct TransferTable: Sendable {
    enum Entry: Sendable {
        /// - Parameter displaced: ends the transfer that had the place before.
        case entered(displaced: (@Sendable () -> Void)?)
        case waiting
        case refused
    }

    private struct Transfer: Sendable {
        let parts: [BodyBudget.Holder]
        let lose: @Sendable () -> Void
        /// Whether bytes move, so that the place can be lost.
        var isMoving: Bool
        var begin: Int64
        /// The beginning of the period over which its speed is measured, and the bytes that had moved by then. A new
        /// period begins each time the grace has passed, so that a quick start does not count forever.
        var measured: (from: Int64, moved: Int)
        var next: (from: Int64, moved: Int)
        var moved = 0
        var lastMove: Int64

        init(parts: [BodyBudget.Holder], isMoving: Bool, lose: @escaping @Sendable () -> Void, at now: Int64) {
            (self.parts, self.isMoving, self.lose) = (parts, isMoving, lose)
            (begin, lastMove, measured, next) = (now, now, (now, 0), (now, 0))
        }

        mutating func add(_ bytes: Int, at now: Int64, grace: Int64) {
            if now - next.from >= grace { (measured, next) = (next, (now, moved)) }
            moved += bytes
            lastMove = now
        }

        /// The speed in bytes per nanosecond; 0 if nothing has moved for the grace, and while it is not known.
        func speed(at now: Int64, grace: Int64) -> Double {
            if now - lastMove >= grace || now - begin < grace / 5 { return 0 }
            return Double(moved - measured.moved) / Double(max(now - measured.from, 1))
        }
    }

    /// A holder that comes after all others.
    private struct Debt: Sendable {
        let parts: [BodyBudget.Holder]
        let until: Int64
    }

    static let mostWaiting = 32
    /// The speed, in bytes per nanosecond, from which a client does its part: 16 KiB a second, which the registry also
    /// expects of a long body.
    private static let steady = Double(16 << 10) / 1_000_000_000
    private static let debtTime = Duration.seconds(60).nanoseconds
    private static let mostDebts = 256

    /// The number of files that are in memory at a time.
    private let places: Int
    /// The number of places for one owner, and for one address.
    private let share: Int
    /// The time after which a transfer can lose its place: before that, its speed says little.
    private let grace: Int64

    private var transfers: [UInt64: Transfer] = [:]
    private var waiting: [UInt64: [BodyBudget.Holder]] = [:]
    /// Transfers that have lost their places and not ended yet, and whether they were steady.
    private var lost: [UInt64: Bool] = [:]
    /// The latest last.
    private var debts: [Debt] = []
    private var last: UInt64 = 0

    init(places: Int, share: Int, grace: Duration) {
        self.places = places
        self.share = share
        self.grace = grace.nanoseconds
    }

    mutating func nextNumber() -> UInt64 {
        last += 1
        return last
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
            guard !owes(holder.parts), let slowest = slowest(at: now) else { return .waiting }
            displaced = displace(slowest, at: now)
        }
        waiting[number] = nil
        transfers[number] = Transfer(parts: holder.parts, isMoving: !isKept, lose: lose, at: now)
        return .entered(displaced: displaced?.lose)
    }

    /// Whether a part of a holder may have another transfer.
    private func hasRoom(_ part: BodyBudget.Holder) -> Bool {
        let own = transfers.values.count { $0.parts.contains(part) } + waiting.values.count { $0.contains(part) }
        return own < (part.network == nil ? share : 2 * share)
    }

    private func owes(_ parts: [BodyBudget.Holder]) -> Bool {
        debts.contains { debt in parts.contains(where: debt.parts.contains) }
    }

    /// Whether one more may wait. If too many wait, the last one with a debt makes room for one without.
    private mutating func makeRoom(for parts: [BodyBudget.Holder]) -> Bool {
        guard waiting.count >= Self.mostWaiting else { return true }
        guard !owes(parts), let last = waiting.filter({ owes($0.value) }).keys.max() else { return false }
        waiting[last] = nil
        return true
    }

    /// Whether this transfer is the next: those without a debt come first, and among these the one that has waited
    /// longest.
    private func isNext(_ number: UInt64, _ parts: [BodyBudget.Holder]) -> Bool {
        let owes = owes(parts)
        return !waiting.contains { other, others in
            let otherOwes = self.owes(others)
            return otherOwes == owes ? other < number : owes
        }
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

    private mutating func displace(_ number: UInt64, at now: Int64) -> Transfer? {
        guard let transfer = transfers.removeValue(forKey: number) else { return nil }
        lost[number] = transfer.speed(at: now, grace: grace) >= Self.steady
        note(transfer, at: now)
        return transfer
    }

    private mutating func note(_ transfer: Transfer, at now: Int64) {
        if debts.count >= Self.mostDebts { debts.removeFirst() }
        debts.append(Debt(parts: transfer.parts, until: now + Self.debtTime))
    }

    /// Begins to move a file.
    mutating func begin(_ number: UInt64, at now: Int64) {
        guard let kept = transfers[number] else { return }
        transfers[number] = Transfer(parts: kept.parts, isMoving: true, lose: kept.lose, at: now)
    }

    /// Returns false if the transfer has lost its place.
    mutating func moved(_ bytes: Int, _ number: UInt64, at now: Int64) -> Bool {
        transfers[number]?.add(bytes, at: now, grace: grace)
        return transfers[number] != nil
    }

    /// Returns false if the transfer has lost its place.
    mutating func complete(_ number: UInt64) -> Bool {
        transfers[number]?.isMoving = false
        return transfers[number] != nil
    }

    func wasLostSteadily(_ number: UInt64) -> Bool { lost[number] == true }

    mutating func leave(_ number: UInt64, at now: Int64) {
        if let transfer = transfers.removeValue(forKey: number), transfer.isMoving { note(transfer, at: now) }
        waiting[number] = nil
        lost[number] = nil
    }
}

/// The event that notifies a connection, or a stream of HTTP/2, that its upload has lost its place.
struct LostPlace: Sendable {}
