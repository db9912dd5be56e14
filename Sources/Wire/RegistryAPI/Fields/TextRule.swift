import Syntax

/// A string of limited length (in Unicode scalars) without control characters; not blank unless it may be empty.
///
/// Line breaks and tabs are allowed in multi-line fields. Marks that change the text direction are refused, since they
/// can disguise the content of an alert.
struct TextRule: ValueRule {
    /// The permitted lengths, in Unicode scalars.
    let length: ClosedRange<Int>
    let isMultiline: Bool

    var expectation: String {
        length.lowerBound > 0
            ? "a text of \(length.lowerBound) to \(length.upperBound) characters"
            : "a text of at most \(length.upperBound) characters"
    }

    func schema(_ context: FieldContext) -> JSONSchema { .text(length, pattern: Self.pattern(length, isMultiline)) }

    func read(_ token: Int, _ reader: inout FieldReader) -> String? {
        guard reader.text.isString(token) else { return reader.refuse(token, self) }
        let text = reader.text.string(token)
        switch flaw(in: text) {
        case nil: return text
        case .length: return reader.refuse(token, self)
        case .control: reader.refuse(token, "must not contain control characters; remove them")
        case .blank: reader.refuse(token, "must not be blank; it must be \(expectation)")
        }
        return nil
    }

    /// What the rule forbids in a text.
    enum Flaw { case length, control, blank }

    /// The first flaw of a text; nil if there is none.
    func flaw(in text: String) -> Flaw? {
        guard length.contains(text.unicodeScalars.count) else { return .length }
        let isPrintable = text.unicodeScalars.allSatisfy { $0.isInLine || isMultiline && $0.breaksLine }
        guard isPrintable else { return .control }
        let mayBeBlank = length.lowerBound == 0
        return mayBeBlank || !text.isBlank ? nil : .blank
    }

    func write(_ value: String, to json: inout JSONWriter) { json.string(value) }

    /// The same rule as a regular expression: printable characters and, if at least one is required, a visible one.
    private static func pattern(_ length: ClosedRange<Int>, _ multiline: Bool) -> String {
        let breaks = multiline ? #"\t\n\r"# : ""
        let invisible = #"\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069"#
        let printable = breaks.isEmpty ? "[^\(invisible)]" : "([\(breaks)]|[^\(invisible)])"
        guard length.lowerBound > 0 else { return "^\(printable)*$" }
        let white = #"\u0020\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000"#
        let unseen = Unicode.Scalar.unseen.map {
            [$0.lowerBound, $0.upperBound].map { #"\u"# + hexadecimal($0) }.joined(separator: "-")
        }
        return "^\(printable)*[^\(invisible)\(white)\(unseen.joined())]\(printable)*$"
    }
}

/// The scalar in four hexadecimal digits.
private func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}

extension String {
    /// Whether none of it is visible.
    var isBlank: Bool { unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0.isUnseen } }
}

extension Unicode.Scalar {
    /// Characters that are invisible on their own: fillers, joiners, variation selectors (Default_Ignorable_Code_Point
    /// of the Basic Multilingual Plane), and the empty Braille pattern.
    fileprivate static let unseen: [ClosedRange<Unicode.Scalar>] = [
        "\u{AD}"..."\u{AD}", "\u{34F}"..."\u{34F}", "\u{115F}"..."\u{1160}", "\u{17B4}"..."\u{17B5}",
        "\u{180B}"..."\u{180F}", "\u{200B}"..."\u{200D}", "\u{2060}"..."\u{206F}", "\u{2800}"..."\u{2800}",
        "\u{3164}"..."\u{3164}", "\u{FE00}"..."\u{FE0F}", "\u{FEFF}"..."\u{FEFF}", "\u{FFA0}"..."\u{FFA0}",
        "\u{FFF0}"..."\u{FFF8}",
    ]

    fileprivate var isUnseen: Bool { Self.unseen.contains { $0.contains(self) } }

    fileprivate var breaksLine: Bool { self == "\n" || self == "\r" || self == "\t" }
}

extension ValueRule where Self == TextRule {
    static func text(_ length: ClosedRange<Int>, multiline: Bool = false) -> TextRule {
        TextRule(length: length, isMultiline: multiline)
    }
}
