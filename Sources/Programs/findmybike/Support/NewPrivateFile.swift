import CommandSupport
import Foundation

/// A new file that other users cannot read.
enum NewPrivateFile {
    /// Refuses a path where something exists, before work is done for the file.
    static func requireNew(_ path: String) throws(CommandFailure) {
        guard access(HomePath.expand(path), F_OK) != 0 else {
            throw CommandFailure(.cannotCreate, "\(path) exists: choose another name, or move it away")
        }
    }

    /// Writes a file, and never overwrites one.
    static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        let descriptor = open(HomePath.expand(path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(.cannotCreate, "\(path) cannot be created: \(String(cString: strerror(errno)))")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(bytes))
        } catch {
            unlink(HomePath.expand(path))
            throw CommandFailure(.ioError, "\(path) could not be written: \(error)")
        }
    }
}
