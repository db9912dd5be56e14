import CommandSupport
import Evidence
import Foundation
import OperatingSystem
import RegistryAPI

/// The file with the keys that sign evidence. Anyone who can read it can sign as the registry.
struct KeyringFile {
    let path: String

    /// The keyring in the file.
    ///
    /// - Throws: ``CommandFailure`` with the remedy, if the file cannot be read or contains no keyring.
    func read() throws(CommandFailure) -> Keyring {
        let data: Data
        do {
            data = try file.contents()
        } catch .unreadable(ENOENT) {
            throw CommandFailure(
                .noInput,
                "\(path) cannot be read (\(String(cString: strerror(ENOENT)))): ‘findmybike-registry key create --key-file "
                    + "\(path)’ makes it, or correct evidence.keyFile")
        } catch {
            throw file.failure(error)
        }
        do {
            return try Keyring(decoding: data)
        } catch {
            throw CommandFailure(.dataError, "\(path) cannot be used (\(error)): restore it from a backup")
        }
    }

    /// All current and former public keys.
    func publicKeys() throws(CommandFailure) -> [PublicKey] {
        try read().keys.compactMap { PublicKey(pem: $0.publicKey) }
    }

    /// Writes the first key if there is no file.
    func create(_ keyring: Keyring) throws { try file.create(Self.text(try keyring.encoded())) }

    /// Replaces the current keyring atomically.
    func replace(by keyring: Keyring) throws { try file.replace(with: Self.text(try keyring.encoded())) }

    private var file: SecretFile { SecretFile(path: path) }

    private static func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }
}

extension SecretFile {
    /// The content of a file that only the registry's user can read.
    func registryContents() throws(CommandFailure) -> Data {
        do { return try contents() } catch { throw failure(error) }
    }

    /// The content as text, without surrounding white space.
    func registryText() throws(CommandFailure) -> String {
        do { return try text() } catch { throw failure(error) }
    }

    /// The failure to read the file, with the remedy for the operator.
    func failure(_ failure: Failure) -> CommandFailure {
        switch failure {
        case .exposed: CommandFailure(.noPermission, "others can read the secret in \(path): chmod 600 \(path)")
        case .unsuitable: CommandFailure(.noInput, "\(path) is not a file with a secret: correct the path")
        case .unreadable(nil): CommandFailure(.noInput, "\(path) cannot be read, or is empty")
        case .unreadable(let code?):
            if code == EACCES || code == EPERM {
                CommandFailure(
                    .noPermission,
                    "\(path) cannot be read (\(String(cString: strerror(code)))): make it and its folder readable for the "
                        + "user of the registry’s service")
            } else {
                CommandFailure(
                    .noInput,
                    "\(path) cannot be read (\(String(cString: strerror(code)))): restore it from a backup, or correct the "
                        + "setting that names it")
            }
        }
    }
}
