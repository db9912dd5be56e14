import Evidence
import Foundation
import RegistryAPI
import Settings
import Terminal

/// The file with the key that signs evidence: mode 0600, since whoever reads it can sign as the registry.
struct KeyFile {
    let path: String

    func read() throws(KeyFileError) -> Keyring {
        let data: Data
        do {
            data = try SecretFile(path: path).data()
        } catch  where !file.exists && access(file.path, F_OK) != 0 && errno == ENOENT {
            throw KeyFileError(
                .noInput, "\(error): ‘findmybike-registry key create’ makes it, or correct evidence.keyFile")
        }
        do {
            return try Keyring(decoding: data)
        } catch {
            throw KeyFileError(.dataError, "\(path) cannot be used (\(error)): restore it from a backup")
        }
    }

    /// All that ever signed.
    func publicKeys() throws(KeyFileError) -> [PublicKey] {
        try read().keys.compactMap { PublicKey(pem: $0.publicKey) }
    }

    /// Writes a first key where no file is.
    func create(_ keyring: Keyring) throws { try create(keyring.encoded()) }

    /// Writes a first key of another kind where no file is.
    func create(_ key: Data) throws { try file.create(String(decoding: key, as: UTF8.self)) }

    /// Puts another keyring in the place of the one that is there: all of it or nothing.
    func replace(by keyring: Keyring) throws {
        try file.replace(with: String(decoding: try keyring.encoded(), as: UTF8.self))
    }

    private var file: PrivateFile { PrivateFile(path: path) }
}

/// What is wrong with the key file, what to do, and the exit status for it.
struct KeyFileError: Error, CustomStringConvertible {
    let status: ExitStatus
    let description: String

    init(_ status: ExitStatus, _ description: String) {
        self.status = status
        self.description = description
    }
}
