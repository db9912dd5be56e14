import Foundation

/// A compressed archive for its maker's eyes only, until it is sent.
struct BundleFile {
    let path: String

    /// Writes the parts into a new file of mode 0600.
    func write(_ parts: [BundlePart]) throws(MonitorFailure) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("findmybike-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw MonitorFailure(73, "\(path) cannot be created: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            for part in parts { try Data(part.text.utf8).write(to: folder.appendingPathComponent(part.name)) }
            let names = parts.map(\.name)
            let arguments = ["--create", "--gzip", "--owner=0", "--group=0", "--directory", folder.path, "--"] + names
            try ExternalProgram("tar", arguments).run(output: descriptor)
        } catch {
            unlink(path)
            throw MonitorFailure(74, "\(path) could not be written: \(error)")
        }
    }
}
