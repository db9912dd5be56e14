import Beacons
import CommandSupport
import Foundation
import OperatingSystem
import RegistryAPI
import RegistryRules

/// The file with the keys that seal rotating beacons' keys: each is a line of 64 hexadecimal digits, the newest first.
struct BeaconVaultFile {
    let path: String

    private var file: SecretFile { SecretFile(path: path) }

    func read() throws(CommandFailure) -> BeaconVault {
        let text: String
        do {
            text = try file.text()
        } catch .unreadable(ENOENT) {
            throw CommandFailure(
                .noInput,
                "\(path) cannot be read (\(String(cString: strerror(ENOENT)))): restore it from its copy, or "
                    + "correct beacons.keyFile. If there was none yet, or there is no copy, make one with "
                    + "‘findmybike-registry key create-beacons’: without the old one, present rotating beacons cannot be heard"
            )
        } catch {
            throw file.failure(error)
        }
        do {
            return try Self.vault(text)
        } catch {
            throw CommandFailure(
                .dataError, "\(path) cannot be used (\(error)): correct that, or restore it from its copy")
        }
    }

    /// Writes a new key if there is no file.
    func create() throws(FileFailure) {
        var generator = Entropy.system
        let bytes = (0..<BeaconVault.keyLength).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        try file.create(bytes.map { $0.hexadecimal() }.joined())
    }

    /// The reason why a text is not a file of keys.
    enum Flaw: Error, Equatable, CustomStringConvertible {
        /// The line with this number is not a key.
        case noKey(line: Int)
        case onlyZeros(line: Int)
        case empty
        case tooMany

        var description: String {
            switch self {
            case .noKey(let line): "line \(line) is not 64 hexadecimal digits"
            case .onlyZeros(let line): "line \(line) has only zeros, which is no key"
            case .empty: "it is empty"
            case .tooMany: "it has more than \(mostKeys) keys"
            }
        }
    }

    /// The maximum number of keys; every key is tried on each beacon that cannot be opened.
    static let mostKeys = 16

    static func vault(_ text: String) throws(Flaw) -> BeaconVault {
        var keys: [[UInt8]] = []
        let lines = text.split(maxSplits: 1000, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let digits = line.trimmingCharacters(in: .whitespaces)
            if digits.isEmpty { continue }
            guard let key = bytes(digits) else { throw .noKey(line: index + 1) }
            guard key.contains(where: { $0 != 0 }) else { throw .onlyZeros(line: index + 1) }
            guard keys.count < mostKeys else { throw .tooMany }
            keys.append(key)
        }
        guard let vault = BeaconVault(keys: keys) else { throw .empty }
        return vault
    }

    /// The bytes of a key's hexadecimal digits; nil for anything else.
    private static func bytes(_ digits: String) -> [UInt8]? {
        let nibbles = digits.utf8.compactMap(hexadecimalValue)
        guard nibbles.count == 2 * BeaconVault.keyLength, nibbles.count == digits.utf8.count else { return nil }
        return stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
    }
}
