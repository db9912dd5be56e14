public import RegistryAPI

extension SightingAlert {
    /// Makes the message of an alert; it is the same at each attempt unless the visit has grown since.
    public init(_ content: ClaimedAlert.SightingContent, created: Timestamp, reader: AlertReader = AlertReader()) {
        let texts = AlertTexts(for: reader)
        self.init(
            isUpdate: content.isUpdate,
            timestamp: created,
            data: Content(
                bike: content.bike,
                report: content.sighting.report,
                sighting: content.sighting,
                message: texts.message(content),
                certainty: texts.certainty(of: content.sighting),
                advice: texts.advice(policeReference: content.policeReference)
            )
        )
    }
}

extension SightingsDigest {
    public init(_ content: ClaimedAlert.DigestContent, created: Timestamp, reader: AlertReader = AlertReader()) {
        let texts = AlertTexts(for: reader)
        self.init(
            timestamp: created,
            data: Content(
                bike: content.bike, report: content.report, count: content.count, sightings: content.sightings,
                message: texts.message(content), advice: texts.advice(policeReference: content.policeReference)
            )
        )
    }
}

extension NoticeAlert {
    public init(_ notice: OwnerNotice, created: Timestamp, reader: AlertReader = AlertReader()) {
        let texts = AlertTexts(for: reader)
        self.init(
            notice.event,
            timestamp: created,
            data: Content(
                bike: notice.bike, subject: notice.subject, date: notice.date, count: notice.count,
                member: notice.member, message: texts.message(for: notice), advice: texts.advice(for: notice)
            )
        )
    }
}
