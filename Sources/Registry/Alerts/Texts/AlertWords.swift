import RegistryAPI

/// All that alerts say, in one language. A new language is one more type like ``EnglishWords``; the compiler asks for
/// each sentence.
protocol AlertWords: Sendable {
    /// As in “21 November 2026”.
    func date(_ date: CalendarDate) -> String
    /// “on 21 November 2026 at 13:00 (Europe/Berlin, UTC+1)”.
    func moment(_ clock: LocalClock, zone: String) -> String

    // A sighting.
    func title(_ bike: BikeName, station: String) -> String
    /// What, where, when.
    func heard(_ bike: BikeName, station: String, moment: String) -> String
    var clockNotSet: String { get }
    /// It comes long after it was heard.
    var comesLate: String { get }
    /// What was told before has changed.
    var isUpdate: String { get }
    func place(_ place: Place) -> String
    func sentence(for level: SightingLevel) -> String
    func sentence(for reason: SightingReason) -> String
    /// The level in one word or two.
    func name(of level: SightingLevel) -> String
    var copied: String { get }
    func advice(policeReference: String?) -> String

    // Several sightings at once.
    func digestTitle(_ bike: BikeName, count: Int) -> String
    func digest(_ bike: BikeName, count: Int) -> String
    func digestLine(_ clock: LocalClock, station: String, level: SightingLevel) -> String
    func more(_ count: Int) -> String

    // Something else.
    func title(_ event: OwnerNotice.Event) -> String
    /// What has happened.
    func message(_ notice: OwnerNotice, _ bike: BikeName) -> String
    /// How many more of the kind a notice tells of.
    func others(_ count: Int) -> String
    /// What to do about it, and what not.
    func advice(_ event: OwnerNotice.Event) -> String

    // Where links lead.
    var placeLink: String { get }
    var mapLink: String { get }
    var acknowledgeLink: String { get }
    var verifyLink: String { get }

    // The page behind the link that acknowledges.
    var pageTitle: String { get }
    var pageQuestion: String { get }
    var pageButton: String { get }
    var pageDone: String { get }
    var pageUnusable: String { get }
}

/// A bike as sentences need it; nil where a message is about none.
struct BikeName: Hashable, Sendable {
    /// nil where it is not known which.
    var kind: BikeKind?
    /// Make and model.
    var name: String

    init(_ bike: SightingAlert.BikeSummary?) {
        kind = bike?.kind
        name = bike.map { "\($0.make) \($0.model)" } ?? ""
    }
}

extension AlertLanguage {
    var words: any AlertWords {
        switch self {
        case .en: EnglishWords()
        case .de: GermanWords()
        }
    }
}
