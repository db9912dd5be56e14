import Syntax

/// The text of a settings file, in which values can be changed. Comments, order and all other settings are preserved.
struct SettingsText {
    /// The lines without their ends.
    private var lines: [Substring]

    init(_ text: String) {
        lines = text.split(at: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
    }

    var text: String { lines.map { $0 + "\n" }.joined() }

    /// Sets the value of a key; nil comments out its line.
    mutating func set(_ key: String, to value: String?) {
        if let index = index(of: key) {
            let line = lines[index]
            lines[index] = value.map { Self.replacingValue(of: line, with: $0) } ?? Self.commentedOut(line)
        } else if let value {
            insert(key, value)
        }
    }

    /// The index of the key's line in block style; other styles are not found.
    private func index(of key: String) -> Int? {
        // The keys from the outermost section to the current line.
        var path: [LineKey] = []
        for (index, line) in lines.enumerated() {
            guard let lineKey = Self.key(of: line) else { continue }
            path.removeAll { $0.indent >= lineKey.indent }
            path.append(lineKey)
            if path.map(\.name).joined(separator: ".") == key { return index }
        }
        return nil
    }

    /// Inserts a key next to the comment that shows it, or else at the top of its section, or in a new section at the
    /// end.
    private mutating func insert(_ key: String, _ value: String) {
        let parts = key.split(at: ".", maxSplits: 1)
        guard parts.count == 2 else { return lines.append(Substring(Self.entry(key, value))) }
        guard let section = index(of: String(parts[0])) else {
            lines += ["\(parts[0]):", Substring("  " + Self.entry(parts[1], value))]
            return
        }
        let end = lines[(section + 1)...].firstIndex { Self.key(of: $0)?.indent == 0 } ?? lines.endIndex
        let body = section + 1..<end
        // The sample file shows each setting as a comment.
        let sample = body.first { Self.withoutCommentMark(lines[$0]).begins(with: "\(parts[1]):") }
        let indent = lines[body].compactMap { Self.key(of: $0)?.indent }.first ?? 2
        let line = String(repeating: " ", count: indent) + Self.entry(parts[1], value)
        lines.insert(Substring(line), at: (sample ?? section) + 1)
    }
}

// The syntax of single lines.
extension SettingsText {
    /// The key at the beginning of a line.
    private struct LineKey {
        /// The number of spaces before it.
        let indent: Int
        let name: Substring
    }

    /// The key at the beginning of a line; nil if the line begins with anything else, such as a comment.
    private static func key(of line: Substring) -> LineKey? {
        let key = /( *)([A-Za-z][A-Za-z0-9]*):(?: |\r?$)/.matchingSemantics(.unicodeScalar)
        guard let match = line.prefixMatch(of: key) else { return nil }
        return LineKey(indent: match.output.1.count, name: match.output.2)
    }

    /// Replaces the value, and keeps the text before it and a comment after it.
    private static func replacingValue(of line: Substring, with value: String) -> Substring {
        let head = line.part(beforeScalar: { $0 == ":" })
        let comment = line.firstMatch(of: /\s+#.*$/.matchingSemantics(.unicodeScalar)).map { String($0.output) } ?? ""
        return Substring("\(head): \(scalar(value))\(comment)")
    }

    /// The line as a comment with the same indentation.
    private static func commentedOut(_ line: Substring) -> Substring {
        let indent = line.part(beforeScalar: { $0 != " " })
        return "\(indent)# \(line[indent.endIndex...])"
    }

    /// The line without its indentation and the mark of a comment.
    private static func withoutCommentMark(_ line: Substring) -> Substring {
        line.trimming(scalars: { $0 == " " || $0 == "#" })
    }

    /// A line without indentation: a name and a value.
    private static func entry(_ name: some StringProtocol, _ value: String) -> String { "\(name): \(scalar(value))" }

    /// The YAML scalar for a value, quoted unless it can be plain.
    private static func scalar(_ value: String) -> String {
        guard value.wholeMatch(of: /[A-Za-z0-9\/~-][A-Za-z0-9_.:\/~%-]*[A-Za-z0-9\/]/) == nil,
            value.wholeMatch(of: /[A-Za-z0-9]/) == nil
        else { return value }
        return "\"" + value.unicodeScalars.map(quoted).joined() + "\""
    }

    /// A character in double quotes (YAML 1.2, sections 5.1 and 5.7).
    private static func quoted(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": return "\\\(scalar)"
        case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}":
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: return String(scalar)
        }
    }
}
