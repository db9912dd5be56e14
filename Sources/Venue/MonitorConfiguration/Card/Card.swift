import Foundation
import Glibc
public import OperatingSystem

/// A card's boot partition: its owner writes settings to it, and reads there how they were applied.
public struct Card: Sendable {
    private let folder: String
    private let machine: CardMachine

    /// - Parameters:
    ///   - folder: where the boot partition is mounted.
    ///   - root: the folder before all paths of the machine; empty outside of tests.
    public init(folder: String, root: String = "") {
        self.folder = folder
        machine = CardMachine(root: root)
    }

    private var settingsPath: String { folder + "/findmybike.txt" }
    private var statusPath: String { folder + "/findmybike-status.txt" }

    /// A code to enrol with, and the registry that issued it.
    public struct Invitation: Hashable, Sendable {
        public let registry: String
        public let code: String
    }

    /// Applies the settings that need no network, and removes the Wi-Fi's password from the file once the system has it.
    ///
    /// - Throws: ``CardErrors`` if the file has errors; nothing is then applied.
    public func apply() async throws {
        let (file, settings) = try read()
        try await machine.apply(settings)
        try remove([.wifiPassword], from: file)
    }

    /// Whether the card has a file with settings.
    public var hasFile: Bool { FileManager.default.fileExists(atPath: settingsPath) }

    /// The invitation in the file; nil if there is none.
    ///
    /// - Throws: ``CardErrors`` if the file has errors.
    public func invitation() throws(CardErrors) -> Invitation? {
        let (_, settings) = try read()
        guard let code = settings.code, let registry = settings.registry else { return nil }
        return Invitation(registry: registry, code: code)
    }

    /// Removes the code, which has been used, from the file.
    public func removeCode() throws {
        try remove([.code], from: try read().0)
    }

    /// Writes the status file, unless it already contains these lines.
    public func say(_ lines: [String]) throws(FileFailure) {
        let text = (["FindMyBike", ""] + lines).map { $0 + "\r\n" }.joined()
        guard FileManager.default.contents(atPath: statusPath) != Data(text.utf8) else { return }
        try put(Data(text.utf8), at: statusPath)
    }

    /// The file and its settings; a missing file has no settings.
    private func read() throws(CardErrors) -> (CardFile, CardSettings) {
        let file = try CardFile(try contents())
        return (file, try CardSettings(file, isZone: machine.isZone))
    }

    /// The file's bytes, at most one more than it may have; none if there is no file.
    private func contents() throws(CardErrors) -> Data {
        var status = stat()
        guard stat(settingsPath, &status) == 0 else { return Data() }
        let unreadable = CardErrors(["The file cannot be read. Write it again."])
        guard status.st_mode & S_IFMT == S_IFREG, let file = FileHandle(forReadingAtPath: settingsPath) else {
            throw unreadable
        }
        do {
            return try file.read(upToCount: CardFile.maximumSize + 1) ?? Data()
        } catch {
            throw unreadable
        }
    }

    /// Removes the values of settings from the file, if it has any.
    private func remove(_ settings: Set<CardSetting>, from file: CardFile) throws(FileFailure) {
        guard settings.contains(where: { file[$0] != nil }) else { return }
        try put(file.removing(settings), at: settingsPath)
    }

    /// Writes a file. FAT has neither owners nor modes; the mount decides them.
    private func put(_ data: Data, at path: String) throws(FileFailure) {
        try DurableFile.put(Array(data), at: path, FileAccess(mode: 0o755))
    }
}
