public import RegistryAPI

/// Writes alerts for one reader. What it says stands in the words of each language.
public struct AlertTexts: Sendable {
    let reader: AlertReader
    let words: any AlertWords

    public init(for reader: AlertReader = AlertReader()) {
        self.reader = reader
        words = reader.language.words
    }

    /// What, where, when; and, where it is so, that the time is unsure or long ago.
    public func message(_ content: ClaimedAlert.SightingContent) -> String {
        let sighting = content.sighting
        let sentences = [
            words.heard(BikeName(content.bike), station: sighting.station.name, moment: moment(sighting.firstSeen)),
            sighting.timeUncertain ? words.clockNotSet : nil, content.isLate ? words.comesLate : nil,
            content.isUpdate ? words.isUpdate : nil,
        ]
        return sentences.compactMap { $0 }.joined(separator: " ")
    }

    /// How often the beacon was heard.
    public func message(_ content: ClaimedAlert.DigestContent) -> String {
        words.digest(BikeName(content.bike), count: content.count)
    }

    /// How sure it is and why. No level excludes that the beacon was copied, and the text says so.
    public func certainty(of sighting: Sighting) -> String {
        ([words.sentence(for: sighting.level)] + sighting.reasons.map(words.sentence(for:)) + [words.copied])
            .joined(separator: " ")
    }

    /// What to do, and what not.
    public func advice(policeReference: String?) -> String {
        words.advice(policeReference: policeReference.flatMap { $0.isEmpty ? nil : $0 })
    }

    /// What has happened.
    public func message(for notice: OwnerNotice) -> String {
        let message = words.message(notice, BikeName(notice.bike))
        return notice.count.map { "\(message) \(words.others($0))" } ?? message
    }

    /// What to do about it.
    public func advice(for notice: OwnerNotice) -> String { words.advice(notice.event) }

    private func moment(_ time: Timestamp) -> String {
        words.moment(reader.zone.clock(at: time), zone: reader.zone.label(at: time))
    }
}

extension AlertTexts {
    /// A sighting, with its place only where the channel may tell it.
    func text(of content: ClaimedAlert.SightingContent, tellsPlace: Bool, links: AlertLinks) -> AlertText {
        let place = content.sighting.place
        var text = AlertText(
            title: words.title(BikeName(content.bike), station: content.sighting.station.name),
            paragraphs: [
                message(content), tellsPlace ? words.place(place) : nil, certainty(of: content.sighting),
                advice(policeReference: content.policeReference),
            ].compactMap { $0 },
            language: reader.language
        )
        guard tellsPlace else { return text }
        text.links = [AlertText.Link(label: words.placeLink, url: AlertLinks.geo(place))]
        if let map = links.map(at: place) { text.links.append(AlertText.Link(label: words.mapLink, url: map)) }
        return text
    }

    /// Sightings that were held back, one on each line.
    func text(of content: ClaimedAlert.DigestContent) -> AlertText {
        let bike = BikeName(content.bike)
        let rest = content.count - content.sightings.count
        return AlertText(
            title: words.digestTitle(bike, count: content.count),
            paragraphs: [message(content)] + content.sightings.map(line) + (rest > 0 ? [words.more(rest)] : [])
                + [words.copied, advice(policeReference: content.policeReference)],
            language: reader.language
        )
    }

    private func line(_ sighting: Sighting) -> String {
        let clock = reader.zone.clock(at: sighting.firstSeen)
        return words.digestLine(clock, station: sighting.station.name, level: sighting.level)
    }

    /// A notice; the one that asks for a verification holds the link to it as its subject.
    func text(of notice: OwnerNotice) -> AlertText {
        var text = AlertText(
            title: words.title(notice.event), paragraphs: [message(for: notice), advice(for: notice)],
            language: reader.language
        )
        if notice.event == .channelVerification, let url = notice.subject {
            text.links = [AlertText.Link(label: words.verifyLink, url: url)]
        }
        return text
    }
}
