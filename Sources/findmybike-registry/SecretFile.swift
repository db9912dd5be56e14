import Foundation

/// A file with a secret: mode 0600, since whoever reads it can pass for the registry.
struct SecretFile {
    let path: String

    func data() throws(KeyFileError) -> Data {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw KeyFileError(EX_NOINPUT, "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
        guard mode & 0o077 == 0 || isCredential else {
            throw KeyFileError(EX_NOPERM, "others can read the secret in \(path): chmod 600 \(path)")
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
