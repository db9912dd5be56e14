import Crypto
import FoundationEssentials
public import RegistryAPI
import Synchronization

/// Numbers that link what comes from one network on one day to the same sender: finds and finders' messages.
///
/// A number is a keyed hash of the network's address. The key is kept only for the day: afterwards nobody can determine
/// the sender, or link senders of different days.
public final class FindSenders: Sendable {
    /// Where the key is kept until the day ends, so that blocks and limits survive a restart.
    public struct Place: Sendable {
        let read: @Sendable () -> String?
        let write: @Sendable (String) -> Void
        let remove: @Sendable () -> Void

        public init(
            read: @escaping @Sendable () -> String?, write: @escaping @Sendable (String) -> Void,
            remove: @escaping @Sendable () -> Void
        ) {
            self.read = read
            self.write = write
            self.remove = remove
        }
    }

    private let key: Mutex<(day: CalendarDate, key: SymmetricKey)?>
    private let place: Place?

    /// - Parameter place: where the key is kept; nil for memory only.
    public init(keptIn place: Place? = nil) {
        self.place = place
        key = Mutex(place?.read().flatMap(Self.parse))
    }

    /// - Parameter network: the bytes that all addresses of one subscriber have in common.
    public func sender(in network: [UInt8], at time: Timestamp) -> Int64 {
        let day = CalendarDate(time)
        let key = key.withLock { current in
            if let current, current.day == day { return current.key }
            let key = SymmetricKey(size: .bits256)
            current = (day, key)
            place?.write(Self.text(day, key))
            return key
        }
        let code = HMAC<SHA256>.authenticationCode(for: network, using: key)
        return code.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }

    /// Deletes the key of another day, which would otherwise stay until somebody writes.
    public func forgetOthers(than time: Timestamp) {
        key.withLock { current in
            guard let known = current, known.day != CalendarDate(time) else { return }
            current = nil
            place?.remove()
        }
    }

    private static func text(_ day: CalendarDate, _ key: SymmetricKey) -> String {
        key.withUnsafeBytes { "\(day) \(Data($0).base64EncodedString())" }
    }

    /// A key that was kept; nil if the text is damaged.
    private static func parse(_ text: String) -> (day: CalendarDate, key: SymmetricKey)? {
        let words = text.split(separator: " ")
        guard words.count == 2, let day = CalendarDate(String(words[0])),
            let bytes = Data(base64Encoded: String(words[1])), bytes.count == 32
        else { return nil }
        return (day, SymmetricKey(data: bytes))
    }
}
