import Foundation
import Syntax

/// The files under `/sys`, `/proc` and `/usr` of this machine, or of a folder that replaces them in tests.
public struct SystemFiles: Sendable {
    private let root: String

    /// - Parameter root: the folder used as `/`.
    public init(root: String = "/") {
        self.root = root.ends(with: "/") ? String(root.dropLast()) : root
    }

    /// The actual path of a file such as `/sys/class/rfkill`.
    func place(_ path: String) -> String { root + path }

    /// A file's text without surrounding white space; nil if it cannot be read.
    func text(_ path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: place(path)) else { return nil }
        defer { try? file.close() }
        // Files of /sys and /proc have no length. A page is more than any of those read here contains.
        guard let data = try? file.read(upToCount: 4096) else { return nil }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The sorted names in a folder; empty if the folder does not exist.
    func names(in path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: place(path))) ?? []).sorted()
    }

    /// Whether there is a file or a folder at a path.
    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: place(path)) }

    /// The path with all links resolved, without the root.
    func target(_ path: String) -> String {
        let resolved = URL(fileURLWithPath: place(path)).resolvingSymlinksInPath().path
        let base = URL(fileURLWithPath: root.isEmpty ? "/" : root).resolvingSymlinksInPath().path
        return base != "/" && resolved.begins(with: base) ? String(resolved.dropFirst(base.count)) : resolved
    }
}
