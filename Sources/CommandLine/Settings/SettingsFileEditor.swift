import Foundation
import OperatingSystem

/// Changes settings in a YAML file and preserves everything else: comments, order, other settings, mode and owner.
public struct SettingsFileEditor: Sendable {
    public let path: String

    public init(path: String) {
        self.path = path
    }

    /// The path of the backup of the previous file.
    public var backup: String { path + ".bak" }

    /// Writes the file atomically, and creates it if it does not exist.
    ///
    /// - Parameter changes: values by key; nil comments out the line of the key.
    /// - Returns: whether the file changed; if so, the previous file is at ``backup``.
    /// - Throws: an error if a change could affect other settings; the file is then left unchanged.
    public func apply(_ changes: [(key: String, value: String?)]) throws(SettingsError) -> Bool {
        // A link stays, and what it leads to is replaced.
        let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let exists = FileManager.default.fileExists(atPath: place)
        let old = exists ? try SettingsFile.read(path) : ""
        let new = try Self.edited(old, changes, path)
        guard new != old else { return false }
        do {
            let access = exists ? try FileAccess(of: place) : FileAccess(mode: 0o644)
            if exists { try DurableFile.put(Array(old.utf8), at: backup, access) }
            try DurableFile.put(Array(new.utf8), at: place, access)
        } catch {
            throw SettingsError(["\(error)"])
        }
        return true
    }

    /// The changed text, or the same one if it has these values already. It is parsed again to verify that it contains these changes and no others.
    static func edited(
        _ old: String, _ changes: [(key: String, value: String?)], _ path: String
    ) throws(SettingsError) -> String {
        let before = try SettingsFile(text: old, path: path).entries.mapValues(\.text)
        var expected = before
        var text = SettingsText(old)
        for (key, value) in changes where expected[key] != value {
            text.set(key, to: value)
            expected[key] = value
        }
        let result = try? SettingsFile(text: text.text, path: path).entries.mapValues(\.text)
        guard result == expected else {
            throw SettingsError(["\(path) has a layout that this program cannot change: edit it by hand"])
        }
        return expected == before ? old : text.text
    }
}
