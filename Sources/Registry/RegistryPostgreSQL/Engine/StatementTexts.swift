import Synchronization

/// A statement as PostgreSQL reads it.
struct StatementText: Sendable {
    /// The text with the placeholders `$1`, `$2` …
    let sql: String
    /// Whether it inserts, updates or deletes rows.
    let changesRows: Bool
    /// The name of the cursor that reads its rows in parts. Each text has its own, so that the statement that fetches
    /// from it always returns the same columns.
    let cursor: String

    /// - Parameters:
    ///   - sql: a statement with the placeholders `?` and `?1`, which SQLite numbers: a plain one is one more than the
    ///     largest number before it.
    ///   - number: the number of the text.
    init(_ sql: String, number: Int = 0) {
        cursor = "rows_\(number)"
        self.sql = Self.numbered(sql)
        let words = sql.split { !$0.isLetter }
        changesRows =
            switch words.first {
            case "INSERT", "UPDATE", "DELETE": true
            case "WITH": zip(words, words.dropFirst()).contains { Self.isChange($0, $1) }
            default: false
            }
    }

    /// Whether two words that follow each other in a statement with WITH show that it changes rows.
    private static func isChange(_ word: Substring, _ next: Substring) -> Bool {
        word == "INSERT" || word == "DELETE" || (next == "UPDATE" && word != "FOR" && word != "DO")
    }

    /// The text with numbered placeholders. Question marks inside quotes and comments stay.
    private static func numbered(_ sql: String) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(sql.utf8.count + 16)
        var quote: UInt8?
        var largest = 0
        var rest = Array(sql.utf8)[...]
        while let byte = rest.popFirst() {
            if let end = quote {
                if byte == end { quote = nil }
                text.append(byte)
                continue
            }
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                quote = byte
                text.append(byte)
            case UInt8(ascii: "-") where rest.first == UInt8(ascii: "-"):
                quote = UInt8(ascii: "\n")
                text.append(byte)
            case UInt8(ascii: "?"):
                let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                rest = rest.dropFirst(digits.count)
                let number = Int(String(decoding: digits, as: UTF8.self)) ?? largest + 1
                largest = max(largest, number)
                text += Array("$\(number)".utf8)
            default: text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// The statements that were run before: each text is rewritten once.
final class StatementTexts: Sendable {
    /// The registry has about 500 statements. The limit exists because of statements whose text contains numbers.
    private static let limit = 4096

    private let texts = Mutex<(known: [String: StatementText], made: Int)>(([:], 0))

    /// The statement of a text with the placeholders of SQLite.
    func text(_ sql: String) -> StatementText {
        texts.withLock { texts in
            if let text = texts.known[sql] { return text }
            texts.made += 1
            let text = StatementText(sql, number: texts.made)
            if texts.known.count >= Self.limit { texts.known.removeAll(keepingCapacity: true) }
            texts.known[sql] = text
            return text
        }
    }
}
