/// A JSON text (RFC 8259) as tokens that point into its bytes: nothing is copied until a field is read.
///
/// Foundation's decoder stops at the first field of a wrong type, and loses duplicate names and positions. A response
/// to an invalid request needs all of these.
struct JSONText {
    /// What a token is; `no` and `yes` are the literals `false` and `true`.
    enum Kind: UInt8 {
        case null, no, yes
        /// A number without fraction or exponent.
        case integer
        /// Any other number.
        case number
        case string
        /// A string with escape sequences.
        case escapedString
        /// An array, followed by its elements.
        case array
        /// An object, followed by its members, each as a name and a value. No name occurs twice.
        case object
    }

    /// A value, or the name of a member.
    struct Token {
        let kind: Kind
        /// The position of the first byte; for a string, of the byte after its opening quote.
        let start: UInt32
        /// The position after the last byte; for a string, of its closing quote.
        var end: UInt32
        /// The token after the value and everything in it.
        var next: UInt32
    }

    let bytes: [UInt8]
    /// All tokens in the order of the text; the first one is the whole text.
    let tokens: [Token]

    init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        var lexer = JSONLexer(bytes)
        try lexer.text()
        self.bytes = bytes
        tokens = lexer.tokens
    }

    func kind(_ token: Int) -> Kind { tokens[token].kind }

    func isString(_ token: Int) -> Bool { kind(token) == .string || kind(token) == .escapedString }

    /// The token after a value and everything in it.
    func next(_ token: Int) -> Int { Int(tokens[token].next) }

    /// The tokens of an array's elements.
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

    /// The token of the value of an object's member; nil if there is no such member.
    func member(_ name: StaticString, of object: Int) -> Int? {
        var candidate = object + 1
        while candidate < next(object) {
            if isName(candidate, name) { return candidate + 1 }
            candidate = next(candidate + 1)
        }
        return nil
    }

    /// The JSON pointer to a value (RFC 6901), found by a scan from the beginning, because only refusals need it.
    func pointer(to target: Int) -> String {
        var pointer = ""
        var container = 0
        while container != target {
            let isObject = kind(container) == .object
            // In an object, each value follows its name.
            let nameLength = isObject ? 1 : 0
            var value = container + 1 + nameLength
            var index = 0
            while value < next(container), target >= next(value) {
                value = next(value) + nameLength
                index += 1
            }
            guard value < next(container) else { return pointer }
            pointer += isObject ? Self.pointer(to: string(value - 1)) : "/\(index)"
            container = value
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
