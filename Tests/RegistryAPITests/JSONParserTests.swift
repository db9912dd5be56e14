import TestSupport
import Testing

@testable import RegistryAPI

@Suite("JSON")
struct JSONParserTests {
    @Test(
        "texts of the grammar are read",
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
        #expect(try JSONParser.parse(Array(text.utf8)) == value)
    }

    @Test(
        "everything else is refused with the place where it breaks",
        arguments: [
            ("", 1), ("nul", 1), ("01", 2), ("+1", 1), (".5", 1), ("1.", 3), ("1e", 3), ("-", 2), ("NaN", 1),
            ("[1,]", 4), ("[1 2]", 4), (#"{"a" 1}"#, 6), (#"{"a":1,}"#, 8), ("{a:1}", 2), (#""abc"#, 1), ("'a'", 1),
            ("\"\u{1}\"", 2), (#""\x""#, 3), (#""\u12g4""#, 6), (#""\ud800""#, 4), (#""\udc00""#, 4),
            (#""\ud800\u0041""#, 4), ("[] []", 4), (#"{"a":1,"a":2}"#, 8), ("[", 2), ("// x", 1), ("\u{FEFF}{}", 1),
        ]
    )
    func refuses(text: String, column: Int) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(text.utf8)) }
        #expect(error?.column == column, "\(error?.description ?? "")")
        #expect(error?.line == 1)
    }

    @Test("lines are counted")
    func lines() {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array("{\n\"a\":\n  x}".utf8)) }
        #expect(error?.line == 3)
        #expect(error?.column == 3)
    }

    @Test("bytes that are not UTF-8 are refused")
    func invalidUTF8() {
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse([0x22, 0xC3, 0x28, 0x22]) }
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse([0x22, 0xED, 0xA0, 0x80, 0x22]) }
    }

    @Test("nesting and the length of numbers are bounded, so that no body exhausts the stack or the processor")
    func bounds() throws {
        let deepest = String(repeating: "[", count: 33) + String(repeating: "]", count: 33)
        _ = try JSONParser.parse(Array(deepest.utf8))
        for text in ["[", "{\"a\":"] {
            let deep = String(repeating: text, count: 100_000)
            #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(deep.utf8)) }
        }
        let long = String(repeating: "9", count: 401)
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(long.utf8)) }
    }

    @Test("no mutation of a batch traps the reader", arguments: 0..<4 as Range<UInt64>)
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
