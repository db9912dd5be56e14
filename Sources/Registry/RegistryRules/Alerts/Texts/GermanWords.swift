import RegistryAPI

/// The texts of alerts in German.
struct GermanWords: AlertWords {
    private static let months = [
        "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
        "Dezember",
    ]

    func date(_ date: CalendarDate) -> String { "\(date.dayOfMonth). \(Self.months[date.month - 1]) \(date.year)" }

    func moment(_ clock: LocalClock, zone: String) -> String { "am \(date(clock.date)) um \(clock.text) Uhr (\(zone))" }

    func title(_ bike: BikeName, station: String) -> String { "\(bike.name) gehört: \(station)" }

    func heard(_ bike: BikeName, station: String, moment: String) -> String {
        "Der Sender \(ofYour(bike)) wurde \(moment) von der Station „\(station)“ gehört."
    }

    var clockNotSet: String { "Die Uhr der Station war nicht gestellt, die Zeit kann also falsch sein." }
    var comesLate: String {
        "Das kommt verspätet, mehr als eine Stunde danach: Das Zweirad kann schon wieder weg sein."
    }
    var isUpdate: String { "Zu dieser Sichtung, die dir bereits gemeldet wurde, gibt es etwas Neues." }

    func place(_ place: Place) -> String {
        let accuracy = place.accuracy.map { ", auf \(Int($0.rounded(.up))) Meter genau" } ?? ""
        return "Ort: \(AlertLinks.degrees(place.latitude)), \(AlertLinks.degrees(place.longitude))\(accuracy)."
    }

    func sentence(for level: SightingLevel) -> String {
        switch level {
        case .possible: "Das ist möglich: Eine einzelne Station sagt es."
        case .corroborated: "Das ist bestätigt."
        case .disputed: "Das ist zweifelhaft."
        }
    }

    func name(of level: SightingLevel) -> String {
        switch level {
        case .possible: "möglich"
        case .corroborated: "bestätigt"
        case .disputed: "zweifelhaft"
        }
    }

    func sentence(for reason: SightingReason) -> String {
        switch reason {
        case .otherVenue:
            "Auch eine Station eines anderen Betreibers hat den Sender gehört, und Zeit und Ort passen zueinander."
        case .seenAtVenue: "Jemand vor Ort hat das beschriebene Zweirad gesehen."
        case .tooFast:
            "Eine andere Station hat den Sender so weit entfernt gehört, dass er mit mehr als 250 km/h unterwegs "
                + "gewesen sein müsste."
        case .tooManyHops: "Von Station zu Station wäre der Sender schneller gewesen, als es der Verkehr erlaubt."
        case .otherPlace: "Die Station gibt einen anderen Ort an als den, an dem sie angemeldet ist."
        case .reportsEverything: "Die Station will einen großen Teil aller vermissten Zweiräder hören."
        case .notSeenAtVenue: "Jemand vor Ort hat nach dem beschriebenen Zweirad gesucht und es nicht gesehen."
        case .quarantined: "Der Betreiber des Registers traut dem nicht, was diese Station zu dieser Zeit gemeldet hat."
        case .unverified: "Es kam über die ursprüngliche App, von einer unbekannten Person."
        case .beaconProved:
            "Das kann um diese Zeit nur dein Sender gesendet haben, oder ein Funkgerät, das ihn sofort wiederholt."
        case .replayed: "Was gehört wurde, ist alt: Vielleicht hat es jemand aufgezeichnet und wiederholt."
        }
    }

    var copied: String { "Ein Sender lässt sich kopieren: Keine Sichtung beweist, dass das Zweirad dort war." }

    func advice(policeReference: String?) -> String {
        guard let policeReference else {
            return "Stelle niemanden zur Rede. Zeige den Diebstahl bei der Polizei an, falls das noch nicht "
                + "geschehen ist, und nenne ihr Ort und Zeit."
        }
        return "Stelle niemanden zur Rede. Rufe die Polizei an und nenne ihr das Aktenzeichen "
            + "\(policeReference) sowie Ort und Zeit."
    }

    func digestTitle(_ bike: BikeName, count: Int) -> String { "\(bike.name): \(count) weitere Sichtungen" }

    func digest(_ bike: BikeName, count: Int) -> String {
        "Der Sender \(ofYour(bike)) wurde seit der letzten Meldung \(count)-mal gehört, zuletzt:"
    }

    func digestLine(_ clock: LocalClock, station: String, level: SightingLevel) -> String {
        "\(date(clock.date)), \(clock.text) Uhr: \(station) (\(name(of: level)))"
    }

    func more(_ count: Int) -> String { "\(count) weitere stehen in den Sichtungen des Zweirads." }

    var placeLink: String { "Ort in deiner Karten-App öffnen" }
    var mapLink: String { "Ort auf einer Karte zeigen" }
    var acknowledgeLink: String { "Als gelesen bestätigen" }
    var verifyLink: String { "Ja, Meldungen an diese Adresse schicken" }

    var pageTitle: String { "Meldung zu einem vermissten Zweirad" }
    var pageQuestion: String {
        "Der Sender eines vermissten Zweirads wurde gehört, und du hast davon eine Meldung bekommen. Wenn du "
            + "bestätigst, dass du sie gelesen hast, wird an deiner Stelle niemand anderes benachrichtigt."
    }
    var pageButton: String { "Ich habe sie gelesen" }
    var pageDone: String {
        "Danke, die Meldung gilt als gelesen. Stelle niemanden zur Rede, rufe die Polizei an."
    }
    var pageUnusable: String {
        "Dieser Link funktioniert nicht oder nicht mehr. Sieh dir die Sichtungen deines Zweirads mit dem Programm "
            + "findmybike an."
    }

    /// The nominative at the beginning of a sentence, such as „Dein Motorrad Triumph Bonneville“.
    func your(_ bike: BikeName) -> String { named(bike, "Dein \(noun(bike))") }

    /// The genitive, such as „deines Motorrads Triumph Bonneville“.
    func ofYour(_ bike: BikeName) -> String { named(bike, "deines \(noun(bike))s") }

    /// The dative, such as „deinem Motorrad Triumph Bonneville“.
    func toYour(_ bike: BikeName) -> String { named(bike, "deinem \(noun(bike))") }

    private func named(_ bike: BikeName, _ kind: String) -> String {
        bike.name.isEmpty ? kind : "\(kind) \(bike.name)"
    }

    private func noun(_ bike: BikeName) -> String {
        switch bike.kind {
        case .motorbike: "Motorrad"
        case .scooter: "Roller"
        case .bicycle: "Fahrrad"
        case .other, nil: "Zweirad"
        }
    }
}
