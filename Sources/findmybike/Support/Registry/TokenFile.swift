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
                "there is no token at \(path): ‘findmybike login URL’ stores one or makes one, --token-file names another"
            )
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.noInput, "\(path) cannot be read: check whose it is, and its permissions")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        guard mode & 0o077 == 0 else {
            throw CommandFailure(.noPermission, "others can read the token in \(path): chmod 600 \(path)")
        }
        let token = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty else { throw CommandFailure(.configuration, "\(path) is empty: write the token into it") }
        guard token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw CommandFailure(
                .configuration, "\(path) holds no token: write the token alone into it, on one line, as it was shown")
        }
        return token
    }

    /// Fails where a token is already, before anything is created that would need a new one.
    func checkVacant(
        remedy: String = "choose another file, or move this one away"
    ) throws(CommandFailure) {
        guard !exists else { throw CommandFailure(.cannotCreate, "\(path) holds a token already: \(remedy)") }
    }

    /// Fails where no token could be written, before a code is used up or an account made that nobody could enter then.
    ///
    /// - Parameter replaces: whether another token may make way.
    func prepare(replaces: Bool) throws(CommandFailure) {
        if !replaces { try checkVacant(remedy: "add --replace to put another in its place") }
        do {
            try PrivateFile.makeFolder(of: path)
        } catch {
            throw CommandFailure(.cannotCreate, "\(error)")
        }
        if let obstacle = PrivateFile(path: path).obstacle { throw CommandFailure(.cannotCreate, "\(obstacle)") }
    }

    func remove() throws(CommandFailure) {
        guard unlink(path) != 0 else { return }
        throw CommandFailure(.cannotCreate, "\(path) cannot be removed: \(String(cString: strerror(errno)))")
    }

    /// Moves a token that is there out of the way, and keeps it.
    func keepBeside() throws(CommandFailure) {
        guard exists, rename(path, path + ".bak") != 0 else { return }
        throw CommandFailure(.cannotCreate, "\(path) cannot be moved: \(String(cString: strerror(errno)))")
    }

    /// Writes the token where none was before. It is never readable by others, not even for a moment.
    func create(_ token: String) throws(CommandFailure) {
        do {
            try PrivateFile.makeFolder(of: path)
            try PrivateFile(path: path).create(token)
        } catch {
            throw CommandFailure(.cannotCreate, "\(error)")
        }
    }
}
