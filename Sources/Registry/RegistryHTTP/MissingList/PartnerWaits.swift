import Synchronization

/// The requests of partners that wait for a change of the list. Each partner may have a few; a further one ends the oldest,
/// so that a stolen token cannot keep thousands.
final class PartnerWaits: Sendable {
    /// The most requests of one partner that wait. It needs one; a registry of several processes may change the process.
    private static let most: UInt64 = 4

    /// How many requests each partner has begun.
    private let begun = Mutex<[Int64: UInt64]>([:])

    /// - Returns: the number of the request among those of this partner.
    func begin(of partner: Int64) -> UInt64 {
        begun.withLock { begun in
            let number = begun[partner, default: 0] + 1
            begun[partner] = number
            return number
        }
    }

    /// Whether a request may go on waiting.
    func isOpen(_ number: UInt64, of partner: Int64) -> Bool {
        begun.withLock { $0[partner, default: 0] } < number + Self.most
    }
}
