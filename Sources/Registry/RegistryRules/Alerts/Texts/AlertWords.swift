import RegistryAPI

/// All texts of alerts in one language. To add a language, write a type like ``EnglishWords``;
/// the compiler requires each sentence.
protocol AlertWords: Sendable {
    /// A date, such as “21 November 2026”.
    func date(_ date: CalendarDate) -> String
    /// A time, such as “on 21 November 2026 at 13:00 (Europe/Berlin, UTC+1)”.
    func moment(_ clock: LocalClock, zone: String) -> String

    // Sightings.
    func title(_ bike: BikeName, station: String) -> String
    /// The bike, station and time.
    func heard(_ bike: BikeName, station: String, moment: String) -> String
    var clockNotSet: String { get }
    /// The message is sent long after the beacon was heard.
    var comesLate: String { get }
    /// The message updates an earlier one.
    var isUpdate: String { get }
    func place(_ place: Place) -> String
    func sentence(for level: SightingLevel) -> String
    func sentence(for reason: SightingReason) -> String
    /// The level in one or two words.
    func name(of level: SightingLevel) -> String
    var copied: String { get }
    func advice(policeReference: String?) -> String

    // Digests of sightings.
    func digestTitle(_ bike: BikeName, count: Int) -> String
    func digest(_ bike: BikeName, count: Int) -> String
    func digestLine(_ clock: LocalClock, station: String, level: SightingLevel) -> String
    func more(_ count: Int) -> String

    // Notices.
    func title(_ event: OwnerNotice.Event) -> String
    /// A description of the event.
    func message(_ notice: OwnerNotice, _ bike: BikeName) -> String
    /// The number of further notices of the kind.
    func others(_ count: Int) -> String
    /// The member of the bike who did it.
    func member(_ label: String) -> String
    /// The advice on what to do, and what not to do.
    func advice(_ event: OwnerNotice.Event) -> String
    /// The advice to the owner of a bike about an act of a member.
    var memberAdvice: String { get }
    /// The advice to a member of a bike.
    var sharedAdvice: String { get }

    // Links.
    var placeLink: String { get }
    var mapLink: String { get }
    var acknowledgeLink: String { get }
    var verifyLink: String { get }

    // The acknowledgement page.
    var pageTitle: String { get }
    var pageQuestion: String { get }
    var pageButton: String { get }
    var pageDone: String { get }
    var pageUnusable: String { get }
}

/// A bike as it is named in sentences; nil if a message is not about a bike.
struct BikeName: Hashable, Sendable {
    /// The kind of bike; nil if it is not known.
    var kind: BikeKind?
    /// The make and model.
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
