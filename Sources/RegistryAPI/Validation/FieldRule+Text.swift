extension FieldRule where Value == String {
    /// A text of so many characters (Unicode scalars) without control characters; where at least one is asked for, not blank.
    ///
    /// Line breaks and tabs are allowed where people write more than a line. Marks that turn the direction of writing
    /// are refused, since they can disguise what an alert says.
    static func text(_ length: ClosedRange<Int>, multiline: Bool = false) -> FieldRule {
        let bounds =
            length.lowerBound > 0
            ? "a text of \(length.lowerBound) to \(length.upperBound) characters"
            : "a text of at most \(length.upperBound) characters"
        let schema = { (_: UnknownFields) in JSONSchema.text(length, pattern: pattern(length, multiline)) }
        return FieldRule(bounds, schema: schema) { value, pointer, collector in
            guard case .string(let text) = value, length.contains(text.unicodeScalars.count) else {
                collector.refuse(pointer, "must be \(bounds)")
                return nil
            }
            guard text.unicodeScalars.allSatisfy({ $0.isPrintable || multiline && $0.breaksLine }) else {
                collector.refuse(pointer, "must not contain control characters; remove them")
                return nil
            }
            guard length.lowerBound == 0 || !text.unicodeScalars.allSatisfy(\.properties.isWhitespace) else {
                collector.refuse(pointer, "must not be blank; it must be \(bounds)")
                return nil
            }
            return text
        }
    }

    /// The same as a regular expression: characters that print and, where at least one is asked for, one that is seen.
    private static func pattern(_ length: ClosedRange<Int>, _ multiline: Bool) -> String {
        let breaks = multiline ? #"\t\n\r"# : ""
        let invisible = #"\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069"#
        let printable = breaks.isEmpty ? "[^\(invisible)]" : "([\(breaks)]|[^\(invisible)])"
        guard length.lowerBound > 0 else { return "^\(printable)*$" }
        let white = #"\u0020\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000"#
        return "^\(printable)*[^\(invisible)\(white)]\(printable)*$"
    }
}

extension Unicode.Scalar {
    fileprivate var breaksLine: Bool { self == "\n" || self == "\r" || self == "\t" }

    /// Characters that this program's Unicode does not know yet are taken: people write with newer ones.
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        case .format: !properties.isBidiControl
        default: true
        }
    }
}
