import Foundation
import Settings

/// A token in a file of mode 0600.
struct TokenFile {
    let path: String

    init(_ settings: ProgramSettings) {
        path = HomePath.expand(settings.value(CommandSettings.tokenFile) ?? "")
    }

    init(path: String) {
        self.path = HomePath.expand(path)
    }

    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    func read() throws(CommandFailure) -> String {
        guard exists else {
            throw CommandFailure(
                .configuration,
                "there is no token at \(path): ‘findmybike owner create’ makes one, --token-file names another"
            )
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.noInput, "\(path) cannot be read: check its permissions")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        guard mode & 0o077 == 0 else {
            throw CommandFailure(.noPermission, "others can read the token in \(path): chmod 600 \(path)")
        }
        let token = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty else { throw CommandFailure(.configuration, "\(path) is empty: write the token into it") }
        return token
    }

    /// Fails where a token is already, before anything is created that would need a new one.
    func checkVacant() throws(CommandFailure) {
        guard !exists else {
            throw CommandFailure(
                .cannotCreate,
                "\(path) holds a token already: choose another file, or move this one away"
            )
        }
    }

    /// Writes the token where none was before. It is never readable by others, not even for a moment.
    func create(_ token: String) throws(CommandFailure) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if !folder.isEmpty {
            try? FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(.cannotCreate, "\(path) cannot be created: \(String(cString: strerror(errno)))")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data("\(token)\n".utf8))
            try file.synchronize()
        } catch {
            throw CommandFailure(.cannotCreate, "the token could not be written to \(path): \(error)")
        }
    }
}
