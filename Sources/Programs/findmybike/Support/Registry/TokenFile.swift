import ArgumentParser
import CommandSupport
import Foundation
import OperatingSystem
import Settings

/// A token in a file of mode 0600.
struct TokenFile {
    let path: String

    init(_ settings: ProgramSettings) {
        self.init(path: settings.value(CommandSettings.tokenFile))
    }

    init(path: String) {
        self.path = HomePath.expand(path)
    }

    var exists: Bool { file.exists }

    private var file: SecretFile { SecretFile(path: path) }

    /// The token.
    ///
    /// - Throws: ``CommandFailure`` with the remedy, if there is no token or others can read the file.
    func read() throws(CommandFailure) -> String {
        guard exists else {
            throw CommandFailure(
                .configuration,
                "there is no token at \(path): ‘findmybike login URL’ stores one or makes one, --token-file names another"
            )
        }
        let token: String
        do {
            token = try file.text()
        } catch .exposed {
            throw CommandFailure(.noPermission, "others can read the token in \(path): chmod 600 \(path)")
        } catch .unreadable(nil) {
            token = ""
        } catch {
            throw CommandFailure(.noInput, "\(path) cannot be read: check its owner and its permissions")
        }
        guard !token.isEmpty else { throw CommandFailure(.configuration, "\(path) is empty: write the token into it") }
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CommandFailure(
                .configuration, "\(path) contains no token: write only the token into it, on one line, as it was shown")
        }
        return token
    }

    /// Fails if a token already exists: call it before creating anything that needs a new token.
    func checkVacant(
        remedy: String = "choose another file, or move this one away"
    ) throws(CommandFailure) {
        guard !exists else { throw CommandFailure(.cannotCreate, "\(path) already contains a token: \(remedy)") }
    }

    /// Fails if a token cannot be written into an existing folder: a misspelt path creates no folders.
    func checkWritable() throws(CommandFailure) {
        try checkVacant()
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder) else {
            throw CommandFailure(.cannotCreate, "there is no folder \(folder): create it, or choose another file")
        }
        if let obstacle = file.obstacle { throw CommandFailure(.cannotCreate, "\(obstacle)") }
    }

    /// Fails if no token could be written: call it before using up a code or creating an account that would be lost.
    ///
    /// - Parameter replaces: whether another token may be replaced.
    func prepare(replaces: Bool) throws(CommandFailure) {
        if !replaces { try checkVacant(remedy: "add --replace to replace it") }
        do {
            try SecretFile.makeFolder(of: path)
        } catch {
            throw CommandFailure(.cannotCreate, "\(error)")
        }
        if let obstacle = file.obstacle { throw CommandFailure(.cannotCreate, "\(obstacle)") }
    }

    /// Removes the token, and the one kept by ``keepBeside()``.
    func remove() throws(CommandFailure) {
        for path in [kept, path] {
            guard unlink(path) != 0, errno != ENOENT else { continue }
            throw CommandFailure(.cannotCreate, "\(path) cannot be removed: \(String(cString: strerror(errno)))")
        }
    }

    /// The path of the file that keeps a replaced token.
    private var kept: String { path + ".bak" }

    /// The path of the token that this one replaced, if there is one.
    var earlier: String? { FileManager.default.fileExists(atPath: kept) ? kept : nil }

    /// Moves an existing token to the backup file.
    func keepBeside() throws(CommandFailure) {
        guard exists, rename(path, kept) != 0 else { return }
        throw CommandFailure(.cannotCreate, "\(path) cannot be moved: \(String(cString: strerror(errno)))")
    }

    /// Writes the token if there is none yet. The file is never readable by others, not even for a moment.
    func create(_ token: String) throws(CommandFailure) {
        do {
            try SecretFile.makeFolder(of: path)
            try file.create(token)
        } catch {
            throw CommandFailure(.cannotCreate, "\(error)")
        }
    }
}

/// The file for a new token.
struct NewTokenFile: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("File for the token; it must not exist yet.", valueName: "path"))
    var output: String

    /// The file, after checking that it can be written.
    func checked() throws -> TokenFile {
        let file = TokenFile(path: output)
        try file.checkWritable()
        return file
    }
}
