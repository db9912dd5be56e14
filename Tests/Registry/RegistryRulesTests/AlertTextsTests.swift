import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@Suite("Texts of alerts")
struct AlertTextsTests {
    private let now = HandClock().now
    private let content = Samples.sightingContent(seen: HandClock().now)

    @Test("an alert contains the beacon, the place and the time")
    func message() {
        #expect(
            SightingAlert(content, created: now).data.message
                == "The beacon of your motorbike Triumph Bonneville was heard at Café Sprocket on 21 November 2026 at "
                + "12:00 (UTC)."
        )
    }

    @Test("an alert warns if its time is uncertain")
    func uncertainty() {
        var content = content
        content.sighting.timeUncertain = true
        #expect(SightingAlert(content, created: now).data.message.contains("clock was not set"))
    }

    @Test("an alert gives its certainty and the reasons, and warns of copies", arguments: SightingLevel.allCases)
    func certainty(level: SightingLevel) {
        var content = content
        content.sighting.level = level
        content.sighting.reasons = level == .disputed ? [.tooFast, .quarantined] : []
        content.isLate = true
        let text = SightingAlert(content, created: now).data.certainty
        #expect(text.contains("can be copied"))
        #expect(SightingAlert(content, created: now).data.message.contains("late"))
        #expect(text.contains("250 km/h") == (level == .disputed))
    }

    @Test("an alert advises not to confront anyone, and to have the police reference ready")
    func advice() {
        let texts = AlertTexts()
        #expect(texts.advice(policeReference: "CRIME-7").contains("Do not confront anyone"))
        #expect(texts.advice(policeReference: "CRIME-7").contains("CRIME-7"))
        for none in [nil, ""] {
            #expect(texts.advice(policeReference: none).contains("Do not confront anyone"))
            #expect(texts.advice(policeReference: none).contains("Report the theft to the police"))
        }
    }

    @Test("every notice contains what happened and what to do", arguments: OwnerNotice.Event.allCases)
    func notices(event: OwnerNotice.Event) {
        let alert = NoticeAlert(OwnerNotice(event, bike: Samples.bikeSummary, subject: "laptop"), created: now)
        #expect(alert.type == event.rawValue)
        #expect(alert.data.message.hasSuffix("."))
        #expect(!alert.data.advice.isEmpty)
    }
}

@Suite("Alerts in each language")
struct AlertLanguageTests {
    private static let now = HandClock().now
    private static let links = AlertLinks(
        publicURL: "https://registry.example", map: "https://map.example/{latitude}/{longitude}")

    private static func text(
        _ content: ClaimedAlert.Content, _ language: AlertLanguage, tellsPlace: Bool = true
    ) -> AlertText {
        var alert = Samples.alert(created: now)
        alert.content = content
        alert.reader = AlertReader(language: language, zone: LocalZone("Europe/Berlin"))
        alert.links = links
        alert.channel.coordinates = tellsPlace
        return alert.text
    }

    private static let contents: [ClaimedAlert.Content] =
        SightingLevel.allCases.map { level in
            var content = Samples.sightingContent(seen: now)
            content.sighting.level = level
            content.sighting.reasons = SightingReason.allCases
            content.isLate = true
            content.sighting.timeUncertain = true
            content.isUpdate = true
            return .sighting(content)
        }
        + [
            .digest(
                ClaimedAlert.DigestContent(
                    bike: Samples.bikeSummary, policeReference: nil, report: ReportID(high: 6, low: 1), count: 12,
                    sightings: [Samples.sighting(seen: now)]))
        ]
        + OwnerNotice.Event.allCases.map {
            .notice(OwnerNotice($0, bike: Samples.bikeSummary, subject: "https://a.example", date: CalendarDate(now)))
        }

    @Test("all languages have all texts, in different words, without leftover placeholders", arguments: contents)
    func words(content: ClaimedAlert.Content) {
        let english = Self.text(content, .en)
        for language in AlertLanguage.allCases {
            let text = Self.text(content, language)
            let all = ([text.title] + text.paragraphs + text.links.map(\.label))
            #expect(
                all.allSatisfy { !$0.isEmpty && !$0.contains("{") && !$0.contains("nil") && !$0.contains("Optional") })
            #expect(text.paragraphs.allSatisfy { !$0.contains("\n") } && !text.title.contains("\n"))
            #expect(text.title.count <= AlertText.longestTitle)
            #expect(english.paragraphs.count == text.paragraphs.count)
            #expect(english.links.map(\.url) == text.links.map(\.url))
            #expect(language == .en || zip(english.paragraphs, text.paragraphs).allSatisfy { $0 != $1 })
            #expect(text.language == language)
        }
    }

    @Test("times are in the owner’s zone, which is shown")
    func zone() {
        let content = ClaimedAlert.Content.sighting(Samples.sightingContent(seen: Self.now))
        #expect(
            Self.text(content, .en).paragraphs[0]
                == "The beacon of your motorbike Triumph Bonneville was heard at Café Sprocket on 21 November 2026 at "
                + "13:00 (Europe/Berlin, UTC+1).")
        #expect(
            Self.text(content, .de).paragraphs[0]
                == "Der Sender deines Motorrads Triumph Bonneville wurde am 21. November 2026 um 13:00 Uhr "
                + "(Europe/Berlin, UTC+1) von der Station „Café Sprocket“ gehört.")
    }

    @Test("only alerts for channels that allow it contain the place: as text, for a map app and on the operator’s map")
    func place() {
        let content = ClaimedAlert.Content.sighting(Samples.sightingContent(seen: Self.now))
        let open = Self.text(content, .en)
        #expect(open.paragraphs.contains("Place: 51.5, -0.12, to within 10 metres."))
        #expect(open.links.map(\.url).prefix(2) == ["geo:51.5,-0.12;u=10", "https://map.example/51.5/-0.12"])
        let secret = Self.text(content, .en, tellsPlace: false)
        let all = secret.paragraphs + secret.links.map(\.url) + [secret.title]
        #expect(all.allSatisfy { !$0.contains("51.5") && !$0.contains("geo:") })
        #expect(secret.links.map(\.label) == ["Confirm that you have read this"])
    }

    @Test("degrees have no exponent", arguments: [(0.0000001, "0.0"), (-0.5, "-0.5"), (179.123456789, "179.123457")])
    func degrees(value: Double, text: String) {
        #expect(AlertLinks.geo(Place(latitude: 0, longitude: value)) == "geo:0.0,\(text)")
    }

    @Test("a long title is shortened")
    func title() {
        var content = Samples.sightingContent(seen: Self.now)
        content.bike.model = String(repeating: "x", count: 64)
        content.sighting.station.name = String(repeating: "y", count: 64)
        let title = Self.text(.sighting(content), .de).title
        #expect(title.count == AlertText.longestTitle && title.hasSuffix("…"))
    }

    @Test("only a link with the code of its own alert and channel is valid")
    func code() {
        let (one, other) = (Samples.alert(1, created: Self.now), Samples.alert(2, created: Self.now))
        let code = AcknowledgementCode(of: one.id, secret: one.channel.secret)
        #expect(code.text.count == 20 && code.matches(code.text))
        #expect(!code.matches(AcknowledgementCode(of: other.id, secret: one.channel.secret).text))
        #expect(!code.matches(AcknowledgementCode(of: one.id, secret: SigningSecret(bytes: [1])).text))
        #expect(!code.matches("") && !code.matches(code.text + "0"))
    }
}
