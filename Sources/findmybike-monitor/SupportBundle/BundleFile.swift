import ExternalPrograms
import Foundation

/// A compressed archive for its maker's eyes only, until it is sent.
struct BundleFile {
    let path: String

    /// Writes the parts into a new file of mode 0600. With sudo it belongs to who typed that, and will send it.
    func write(_ parts: [BundlePart]) async throws(MonitorFailure) {
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
            // The file that is there keeps its mode.
            let target = ["--create", "--gzip", "--file", URL(fileURLWithPath: path).path]
            let source = ["--owner=0", "--group=0", "--directory", folder.path, "--"] + names
            let (end, output) = try await ExternalProgram(
                "tar", target + source,
                environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"], timeout: .seconds(60)
            ).run()
            guard end == .exited(0) else { throw ArchivingFailure(description: "tar \(end) \(output)") }
            giveAway(descriptor)
        } catch {
            unlink(path)
            throw MonitorFailure(74, "\(path) could not be written: \(error)")
        }
    }

    /// Where that fails, root can read it still.
    private func giveAway(_ descriptor: Int32) {
        let environment = ProcessInfo.processInfo.environment
        guard geteuid() == 0, let user = environment["SUDO_UID"].flatMap(uid_t.init),
            let group = environment["SUDO_GID"].flatMap(gid_t.init)
        else { return }
        _ = fchown(descriptor, user, group)
    }
}

private struct ArchivingFailure: Error, CustomStringConvertible {
    let description: String
}
