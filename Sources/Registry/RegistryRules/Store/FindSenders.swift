import Crypto
import FoundationEssentials
public import RegistryAPI
import Synchronization

/// Numbers that link the finds and the finders' messages from one network on one day.
///
/// A number is a keyed hash of the network's address. The key is kept only for the day: afterwards the sender cannot be
/// determined, and senders of different days cannot be linked.
public final class FindSenders: Sendable {
    /// The keys of days, 32 bytes each.
    public typealias Keys = [CalendarDate: [UInt8]]

    /// Where keys are kept, so that blocks and limits survive a restart, and all processes of a registry use the same.
    public struct Place: Sendable {
        let agree: @Sendable (Keys) async -> Keys

        /// - Parameter agree: keeps each of the keys unless its day already has one, deletes the keys of all other
        ///   days, and returns the keys that are now kept.
        public init(agree: @escaping @Sendable (Keys) async -> Keys) { self.agree = agree }
    }

    private let keys = Mutex<Keys>([:])
    private let place: Place?

    /// How long before a day its key is made: all processes must have it when the day begins.
    private static let lead = Duration.seconds(3600)

    /// - Parameter place: where keys are kept; nil for memory only.
    public init(keptIn place: Place? = nil) { self.place = place }

    /// Makes the key of the day, and in its last hour that of the next one, and deletes all others. Call this before
    /// the first use, and at least every few minutes.
    public func prepare(at time: Timestamp) async {
        let days: Set = [CalendarDate(time), CalendarDate(time.advanced(by: Self.lead))]
        let known = keys.withLock { keys in
            keys = keys.filter { days.contains($0.key) }
            for day in days where keys[day] == nil { keys[day] = Self.makeKey() }
            return keys
        }
        guard let place else { return }
        let agreed = await place.agree(known).filter { days.contains($0.key) && $0.value.count == 32 }
        keys.withLock { $0.merge(agreed) { _, agreed in agreed } }
    }

    /// The number of a network on the day of a time.
    ///
    /// - Parameter network: the bytes that all addresses of one subscriber have in common.
    public func sender(in network: [UInt8], at time: Timestamp) -> Int64 {
        let key = keys.withLock { keys in
            let day = CalendarDate(time)
            let key = keys[day] ?? Self.makeKey()
            keys[day] = key
            return key
        }
        let code = HMAC<SHA256>.authenticationCode(for: network, using: SymmetricKey(data: key))
        return code.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }

    private static func makeKey() -> [UInt8] { SymmetricKey(size: .bits256).withUnsafeBytes(Array.init) }
}

/// The rules for storing finds.
public enum FindRules {
    /// The maximum number of finds in a bike's history. Beyond it, the newest find of the sender with the most finds of
    /// one day is deleted. So a flood thins itself out, and finds from other networks stay, whether before, during or
    /// after it.
    public static let most = 1000
    /// The maximum number of finds of a bike in 24 hours that get an entry in the audit, which keeps entries
    /// permanently.
    public static let recordedPerDay = 50
}
