import Foundation
import Terminal

/// A file with a secret: mode 0600, since whoever reads it can pass for the registry.
struct SecretFile {
    let path: String

    func data() throws(KeyFileError) -> Data {
        // Opened first: what reads whole files does not say why it could not.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            let reason = "\(path) cannot be read (\(String(cString: strerror(code))))"
            guard code == EACCES || code == EPERM else { throw KeyFileError(.noInput, reason) }
            throw KeyFileError(
                .noPermission, "\(reason): make it and its folder readable for the user of the registry’s service")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let data = (try? file.readToEnd()) ?? nil else {
            throw KeyFileError(.noInput, "\(path) cannot be read, or is empty")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
        guard mode & 0o077 == 0 || isCredential else {
            throw KeyFileError(.noPermission, "others can read the secret in \(path): chmod 600 \(path)")
        }
        return data
    }

    /// What the service manager has loaded is for this service alone, by an access list that the mode does not tell.
    private var isCredential: Bool {
        ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"].map { path.hasPrefix($0 + "/") } ?? false
    }

    /// Without white space around it.
    func text() throws(KeyFileError) -> String {
        String(decoding: try data(), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
