import Crypto
public import RegistryAPI
import Synchronization

/// Numbers that link the finds from one network on one day to the same sender.
///
/// A number is a keyed hash of the network's address. The key is in memory only, and only for the day: afterwards
/// nobody can determine the sender, or link senders of different days.
public final class FindSenders: Sendable {
    private let key: Mutex<(day: CalendarDate, key: SymmetricKey)?> = Mutex(nil)

    public init() {}

    /// - Parameter network: the bytes that all addresses of one subscriber have in common.
    public func sender(in network: [UInt8], at time: Timestamp) -> Int64 {
        let day = CalendarDate(time)
        let key = key.withLock { current in
            if let current, current.day == day { return current.key }
            let key = SymmetricKey(size: .bits256)
            current = (day, key)
            return key
        }
        let code = HMAC<SHA256>.authenticationCode(for: network, using: key)
        return code.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
}
