import RegistryAPI

/// The texts of alerts in English.
struct EnglishWords: AlertWords {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    func date(_ date: CalendarDate) -> String { "\(date.dayOfMonth) \(Self.months[date.month - 1]) \(date.year)" }

    func moment(_ clock: LocalClock, zone: String) -> String { "on \(date(clock.date)) at \(clock.text) (\(zone))" }

    func title(_ bike: BikeName, station: String) -> String { "\(bike.name) heard at \(station)" }

    func heard(_ bike: BikeName, station: String, moment: String) -> String {
        "The beacon of \(your(bike)) was heard at \(station) \(moment)."
    }

    var clockNotSet: String { "The station’s clock was not set, so the time may be wrong." }
    var comesLate: String { "This alert is more than an hour late: the bike may have left." }
    var isUpdate: String { "This is an update to an earlier sighting." }

    func place(_ place: Place) -> String {
        let accuracy = place.accuracy.map { ", to within \(Int($0.rounded(.up))) metres" } ?? ""
        return "Place: \(AlertLinks.degrees(place.latitude)), \(AlertLinks.degrees(place.longitude))\(accuracy)."
    }

    func sentence(for level: SightingLevel) -> String {
        switch level {
        case .possible: "This is possible: only one station says so."
        case .corroborated: "This is corroborated."
        case .disputed: "This is disputed."
        }
    }

    func name(of level: SightingLevel) -> String {
        switch level {
        case .possible: "possible"
        case .corroborated: "corroborated"
        case .disputed: "disputed"
        }
    }

    func sentence(for reason: SightingReason) -> String {
        switch reason {
        case .otherVenue: "A station of another venue also heard the beacon, at a time and place that fit."
        case .seenAtVenue: "A person at the venue saw the described bike."
        case .tooFast: "Another station heard the beacon so far away that it would have moved at over 250 km/h."
        case .tooManyHops: "From station to station the beacon would have moved faster than traffic can."
        case .otherPlace: "The station says that it was not where it was enrolled."
        case .reportsEverything: "The station claims to hear a large part of all missing bikes."
        case .notSeenAtVenue: "A person at the venue looked for the described bike and did not see it."
        case .quarantined: "The registry’s operator does not trust what this station reported then."
        case .unverified: "It came through the original app, from an unknown person."
        case .beaconProved: "Only your beacon can have sent this at that time, or a radio that repeated it at once."
        case .replayed: "What was heard is old: somebody may have recorded and repeated it."
        }
    }

    var copied: String { "A beacon can be copied: no sighting proves that the bike was there." }

    func advice(policeReference: String?) -> String {
        guard let policeReference else {
            return "Do not confront anyone. Report the theft to the police if you have not yet, and tell them the "
                + "place and the time."
        }
        return "Do not confront anyone. Call the police, give your reference \(policeReference), and tell them the "
            + "place and the time."
    }

    func digestTitle(_ bike: BikeName, count: Int) -> String { "\(bike.name): \(count) more sightings" }

    func digest(_ bike: BikeName, count: Int) -> String {
        "The beacon of \(your(bike)) was heard \(count) times since the last alert. The latest:"
    }

    func digestLine(_ clock: LocalClock, station: String, level: SightingLevel) -> String {
        "\(date(clock.date)), \(clock.text): \(station) (\(name(of: level)))"
    }

    func more(_ count: Int) -> String { "\(count) more are in the bike’s sightings." }

    var placeLink: String { "Open the place in your map app" }
    var mapLink: String { "Show the place on a map" }
    var acknowledgeLink: String { "Confirm that you have read this" }
    var verifyLink: String { "Yes, send alerts to this address" }

    var pageTitle: String { "Alert about a missing bike" }
    var pageQuestion: String {
        "The beacon of a missing bike was heard, and you got an alert. Once you confirm that you have read it, nobody "
            + "else is alerted in your place."
    }
    var pageButton: String { "I have read it" }
    var pageDone: String { "Thank you: the alert counts as read. Do not confront anyone; call the police." }
    var pageUnusable: String {
        "This link does not work, or has expired. See your bike’s sightings with the program findmybike instead."
    }

    /// A phrase such as “your motorbike Triumph Bonneville”.
    func your(_ bike: BikeName) -> String {
        let kind = bike.kind.flatMap { $0 == .other ? nil : $0.rawValue } ?? "bike"
        return bike.name.isEmpty ? "your \(kind)" : "your \(kind) \(bike.name)"
    }
}
