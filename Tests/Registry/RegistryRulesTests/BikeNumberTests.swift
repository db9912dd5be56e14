import RegistryAPI
import RegistryTestSupport
import Testing

@testable import RegistryRules

@Suite("Numbers of bikes that buyers check")
struct BikeNumberTests {
    @Test(
        "spelling makes no difference, and nothing else is overlooked",
        arguments: ["wtu123c0456k", " WTU 123-C.0456/K ", "WTU123C0456K"])
    func spelling(text: String) throws {
        #expect(try BikeNumber(typed: text).text == "WTU123C0456K")
        #expect(try BikeNumber(typed: text) != BikeNumber(typed: text + "1"))
        // O and 0 are different characters on a frame.
        #expect(try BikeNumber(typed: text) != BikeNumber(typed: text.replacing("0", with: "O")))
    }

    @Test(
        "what cannot be compared is refused with the reason",
        arguments: [
            ("", BikeNumber.Flaw.length), ("A1B", .length), ("A 1 - B", .length),
            (String(repeating: "A1B2", count: 10) + "C", .length), (String(repeating: "-", count: 300), .length),
            // A Cyrillic А, a full-width digit, a dotless i, a no-break space, an underscore and a line break.
            ("\u{0410}1234X9", .characters), ("A\u{FF11}234X9", .characters), ("\u{0131}1234X9", .characters),
            ("A1234\u{A0}X9", .characters), ("A1234_X9", .characters), ("A1234\nX9", .characters),
            ("0000", .common), ("0001", .common), ("1212121", .common), ("12345678", .common), ("7654321", .common),
            ("1234567890", .common), ("unknown", .common), ("keine", .common),
        ])
    func flaws(text: String, flaw: BikeNumber.Flaw) {
        #expect(throws: flaw) { try BikeNumber(typed: text) }
    }

    @Test("misread characters fold to one form, Q only in a number as long as a VIN")
    func folding() throws {
        func folded(_ text: String) throws -> String { try BikeNumber(typed: text).folded }
        #expect(try folded("wtu-1o3i") == "WTU1031" && folded("wtul23") == "WTU123" && folded("A1Q2") == "A1Q2")
        #expect(try folded("WBIOA11Q3E6Z12345") == "WB10A1103E6Z12345")
        #expect(try folded("WBIOA11Q3E6Z1234") == "WB10A11Q3E6Z1234")
        let key = NumberKey(bytes: Array(0..<32))
        let (one, other) = (try BikeNumber(typed: "A1B07"), try BikeNumber(typed: "AIBO7"))
        #expect(
            key.foldedDigest(of: one) == key.foldedDigest(of: other) && key.digest(of: one) != key.digest(of: other))
        #expect(key.foldedDigest(of: one) != key.digest(of: one))
        let similar = other.similar(to: one)
        #expect(similar.number == "A1B07" && similar.differences.map(\.position) == [2, 4])
        #expect(similar.differences.map(\.checked) == ["I", "O"] && similar.differences.map(\.reported) == ["1", "0"])
    }

    @Test("a VIN with letters that no VIN has is refused; other numbers may have them")
    func readableVIN() throws {
        func draft(_ vin: String?) -> BikeDraft {
            var draft = Samples.bike
            draft.vin = vin
            return draft
        }
        for wrong in ["WBIOA1103E6Z12345", "wb10a11o3 e6z12345", "WB10A11Q3E6Z12345", "WB10A11\u{200B}O3E6Z12345"] {
            #expect(throws: DomainError.self) { try draft(wrong).requireReadableVIN() }
        }
        for right in [nil, "", "WB10A1103E6Z12345", "QIO 4711", "see papers: OIQ, page 1"] {
            try draft(right).requireReadableVIN()
        }
    }

    @Test("numbers of 4 and of 40 characters are compared")
    func lengths() throws {
        for text in ["A1B2", String(repeating: "A1B2", count: 10)] { #expect(try BikeNumber(typed: text).text == text) }
    }

    @Test("the same number has one hash with one key; a consent has a name of its own")
    func hashes() throws {
        let (key, other) = (NumberKey(bytes: Array(0..<32)), NumberKey(bytes: Array(1..<33)))
        let (number, next) = (try BikeNumber(typed: "A1B2"), try BikeNumber(typed: "A1B3"))
        #expect(key.digest(of: number) == NumberKey(bytes: Array(0..<32)).digest(of: number))
        let (bike, time) = (BikeID(high: 1, low: 1), HandClock().now)
        let values = [
            key.digest(of: number), key.digest(of: next), other.digest(of: number), SecretDigest(of: "A1B2"),
            key.consent(to: number, of: bike, at: time),
            key.consent(to: number, of: bike, at: time.advanced(by: .seconds(1))),
            key.consent(to: number, of: BikeID(high: 1, low: 2), at: time),
        ]
        #expect(Set(values).count == values.count)
    }

    @Test("a check is refused unless all of the bike's numbers can be compared")
    func consent() throws {
        func draft(_ serial: String?, _ vin: String? = nil, _ allows: Bool? = true) -> BikeDraft {
            var draft = Samples.bike
            (draft.serial, draft.vin, draft.buyerCheck) = (serial, vin, allows)
            return draft
        }
        for wrong in [draft(nil), draft(""), draft("0000"), draft("A1B2", "see papers"), draft("Ä1234")] {
            #expect(throws: DomainError.self) { try wrong.requireCheckableNumbers() }
        }
        try draft("A1B2").requireCheckableNumbers()
        try draft("0000", nil, nil).requireCheckableNumbers()
        #expect(draft("a1b2", "A-1B2").numbers == [try BikeNumber(typed: "A1B2")])
    }

    @Test("no longer allowing the check of a missing bike weakens its search")
    func weakening() {
        func bike(_ allows: Bool?, report: ReportID? = ReportID(high: 1, low: 1)) -> Bike {
            var details = Samples.bike
            (details.serial, details.buyerCheck) = ("A1B2", allows)
            return Bike(
                id: BikeID(high: 1, low: 1), details: details, identity: Samples.identity(1), openReport: report,
                created: HandClock().now)
        }
        #expect(SearchWeakening.of(bike(true), to: bike(false)) == .describeOtherwise)
        #expect(SearchWeakening.of(bike(nil), to: bike(true)) == nil)
        #expect(SearchWeakening.of(bike(true, report: nil), to: bike(nil, report: nil)) == nil)
        // False is the same as absent.
        #expect(bike(false) == bike(nil))
    }
}
