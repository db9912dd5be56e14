extension JSONValue {
    /// The value as JSON text; the same value always gives the same bytes.
    public var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += "\(value)"
        case .number(let value): text += "\(value)"
        case .string(let value): Self.write(value, to: &text)
        case .array(let elements):
            Self.write(elements, between: ("[", "]"), to: &text) { $0.write(to: &$1) }
        case .object(let members):
            Self.write(members.sorted { $0.key < $1.key }, between: ("{", "}"), to: &text) { member, text in
                Self.write(member.key, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
        }
    }

    private static func write<Element>(
        _ elements: some Sequence<Element>, between brackets: (String, String), to text: inout String,
        _ write: (Element, inout String) -> Void
    ) {
        text += brackets.0
        var isFirst = true
        for element in elements {
            if !isFirst { text += "," }
            isFirst = false
            write(element, &text)
        }
        text += brackets.1
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
