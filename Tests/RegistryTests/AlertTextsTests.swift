import Registry
import RegistryAPI
import RegistryTestSupport
import Testing

@Suite("Texts of alerts")
struct AlertTextsTests {
    private let now = HandClock().now
    private let content = Samples.sightingContent(seen: HandClock().now)

    @Test("an alert says what was heard, where and when")
    func message() {
        #expect(
            SightingAlert(content, created: now).data.message
                == "The beacon of your motorbike Triumph Bonneville was heard at Café Sprocket on 21 November 2026 at "
                + "12:00 (UTC)."
        )
    }

    @Test("an alert says when its time cannot be trusted")
    func uncertainty() {
        var content = content
        content.sighting.timeUncertain = true
        #expect(SightingAlert(content, created: now).data.message.contains("clock was not set"))
    }

    @Test("an alert says how sure it is and why, and that no level excludes a copy", arguments: SightingLevel.allCases)
    func certainty(level: SightingLevel) {
        var content = content
        content.sighting.level = level
        content.sighting.reasons = level == .disputed ? [.tooFast, .quarantined] : []
        content.sighting.late = true
        let text = SightingAlert(content, created: now).data.certainty
        #expect(text.contains("can be copied"))
        #expect(SightingAlert(content, created: now).data.message.contains("late"))
        #expect(text.contains("250 km/h") == (level == .disputed))
    }

    @Test("an owner is told not to confront anyone, with the police reference at hand")
    func advice() {
        let texts = AlertTexts()
        #expect(texts.advice(policeReference: "CRIME-7").contains("Do not confront anyone"))
        #expect(texts.advice(policeReference: "CRIME-7").contains("CRIME-7"))
        for none in [nil, ""] {
            #expect(texts.advice(policeReference: none).contains("Do not confront anyone"))
            #expect(texts.advice(policeReference: none).contains("Report the theft to the police"))
        }
    }

    @Test("every notice says what happened and what to do", arguments: OwnerNotice.Event.allCases)
    func notices(event: OwnerNotice.Event) {
        let alert = NoticeAlert(OwnerNotice(event, bike: Samples.bikeSummary, subject: "laptop"), created: now)
        #expect(alert.type == event.rawValue)
        #expect(alert.data.message.hasSuffix("."))
        #expect(!alert.data.advice.isEmpty)
    }
}
