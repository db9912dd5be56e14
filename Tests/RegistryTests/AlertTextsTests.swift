import Registry
import RegistryAPI
import RegistryTestSupport
import Testing

@Suite("Texts of alerts")
struct AlertTextsTests {
    private let alert = Samples.alert(created: HandClock().now)

    @Test("an alert says what was heard, where and when")
    func message() {
        #expect(
            SightingAlert(alert).data.message
                == "The beacon of your motorbike Triumph Bonneville was heard at Café Sprocket on 2026-11-21 at 12:00 UTC."
        )
    }

    @Test("an alert says when its time cannot be trusted")
    func uncertainty() {
        var alert = alert
        alert.sighting.timeUncertain = true
        #expect(SightingAlert(alert).data.message.contains("clock was not set"))
    }

    @Test("an owner is told not to confront anyone, with the police reference at hand")
    func advice() {
        #expect(AlertTexts.advice(policeReference: "CRIME-7").contains("Do not confront anyone"))
        #expect(AlertTexts.advice(policeReference: "CRIME-7").contains("CRIME-7"))
        for none in [nil, ""] {
            #expect(AlertTexts.advice(policeReference: none).contains("Do not confront anyone"))
            #expect(AlertTexts.advice(policeReference: none).contains("Report the theft to the police"))
        }
    }
}
