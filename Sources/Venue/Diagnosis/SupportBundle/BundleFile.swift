public import CommandSupport
import Foundation
import OperatingSystem

/// A compressed archive that only its creator can read.
public struct BundleFile {
    let path: String

    public init(path: String) { self.path = path }

    /// Writes the parts into a new file of mode 0600. With sudo, the file belongs to the user who ran sudo and will
    /// send it.
    public func write(_ parts: [BundlePart]) async throws(CommandFailure) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("findmybike-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(.cannotCreate, "\(path) cannot be created: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            for part in parts { try Data(part.text.utf8).write(to: folder.appendingPathComponent(part.name)) }
            let names = parts.map(\.name)
            // The existing file keeps its mode.
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
            throw CommandFailure(.ioError, "\(path) could not be written: \(error)")
        }
    }

    /// Gives the file to the user who ran sudo, if somebody did. If that fails, root can still read it.
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
