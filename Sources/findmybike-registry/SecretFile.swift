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
        guard mode & 0o077 == 0 else {
            throw KeyFileError(EX_NOPERM, "others can read the secret in \(path): chmod 600 \(path)")
        }
        return data
    }

    /// Without white space around it.
    func text() throws(KeyFileError) -> String {
        String(decoding: try data(), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
