public import Files
import Foundation

/// A card's boot partition, on which its owner gives settings and reads what became of them.
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

    /// A code to enrol with, and the registry that gave it.
    public struct Invitation: Hashable, Sendable {
        public let registry: String
        public let code: String
    }

    /// Applies the settings that need no network, and removes the Wi-Fi's password from the file once the system has it.
    ///
    /// - Returns: whether the file has no errors; if it has, the status file says which.
    public func apply() async throws -> Bool {
        guard let (file, settings) = try read() else { return false }
        try await machine.apply(settings)
        try remove([.wifiPassword], from: file)
        return true
    }

    /// The invitation in the file; nil if there is none, or the file has errors.
    public func invitation() throws -> Invitation? {
        guard let (_, settings) = try read(), let code = settings.code, let registry = settings.registry else {
            return nil
        }
        return Invitation(registry: registry, code: code)
    }

    /// Removes the code, which has been used, from the file.
    public func removeCode() throws {
        guard let (file, _) = try read() else { return }
        try remove([.code], from: file)
    }

    /// Writes the status file, unless it already says so.
    public func say(_ lines: [String]) throws(FileFailure) {
        let text = (["FindMyBike", ""] + lines).map { $0 + "\r\n" }.joined()
        guard FileManager.default.contents(atPath: statusPath) != Data(text.utf8) else { return }
        try put(Data(text.utf8), at: statusPath)
    }

    /// The file and its settings; nil if it has errors, which the status file then shows. No file has no settings.
    private func read() throws -> (CardFile, CardSettings)? {
        do {
            let file = try CardFile(FileManager.default.contents(atPath: settingsPath) ?? Data())
            return (file, try CardSettings(file, isZone: machine.isZone))
        } catch {
            try say(
                ["findmybike.txt has errors. Nothing in it was used."] + error.messages
                    + ["", "Correct the file, put the card back and switch the machine on."])
            return nil
        }
    }

    private func remove(_ settings: Set<CardSetting>, from file: CardFile) throws(FileFailure) {
        guard settings.contains(where: { file[$0] != nil }) else { return }
        try put(file.removing(settings), at: settingsPath)
    }

    /// FAT has neither owners nor modes; the mount decides them.
    private func put(_ data: Data, at path: String) throws(FileFailure) {
        try DurableFile.put(Array(data), at: path, FileAccess(mode: 0o755))
    }
}
