public import Beacons
import Crypto

/// Seals the keys of rotating beacons for the database.
///
/// The vault's keys come from a file that is neither in the database nor in a backup of it. Without the file, a backup
/// does not reveal what a beacon sends.
public struct BeaconVault: Sendable {
    /// The keys; the first one seals, and all of them open.
    private let keys: [SymmetricKey]

    /// The length of a key in bytes.
    public static let keyLength = 32
    /// The first byte of what is sealed: ChaCha20-Poly1305 with a random nonce.
    private static let format: UInt8 = 1

    /// - Parameter keys: at least one key of 32 bytes, the newest first.
    public init?(keys: [[UInt8]]) {
        guard !keys.isEmpty, keys.allSatisfy({ $0.count == Self.keyLength }) else { return nil }
        self.keys = keys.map { SymmetricKey(data: $0) }
    }

    /// Seals the key of the beacon with this name. It can be opened only with the same name, so that no row can take
    /// the place of another.
    public func seal(_ key: RotatingBeaconKey, of name: BeaconIdentity) throws -> [UInt8] {
        let box = try ChaChaPoly.seal(key.bytes, using: keys[0], authenticating: Self.label(name))
        return [Self.format] + Array(box.combined)
    }

    /// - Returns: nil if it was not sealed with one of these keys for this name.
    public func open(_ sealed: [UInt8], of name: BeaconIdentity) -> RotatingBeaconKey? {
        guard sealed.first == Self.format, let box = try? ChaChaPoly.SealedBox(combined: sealed.dropFirst()) else {
            return nil
        }
        for key in keys {
            let opened = try? ChaChaPoly.open(box, using: key, authenticating: Self.label(name))
            if let opened { return RotatingBeaconKey(bytes: opened) }
        }
        return nil
    }

    private static func label(_ name: BeaconIdentity) -> [UInt8] {
        Array("FindMyBike rotating beacon \(name)".utf8)
    }
}

// Logs and failed tests print values by these.
extension BeaconVault: CustomStringConvertible, CustomReflectable {
    public var description: String { "‹keys of rotating beacons›" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
