import Foundation
import Yams

/// A YAML settings file, flattened to dotted keys.
struct SettingsFile {
    /// A value in the file.
    struct Entry {
        /// The value's text; for a list, a JSON array of strings or of objects.
        let text: String
        var shape = SettingShape.text
        /// The line of the value, counted from 1.
        let line: Int
    }

    let path: String
    /// The values by their dotted keys.
    private(set) var entries: [String: Entry] = [:]

    /// The maximum size in bytes, far above any real file, so that a wrong path cannot exhaust the memory.
    static let maximumSize = 1 << 20

    /// Reads and parses a file.
    init(path: String) throws(SettingsError) {
        try self.init(text: try Self.read(path), path: path)
    }

    /// - Parameters:
    ///   - text: the content of the file.
    ///   - path: the path that errors name.
    init(text: String, path: String) throws(SettingsError) {
        self.path = path
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            throw SettingsError([Self.problem(error, path)])
        }
        var problems: [String] = []
        if let root, root.null == nil { flatten(root, prefix: "", &problems) }
        guard problems.isEmpty else { throw SettingsError(problems) }
    }

    /// Adds the entries of a node and of everything in it.
    ///
    /// - Parameter prefix: the dotted key of the node; empty for the root.
    private mutating func flatten(_ node: Node, prefix: String, _ problems: inout [String]) {
        let line = node.mark?.line ?? 0
        switch node {
        case .mapping(let mapping):
            for (key, value) in mapping {
                guard let name = key.scalar?.string, !name.isEmpty else {
                    problems.append("\(path):\(line): a key must be text")
                    continue
                }
                flatten(value, prefix: prefix.isEmpty ? name : "\(prefix).\(name)", &problems)
            }
        case .scalar(let scalar) where !prefix.isEmpty:
            // A key without a value counts as absent, so that a sample file can leave it empty.
            if node.null == nil { entries[prefix] = Entry(text: scalar.string, line: line) }
        case .sequence(let sequence) where !prefix.isEmpty:
            guard let (text, shape) = Self.json(ofList: sequence) else {
                problems.append(
                    "\(path):\(line): \(prefix) must contain only texts, or only entries of names and texts")
                return
            }
            entries[prefix] = Entry(text: text, shape: shape, line: line)
        default:
            let place = prefix.isEmpty ? "the file" : prefix
            problems.append("\(path):\(line): \(place) must be a mapping of keys to values")
        }
    }

    /// The error and its line. The parser's own message contains the whole file, which may have secrets.
    private static func problem(_ error: any Error, _ path: String) -> String {
        switch error {
        case YamlError.duplicatedKeysInMapping(let keys, let context):
            let names = keys.map { "‘\($0)’" }.joined(separator: ", ")
            return
                "\(path): \(names) is there twice, in the part that begins in line \(context.mark.line): make one of both"
        case YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _),
            YamlError.composer(_, let problem, let mark, _):
            return "\(path):\(mark.line): not valid YAML: \(problem)"
        case YamlError.reader(let problem, _, _, _): return "\(path): not valid YAML: \(problem)"
        default: return "\(path): not valid YAML"
        }
    }

    /// The text of a file.
    ///
    /// - Throws: ``SettingsError``; ``SettingsError/isUnreadable`` says whether the system refused.
    static func read(_ path: String) throws(SettingsError) -> String {
        // Use the system's own reason: Foundation's error has its own domain.
        guard let file = fopen(path, "r") else { throw unreadable(path, errno) }
        fclose(file)
        guard let data = FileManager.default.contents(atPath: path) else { throw unreadable(path, EISDIR) }
        guard data.count <= maximumSize, let text = String(data: data, encoding: .utf8) else {
            throw SettingsError(["\(path): not a settings file: it must be UTF-8 text of at most 1 MiB"])
        }
        return text
    }

    private static func unreadable(_ path: String, _ code: Int32) -> SettingsError {
        SettingsError(["\(path): cannot be read: \(String(cString: strerror(code)))"], isUnreadable: true)
    }

    /// A list as JSON; nil unless it is a list of texts or a list of entries.
    private static func json(ofList sequence: Node.Sequence) -> (text: String, shape: SettingShape)? {
        let encoder = JSONEncoder()
        // The same entries must be the same text.
        encoder.outputFormatting = .sortedKeys
        let texts = sequence.compactMap { $0.scalar?.string }
        if texts.count == sequence.count {
            return (try? encoder.encode(texts)).map { (String(decoding: $0, as: UTF8.self), .list) }
        }
        let entries = sequence.compactMap(entry)
        guard entries.count == sequence.count else { return nil }
        return (try? encoder.encode(entries)).map { (String(decoding: $0, as: UTF8.self), .entries) }
    }

    /// A mapping of names to texts, without names that have no value; nil if it is something else.
    private static func entry(_ node: Node) -> [String: String]? {
        guard let mapping = node.mapping else { return nil }
        var entry: [String: String] = [:]
        for (key, value) in mapping {
            guard let name = key.scalar?.string, !name.isEmpty, let text = value.scalar?.string else { return nil }
            if value.null == nil { entry[name] = text }
        }
        return entry
    }
}
