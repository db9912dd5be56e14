import Crypto
public import RegistryAPI
import Synchronization

/// Numbers by which the finds of one network on one day are known to be one sender's.
///
/// A number is a code of the network's address by a key that is in memory only, and only for the day: afterwards nobody
/// can tell whose it was, nor whether a sender of another day is the same.
public final class FindSenders: Sendable {
    private let key: Mutex<(day: CalendarDate, key: SymmetricKey)?> = Mutex(nil)

    public init() {}

    /// - Parameter network: bytes of an address that all of one subscriber's have in common.
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
