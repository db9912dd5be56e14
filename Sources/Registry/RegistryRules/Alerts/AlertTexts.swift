public import RegistryAPI

/// Writes alerts for one reader. The wording comes from the words of each language.
public struct AlertTexts: Sendable {
    let reader: AlertReader
    let words: any AlertWords

    public init(for reader: AlertReader = AlertReader()) {
        self.reader = reader
        words = reader.language.words
    }

    /// The bike, station and time; also says if the time is uncertain or long ago.
    public func message(_ content: ClaimedAlert.SightingContent) -> String {
        let sighting = content.sighting
        let sentences = [
            words.heard(BikeName(content.bike), station: sighting.station.name, moment: moment(sighting.firstSeen)),
            sighting.timeUncertain ? words.clockNotSet : nil, content.isLate ? words.comesLate : nil,
            content.isUpdate ? words.isUpdate : nil,
        ]
        return sentences.compactMap { $0 }.joined(separator: " ")
    }

    /// The number of sightings.
    public func message(_ content: ClaimedAlert.DigestContent) -> String {
        words.digest(BikeName(content.bike), count: content.count)
    }

    /// The certainty of a sighting and its reasons. No level rules out that the beacon was copied,
    /// and the text says so.
    public func certainty(of sighting: Sighting) -> String {
        ([words.sentence(for: sighting.level)] + sighting.reasons.map(words.sentence(for:)) + [words.copied])
            .joined(separator: " ")
    }

    /// The advice on what to do, and what not to do.
    public func advice(policeReference: String?) -> String {
        words.advice(policeReference: policeReference.flatMap { $0.isEmpty ? nil : $0 })
    }

    /// A description of the event.
    public func message(for notice: OwnerNotice) -> String {
        let sentences = [
            words.message(notice, BikeName(notice.bike)), notice.member.map(words.member),
            notice.count.map(words.others),
        ]
        return sentences.compactMap { $0 }.joined(separator: " ")
    }

    /// The advice on what to do about the event.
    public func advice(for notice: OwnerNotice) -> String {
        if notice.isShared == true { return words.sharedAdvice }
        return notice.member == nil ? words.advice(notice.event) : words.memberAdvice
    }

    private func moment(_ time: Timestamp) -> String {
        words.moment(reader.zone.clock(at: time), zone: reader.zone.label(at: time))
    }
}

extension AlertTexts {
    /// The text for a sighting, with its place only if the channel may show it.
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

    /// The text for sightings that were held back, one on each line.
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

    /// The text of a notice; if the notice asks for verification, its subject is added as a link.
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
