import RegistryAPI
import RegistryTestSupport
import Testing

@testable import RegistryRules

@Suite("Acts that weaken a search")
struct SearchWeakeningTests {
    private static let now = HandClock().now

    @Test("each act is announced on all channels or needs a recovery code", arguments: SearchWeakening.allCases)
    func noneIsSilent(_ weakening: SearchWeakening) {
        #expect(weakening.notice != nil || weakening.confirmation != .never)
        #expect(weakening.notice?.isUrgent != false)
    }

    private static func report(
        reference: String? = "R", held: Timestamp? = nil, isOpen: Bool = true
    ) -> MissingReport {
        MissingReport(
            id: ReportID(high: 1, low: 1), bike: BikeID(high: 2, low: 1), opened: now, missingSince: now,
            policeReference: reference, heldUntil: held, closed: isOpen ? nil : now,
            closure: isOpen ? nil : ReportClosure(outcome: .recovered)
        )
    }

    @Test("removing a report's reference or hold weakens its search, but adding one does not")
    func reports() {
        let (day, later) = (Self.now.advanced(by: .days(1)), Self.now.advanced(by: .seconds(90_000)))
        let cases: [(MissingReport, MissingReport, SearchWeakening?)] = [
            (Self.report(), Self.report(reference: nil), .withdrawReference),
            (Self.report(), Self.report(reference: "  "), .withdrawReference),
            (Self.report(), Self.report(reference: "S"), .changeReference),
            (Self.report(reference: nil), Self.report(), nil),
            (Self.report(isOpen: false), Self.report(reference: nil, isOpen: false), nil),
            (Self.report(held: later), Self.report(held: day), .shortenHold),
            (Self.report(held: day), Self.report(held: later), nil),
            (Self.report(held: day, isOpen: false), Self.report(isOpen: false), .shortenHold),
            (Self.report(held: day), Self.report(reference: nil), .withdrawReference),
        ]
        for (before, after, expected) in cases { #expect(SearchWeakening.of(before, to: after) == expected) }
        var earlier = Self.report()
        earlier.missingSince = Self.now.advanced(by: .seconds(-3600))
        #expect(SearchWeakening.of(earlier, to: Self.report()) == .missLater)
        #expect(SearchWeakening.of(Self.report(), to: earlier) == nil)
    }
}
