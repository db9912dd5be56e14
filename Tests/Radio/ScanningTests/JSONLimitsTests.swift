import Scanning
import Testing

@Suite("Limits of JSON") struct JSONLimitsTests {
    private static let limits = JSONLimits(depth: 3, values: 10, key: 5)

    @Test(
        "a text within the limits passes",
        arguments: [
            "", "{}", "[[[1]]]", #"{"12345":"a text of any length, with \u0301 and é"}"#, #"{"a" : "\\\":\""}"#,
            #"["{[{[{["]"#, "[1,2,3,4,5,6,7,8,9,10]",
        ])
    func within(text: String) throws { try Self.limits.check(Array(text.utf8)) }

    @Test(
        "one beyond them does not",
        arguments: [
            ("[[[[1]]]]", JSONLimits.Excess.form), (#"{"123456":1}"#, .form), (#"{"é":1}"#, .form),
            (#"{"\u00e9":1}"#, .form), ("{\"\u{301}\"\n\t:1}", .form), ("{\0\"\0a\0\"\0", .form),
            (#"["\\",{"\\":1}]"#, .form), ("[1,2,3,4,5,6,7,8,9,10,11]", .size),
            ("[{},{},{},{},{},{}]", .size),
        ])
    func beyond(text: String, error: JSONLimits.Excess) {
        #expect(throws: error) { try Self.limits.check(Array(text.utf8)) }
    }
}
