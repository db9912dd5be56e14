import TestSupport
import Testing

@testable import RegistryAPI

@Suite("JSON")
struct JSONTextTests {
    @Test(
        "valid JSON is parsed",
        arguments: [
            (" null ", JSONValue.null), ("true", .bool(true)), ("[false]", .array([.bool(false)])),
            ("-0", .integer(0)), ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.5e3", .number(1500)),
            ("1E-2", .number(0.01)), ("1e400", .number(.infinity)), ("{}", .object([:])), ("[]", .array([])),
            (
                #"{"a":1,"b":[2,{"c":null}]}"#,
                .object(["a": .integer(1), "b": .array([.integer(2), .object(["c": .null])])])
            ),
            (#""\"\\\/\b\f\n\r\t\u00e9\ud83d\udeb2""#, .string("\"\\/\u{8}\u{C}\n\r\té🚲")), (#""é🚲""#, .string("é🚲")),
            (#"{"":""}"#, .object(["": .string("")])),
        ]
    )
    func accepts(text: String, value: JSONValue) throws {
        #expect(try JSONText(Array(text.utf8)).value() == value)
    }

    @Test(
        "invalid JSON is refused with the position of the error",
        arguments: [
            ("", 1), ("nul", 1), ("01", 2), ("+1", 1), (".5", 1), ("1.", 3), ("1e", 3), ("-", 2), ("NaN", 1),
            ("[1,]", 4), ("[1 2]", 4), (#"{"a" 1}"#, 6), (#"{"a":1,}"#, 8), ("{a:1}", 2), (#""abc"#, 1), ("'a'", 1),
            ("\"\u{1}\"", 2), (#""\x""#, 3), (#""\u12g4""#, 6), (#""\ud800""#, 4), (#""\udc00""#, 4),
            (#""\ud800\u0041""#, 4), ("[] []", 4), (#"{"a":1,"a":2}"#, 8), (#"{"a":1,"\u0061":2}"#, 8), ("[", 2),
            ("// x", 1), ("\u{FEFF}{}", 1),
        ]
    )
    func refuses(text: String, column: Int) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONText(Array(text.utf8)) }
        #expect(error?.column == column, "\(error?.description ?? "")")
        #expect(error?.line == 1)
    }

    @Test("the position counts lines")
    func lines() {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONText(Array("{\n\"a\":\n  x}".utf8)) }
        #expect(error?.line == 3)
        #expect(error?.column == 3)
    }

    @Test("bytes that are not UTF-8 are refused")
    func invalidUTF8() {
        #expect(throws: JSONSyntaxError.self) { try JSONText([0x22, 0xC3, 0x28, 0x22]) }
        #expect(throws: JSONSyntaxError.self) { try JSONText([0x22, 0xED, 0xA0, 0x80, 0x22]) }
    }

    @Test("nesting and the length of numbers are bounded, so that no body exhausts the stack or the processor")
    func bounds() throws {
        let deepest = String(repeating: "[", count: 33) + String(repeating: "]", count: 33)
        _ = try JSONText(Array(deepest.utf8))
        for text in ["[", "{\"a\":"] {
            let deep = String(repeating: text, count: 100_000)
            #expect(throws: JSONSyntaxError.self) { try JSONText(Array(deep.utf8)) }
        }
        let long = String(repeating: "9", count: 401)
        #expect(throws: JSONSyntaxError.self) { try JSONText(Array(long.utf8)) }
    }

    @Test("a duplicate name is refused among any number of members")
    func duplicates() throws {
        for count in [2, 30, 64, 65, 1000] {
            let members = (0..<count).map { #""\#($0)":{"x":1,"y":2}"# }.joined(separator: ",")
            #expect(try JSONText(Array("{\(members)}".utf8)).members(of: 0).count == count)
            for name in [0, count - 1] {
                #expect(throws: JSONSyntaxError.self) { try JSONText(Array("{\(members),\"\(name)\":0}".utf8)) }
            }
        }
    }

    @Test("a name has at most 64 bytes, however it is written", arguments: ["x", #"\u0078"#])
    func names(character: String) throws {
        let longest = String(repeating: character, count: 64)
        _ = try JSONText(Array("{\"\(longest)\":1}".utf8))
        #expect(throws: JSONSyntaxError.self) { try JSONText(Array("{\"\(longest)x\":1}".utf8)) }
    }

    @Test("a value is found by its pointer")
    func pointers() throws {
        let text = try JSONText(Array(#"{"a/b~c":[1,{"x":2,"y":[3]}],"z":4}"#.utf8))
        let pointers = text.tokens.indices.map { text.pointer(to: $0) }
        #expect(pointers.contains("/a~1b~0c/1/y/0") && pointers.contains("/z") && pointers[0] == "")
    }

    @Test("no mutation of a batch crashes the parser", arguments: 0..<4 as Range<UInt64>)
    func mutations(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let original = Array(VisitBatchReadingTests.batch.utf8)
        for _ in 0..<5000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
                case 1: bytes.remove(at: place)
                default: bytes.insert(contentsOf: Array("-9e99".utf8), at: place)
                }
            }
            _ = try? VisitBatchReading(bytes)
            _ = try? VisitBatchReading(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator))))
        }
    }
}
