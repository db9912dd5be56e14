import Foundation
import Syntax

/// The text file on a card's boot partition in which its owner gives settings: a name and a value in each line.
///
/// It is written with any editor of any computer. So line ends, byte order marks and UTF-16 are accepted, and each name may
/// be spelt with or without capitals, spaces and hyphens.
struct CardFile {
    /// A value and the number of its line, from 1.
    struct Entry: Hashable {
        let text: String
        let line: Int
    }

    /// The maximum size in bytes, far above any real file.
    static let maximumSize = 1 << 16

    /// The maximum number of errors that are shown.
    private static let shownErrors = 20

    private(set) var entries: [CardSetting: Entry] = [:]
    private let lines: [String]
    private let lineEnd: String

    /// - Throws: all errors of the file.
    init(_ data: Data) throws(CardErrors) {
        guard data.count <= Self.maximumSize, let text = Self.text(data) else {
            throw CardErrors(["The file is not plain text. Save it as plain text (UTF-8), not with a word processor."])
        }
        lineEnd = text.utf8.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n"
        lines = text.replacing(text: "\r\n", with: "\n").replacing(scalars: ["\r": "\n"])
            .split(at: "\n", omittingEmptySubsequences: false).map(String.init)
        var errors: [String] = []
        for (index, line) in lines.enumerated() {
            do {
                try read(line, index + 1)
            } catch {
                errors += error.messages
            }
        }
        guard errors.isEmpty else { throw CardErrors(Array(errors.prefix(Self.shownErrors))) }
    }

    /// The value of a setting; nil if the file does not give it.
    subscript(setting: CardSetting) -> String? { entries[setting]?.text }

    /// The file without the values of some settings.
    func removing(_ settings: Set<CardSetting>) -> Data {
        var lines = lines
        for setting in settings {
            guard let entry = entries[setting] else { continue }
            lines[entry.line - 1] = "\(setting.rawValue):"
        }
        return Data(lines.joined(separator: lineEnd).utf8)
    }

    /// Reads a line: a setting, a comment, or nothing.
    private mutating func read(_ line: String, _ number: Int) throws(CardErrors) {
        let line = line.trimmingCharacters(in: .whitespaces)
        guard !line.isEmpty, !line.begins(with: "#") else { return }
        guard let end = line.unicodeScalars.firstIndex(where: { $0 == ":" || $0 == "=" }) else {
            throw CardErrors(["Line \(number): a line is a name, a colon and a value, for example “code: 7KQ2M-XW9TC”."]
            )
        }
        let name = String(line[..<end])
        guard let setting = CardSetting(spelt: name) else {
            let names = CardSetting.allCases.map(\.rawValue)
            throw CardErrors([
                "Line \(number): there is no setting of this name. The names are: \(names.joined(separator: ", "))."
            ])
        }
        let value = Self.unquoted(line[line.unicodeScalars.index(after: end)...].trimmingCharacters(in: .whitespaces))
        guard !value.isEmpty else { return }
        guard value.unicodeScalars.allSatisfy({ !CharacterSet.controlCharacters.contains($0) }) else {
            throw CardErrors(["Line \(number): the value contains characters that cannot be seen. Type it by hand."])
        }
        guard entries[setting] == nil else {
            throw CardErrors(["Line \(number): \(setting.rawValue) is given twice. Remove one of the two lines."])
        }
        entries[setting] = Entry(text: value, line: number)
    }

    /// The value without quotation marks, which allow it to begin or end with spaces.
    private static func unquoted(_ value: String) -> String {
        value.dropping(prefix: "\"")?.dropping(suffix: "\"").map { String($0) } ?? value
    }

    /// The text of the file: UTF-16 by its byte order mark, or else UTF-8; nil if it is neither.
    private static func text(_ data: Data) -> String? {
        switch (data.first, data.dropFirst().first) {
        case (0xFF, 0xFE), (0xFE, 0xFF): data.count.isMultiple(of: 2) ? String(data: data, encoding: .utf16) : nil
        default: String(data: data.withoutByteOrderMark, encoding: .utf8)
        }
    }
}

/// A setting in `findmybike.txt`, by its name there.
enum CardSetting: String, CaseIterable {
    case registry, code
    case wifi
    case wifiPassword = "wifi-password"
    case country
    case timeZone = "time-zone"
    case name

    /// - Parameter name: the name as someone typed it.
    init?(spelt name: String) {
        let plain = Self.plain(name)
        guard let setting = Self.allCases.first(where: { Self.plain($0.rawValue) == plain }) else { return nil }
        self = setting
    }

    /// A name without capitals, spaces and hyphens.
    private static func plain(_ name: String) -> String {
        name.lowercased().filter(\.isLetter)
    }
}

/// All errors in a file, each a sentence for the person who wrote the file.
public struct CardErrors: Error, Hashable {
    let messages: [String]

    init(_ messages: [String]) {
        self.messages = messages
    }

    /// The text for the status file.
    public var lines: [String] {
        ["findmybike.txt has errors. Nothing in it was used."] + messages
            + ["", "Correct the file, put the card back and switch the machine on."]
    }
}
