import Testing

@testable import Simulation

@Suite("A duration in a file")
struct DurationTextTests {
    @Test(
        "is exact to the nanosecond",
        arguments: [
            ("0s", 0), ("350ms", 350_000_000), ("90s", 90_000_000_000), ("1.5m", 90_000_000_000),
            ("1h30m", 5_400_000_000_000), ("0.1s", 100_000_000), ("0.000001ms", 1), ("2d", 172_800_000_000_000),
            ("0.999999999d", 86_399_999_913_600), ("1h0.5s", 3_600_500_000_000), ("36525d", 3_155_760_000_000_000_000),
        ] as [(String, Int64)])
    func parsed(text: String, nanoseconds: Int64) {
        #expect(DurationText.parse(text) == .nanoseconds(nanoseconds))
    }

    @Test(
        "is refused if it is ambiguous or out of range",
        arguments: [
            "", "s", "1", "1x", "1 s", "-1s", "+1s", "1s1m", "1s1s", "1.s", ".5s", "1..5s", "1.5.5s", "1e3s", "1sm",
            "0.0000000001d", "9999999999s", "36526d", "36525d1ms", "１s", "1h ", "1ms1s",
        ])
    func refused(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test("is printed in a form that can be written", arguments: ["0s", "20ms", "1m", "10s240ms", "31d", "1h30m"])
    func formatted(text: String) throws {
        #expect(try DurationText.format(#require(DurationText.parse(text))) == text)
    }
}
