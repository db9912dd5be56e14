/// A JSON text (RFC 8259) as tokens that point into its bytes: nothing is copied until a field is read.
///
/// Foundation's decoder stops at the first field that does not fit its type and loses duplicate names and positions;
/// a request's answer needs all of these.
struct JSONText {
    enum Kind: UInt8 {
        case null, no, yes
        /// A number without fraction or exponent.
        case integer
        /// Any other number.
        case number
        case string
        /// A string with escape sequences.
        case escapedString
        /// Its elements follow.
        case array
        /// Its members follow, each as a name and a value. No name occurs twice.
        case object
    }

    struct Token {
        let kind: Kind
        /// The first byte; of a string, the one after its quote.
        let start: UInt32
        /// After the last byte; of a string, its closing quote.
        var end: UInt32
        /// The token after the value and all that it holds.
        var next: UInt32
    }

    let bytes: [UInt8]
    let tokens: [Token]

    init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        var lexer = JSONLexer(bytes)
        try lexer.text()
        self.bytes = bytes
        tokens = lexer.tokens
    }

    func kind(_ token: Int) -> Kind { tokens[token].kind }

    func isString(_ token: Int) -> Bool { kind(token) == .string || kind(token) == .escapedString }

    /// The token after a value and all that it holds.
    func next(_ token: Int) -> Int { Int(tokens[token].next) }

    func elements(of array: Int) -> [Int] {
        var elements: [Int] = []
        var element = array + 1
        while element < next(array) {
            elements.append(element)
            element = next(element)
        }
        return elements
    }

    /// The names of an object and the tokens of their values, in the order of the text.
    func members(of object: Int) -> [(name: String, value: Int)] {
        var members: [(name: String, value: Int)] = []
        var name = object + 1
        while name < next(object) {
            members.append((string(name), name + 1))
            name = next(name + 1)
        }
        return members
    }

    /// The value of an object's member.
    func member(_ name: StaticString, of object: Int) -> Int? {
        var candidate = object + 1
        while candidate < next(object) {
            if isName(candidate, name) { return candidate + 1 }
            candidate = next(candidate + 1)
        }
        return nil
    }

    /// Where a value is (RFC 6901), found from the text's beginning: only refusals ask.
    func pointer(to target: Int) -> String {
        var (pointer, container) = ("", 0)
        while container != target {
            let isObject = kind(container) == .object
            var (child, index) = (container + 1, 0)
            while child < next(container), target >= next(isObject ? child + 1 : child) {
                child = next(isObject ? child + 1 : child)
                index += 1
            }
            guard child < next(container) else { return pointer }
            pointer += isObject ? Self.pointer(to: string(child)) : "/\(index)"
            container = isObject ? child + 1 : child
        }
        return pointer
    }

    /// The part of a pointer that leads to a member.
    static func pointer(to name: String) -> String {
        var pointer = "/"
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": pointer += "~0"
            case "/": pointer += "~1"
            default: pointer.unicodeScalars.append(scalar)
            }
        }
        return pointer
    }
}
