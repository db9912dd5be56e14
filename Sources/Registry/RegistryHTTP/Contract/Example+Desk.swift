import Passkeys
import RegistryAPI
import RegistryRules

// Operators: their sessions, and what they see of the whole registry.
extension Example {
    static let operatorToken = token("operator")
    static let deskSession = DeskSession(
        id: id(20), name: "Firefox", operator: .init(id: id(21), name: "Ada"), signedIn: .passkey, began: noon,
        lastUsed: noon, ends: noon.advanced(by: DeskSessionState.idle), confirmedUntil: evening, passkeysUntil: evening,
        passkeys: 1, current: true)
    static let stationMap = StationMap(stations: [
        .init(
            id: station.id, name: station.name, latitude: place.latitude, longitude: place.longitude,
            state: .listening, heartbeat: noon)
    ])
    static let closedSearches = ClosedSearches(
        until: CalendarDate(noon).start,
        counts: [
            .init(heardWithin: .hour, lasted: .day, searches: 21),
            .init(heardWithin: .day, lasted: .week, searches: 36),
            .init(lasted: .month, searches: 90),
        ])
    static let reference = ReferenceReview(
        owner: owner.id,
        report: ReportReview(
            id: report.id, beacon: identity, opened: report.opened, policeReference: report.policeReference,
            sightingsUntil: evening))
    static let overview = Overview(
        time: evening,
        stations: .init(listening: 41, deaf: 1, silent: 2, new: 1, revoked: 3, silentAfterSeconds: 900),
        alerts: [.init(kind: .ntfy, waiting: .init(counted: 4, limit: 10_000), oldest: noon)],
        deliveryErrors: [.init(kind: .email, count: 7, last: noon, text: "the mail server asks to wait (451)")],
        missingList: .init(version: 42, bikes: 17, entries: 206, bytes: 1210),
        database: .init(bytes: 81_920_000, logBytes: 4_128_272, freeBytes: 21_474_836_480),
        backup: .init(taken: noon),
        audit: .init(length: 20_117, checkpoint: noon),
        disputed: .init(since: noon, reasons: [.init(reason: .tooFast, sightings: 3)], more: false),
        reviews: .init(
            claims: .init(counted: 1, limit: 1000), owners: .init(counted: 0, limit: 1000),
            references: .init(counted: 2, limit: 1000), messages: .init(counted: 0, limit: 1000),
            safety: .init(counted: 0, limit: 1000), objections: .init(counted: 0, limit: 1000),
            searches: .init(counted: 1, limit: 1000)))
    static let searchToCheck = SearchToCheck(
        owner: owner.id,
        report: ReportReview(id: report.id, beacon: identity, opened: report.opened, sightingsUntil: evening),
        signs: [.newBeacon, .reportedAgain], reports: 3, nights: 0)
}
