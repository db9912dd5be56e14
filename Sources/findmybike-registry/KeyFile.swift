import Evidence
import Foundation
import RegistryAPI

/// The file with the key that signs evidence: mode 0600, since whoever reads it can sign as the registry.
struct KeyFile {
    let path: String

    func read() throws(KeyFileError) -> Keyring {
        let data: Data
        do {
            data = try SecretFile(path: path).data()
        } catch  where error.status == EX_NOINPUT {
            throw KeyFileError(EX_NOINPUT, "\(error): ‘findmybike-registry key create’ makes it")
        }
        do {
            return try Keyring(decoding: data)
        } catch {
            throw KeyFileError(EX_DATAERR, "\(path) cannot be used (\(error)): restore it from a backup")
        }
    }

    /// Writes a first key where no file is.
    func create(_ keyring: Keyring) throws(KeyFileError) {
        try create(Self.encoded(keyring))
    }

    /// Writes a first key of another kind where no file is.
    func create(_ key: Data) throws(KeyFileError) { try Self.write(key, to: path) }

    private static func encoded(_ keyring: Keyring) throws(KeyFileError) -> Data {
        do {
            return try keyring.encoded()
        } catch {
            throw KeyFileError(EX_SOFTWARE, "the key cannot be written: \(error)")
        }
    }

    /// Puts another keyring in the place of the one that is there: all of it or nothing.
    func replace(by keyring: Keyring) throws(KeyFileError) {
        let new = path + ".new"
        unlink(new)
        try Self.write(Self.encoded(keyring), to: new)
        guard rename(new, path) == 0 else {
            throw KeyFileError(EX_IOERR, "\(path) cannot be replaced: \(Self.systemError)")
        }
        try Self.synchronizeFolder(of: path)
    }

    private static func write(_ key: Data, to path: String) throws(KeyFileError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw KeyFileError(EX_CANTCREAT, "\(path) cannot be created: \(systemError)") }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: key)
            try file.synchronize()
        } catch {
            unlink(path)
            throw KeyFileError(EX_IOERR, "\(path) could not be written: \(error)")
        }
        try synchronizeFolder(of: path)
    }

    /// The file's name, too, must survive a loss of power.
    private static func synchronizeFolder(of path: String) throws(KeyFileError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw KeyFileError(EX_IOERR, "\(folder) cannot be synced: \(systemError)") }
    }

    private static var systemError: String { String(cString: strerror(errno)) }
}

/// What is wrong with the key file, what to do, and the exit status for it.
struct KeyFileError: Error, CustomStringConvertible {
    let status: Int32
    let description: String

    init(_ status: Int32, _ description: String) {
        self.status = status
        self.description = description
    }
}
