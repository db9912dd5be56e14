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
        return FieldRule(bounds) { value, pointer, collector in
            guard case .string(let text) = value, length.contains(text.unicodeScalars.count) else {
                collector.refuse(pointer, "must be \(bounds)")
                return nil
            }
            guard text.unicodeScalars.allSatisfy({ $0.isPrintable || multiline && $0.breaksLine }) else {
                collector.refuse(pointer, "must not contain control characters; remove them")
                return nil
            }
            guard length.lowerBound == 0 || !text.allSatisfy(\.isWhitespace) else {
                collector.refuse(pointer, "must not be blank; it must be \(bounds)")
                return nil
            }
            return text
        }
    }
}

extension Unicode.Scalar {
    fileprivate var breaksLine: Bool { self == "\n" || self == "\r" || self == "\t" }

    fileprivate var isPrintable: Bool {
        guard !isASCII else { return value >= 0x20 && value != 0x7F }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: return false
        case .format: return !properties.isBidiControl
        default: return true
        }
    }
}
