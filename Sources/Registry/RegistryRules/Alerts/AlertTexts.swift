import Languages
public import RegistryAPI

/// The reader for whom an alert is written.
public struct AlertReader: Hashable, Sendable {
    public var language: AlertLanguage
    public var zone: LocalZone

    public init(language: AlertLanguage = .en, zone: LocalZone = LocalZone()) {
        self.language = language
        self.zone = zone
    }
}

/// Writes what alerts say to one reader: sentences for receivers that lay them out themselves, and whole texts
/// (``AlertText``) for those that show them. The wording comes from the catalogue of the reader's language.
public struct AlertTexts: Sendable {
    let reader: AlertReader
    let words: AlertWords
    private let notices: NoticeWords

    public init(for reader: AlertReader = AlertReader()) {
        self.reader = reader
        words = AlertWords(reader.language)
        notices = NoticeWords(reader.language)
    }
}

// Sentences.
extension AlertTexts {
    /// Which bike was heard where and when; also says if the time is uncertain or long ago, and if this is an update.
    public func message(_ content: ClaimedAlert.SightingContent) -> String {
        let sighting = content.sighting
        let sentences = [
            words.heard(
                bike: BikeName(content.bike), station: sighting.station.name, moment: moment(sighting.firstSeen)),
            sighting.timeUncertain ? words.clockNotSet : nil,
            content.isLate ? words.comesLate : nil,
            content.isUpdate ? words.isUpdate : nil,
        ]
        return sentences.compactMap { $0 }.joined(separator: " ")
    }

    /// How many sightings of which bike a digest has.
    public func message(_ content: ClaimedAlert.DigestContent) -> String {
        words.digest(content.count, bike: BikeName(content.bike))
    }

    /// What has happened; also says which member did it, and how often it also happened in the hours before.
    public func message(for notice: OwnerNotice) -> String {
        let sentences = [
            notices.message(notice, BikeName(notice.bike)),
            notice.member.map(notices.member),
            notice.count.map(notices.others),
        ]
        return sentences.compactMap { $0 }.joined(separator: " ")
    }

    /// The certainty of a sighting and its reasons. No level rules out that the beacon was copied, and the text says
    /// so.
    public func certainty(of sighting: Sighting) -> String {
        ([words.level(sighting.level)] + sighting.reasons.map(words.reason) + [words.copied])
            .joined(separator: " ")
    }

    /// What to do about a sighting, and what not to do.
    ///
    /// - Parameter policeReference: without one, the text says to report the theft.
    public func advice(policeReference: String?) -> String {
        guard let policeReference, !policeReference.isEmpty else { return words.advice }
        return words.adviceReferenced(policeReference)
    }

    /// What to do about a notice.
    public func advice(for notice: OwnerNotice) -> String {
        if notice.isShared == true { return notices.adviceShared }
        return notice.member == nil ? notices.advice(notice.event) : notices.adviceOfMember
    }

    private func moment(_ time: Timestamp) -> String {
        words.moment(reader.zone.clock(at: time), zone: reader.zone.label(at: time))
    }
}

// Whole texts.
extension AlertTexts {
    /// The text for a sighting.
    ///
    /// - Parameter tellsPlace: whether the channel may show the place. If not, the text has neither coordinates nor
    ///   links.
    func text(of content: ClaimedAlert.SightingContent, tellsPlace: Bool, links: AlertLinks) -> AlertText {
        let place = content.sighting.place
        let paragraphs = [
            message(content),
            tellsPlace ? sentence(on: place) : nil,
            certainty(of: content.sighting),
            advice(policeReference: content.policeReference),
        ]
        var text = AlertText(
            title: words.title(name: BikeName(content.bike).name, station: content.sighting.station.name),
            paragraphs: paragraphs.compactMap { $0 },
            language: reader.language
        )
        guard tellsPlace else { return text }
        text.links = [AlertText.Link(label: words.placeLink, url: AlertLinks.geo(place))]
        if let map = links.map(at: place) { text.links.append(AlertText.Link(label: words.mapLink, url: map)) }
        return text
    }

    /// The text for sightings that were held back, one on each line.
    func text(of content: ClaimedAlert.DigestContent) -> AlertText {
        // The digest has only the latest sightings.
        let rest = content.count - content.sightings.count
        var paragraphs = [message(content)] + content.sightings.map(line)
        if rest > 0 { paragraphs.append(words.more(rest)) }
        paragraphs += [words.copied, advice(policeReference: content.policeReference)]
        return AlertText(
            title: words.digestTitle(content.count, name: BikeName(content.bike).name), paragraphs: paragraphs,
            language: reader.language
        )
    }

    /// The text of a notice; if the notice asks for verification, its subject is added as a link.
    func text(of notice: OwnerNotice) -> AlertText {
        var text = AlertText(
            title: notices.title(notice.event), paragraphs: [message(for: notice), advice(for: notice)],
            language: reader.language
        )
        if notice.event == .channelVerification, let url = notice.subject {
            text.links = [AlertText.Link(label: words.verifyLink, url: url)]
        }
        return text
    }

    /// A sighting as a line of a digest.
    private func line(_ sighting: Sighting) -> String {
        let clock = reader.zone.clock(at: sighting.firstSeen)
        return words.digestLine(
            date: words.date(clock.date), time: clock.text, station: sighting.station.name,
            level: words.levelName(sighting.level))
    }

    /// The place in degrees, with its accuracy in metres if it is known.
    private func sentence(on place: Place) -> String {
        let (latitude, longitude) = (AlertLinks.degrees(place.latitude), AlertLinks.degrees(place.longitude))
        guard let accuracy = place.accuracy else { return words.place(latitude: latitude, longitude: longitude) }
        return words.placeWithin(Int(accuracy.rounded(.up)), latitude: latitude, longitude: longitude)
    }
}
