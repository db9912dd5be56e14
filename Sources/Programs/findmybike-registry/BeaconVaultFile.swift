import Beacons
import CommandSupport
import Foundation
import OperatingSystem
import RegistryAPI
import RegistryRules

/// The file with the keys of the ``BeaconVault``, which seal the keys of rotating beacons: each key is a line of 64
/// hexadecimal digits, the newest first.
struct BeaconVaultFile {
    let path: String

    /// The maximum number of keys; every key is tried on each beacon that cannot be opened.
    static let maximumKeys = 16

    private var file: SecretFile { SecretFile(path: path) }

    /// The vault with the file's keys.
    ///
    /// - Throws: ``CommandFailure`` with the remedy, if the file cannot be read or contains anything but keys.
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

    /// The reason why a text is not a file of keys. Lines are counted from 1.
    enum Flaw: Error, Equatable, CustomStringConvertible {
        case invalidKey(line: Int)
        /// The key is zero, as in a file that was damaged or never filled.
        case zeroKey(line: Int)
        case empty
        case tooManyKeys

        var description: String {
            switch self {
            case .invalidKey(let line): "line \(line) is not 64 hexadecimal digits"
            case .zeroKey(let line): "line \(line) has only zeros, which is no key"
            case .empty: "it is empty"
            case .tooManyKeys: "it has more than \(maximumKeys) keys"
            }
        }
    }

    /// The vault with the keys of a text; empty lines are skipped.
    static func vault(_ text: String) throws(Flaw) -> BeaconVault {
        var keys: [[UInt8]] = []
        // A bound for a wrong file: what follows is one last line, which is no key.
        let lines = text.split(maxSplits: 1000, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let digits = line.trimmingCharacters(in: .whitespaces)
            if digits.isEmpty { continue }
            guard let key = hexadecimalBytes(digits, maximum: BeaconVault.keyLength), key.count == BeaconVault.keyLength
            else { throw .invalidKey(line: index + 1) }
            guard key.contains(where: { $0 != 0 }) else { throw .zeroKey(line: index + 1) }
            guard keys.count < maximumKeys else { throw .tooManyKeys }
            keys.append(key)
        }
        guard let vault = BeaconVault(keys: keys) else { throw .empty }
        return vault
    }
}
