import Beacons
package import RegistryAPI
package import RegistryRules

/// Records visits of stations inside a transaction, in sets: it reads what the decisions about a set depend on
/// (``VisitFacts``, ``ReportingHours``), decides about each visit (``VisitDecision``), and then writes
/// (``VisitWriting``), which also judges and alerts. The number of statements hardly depends on the size of a set.
///
/// The result is the same as if the visits were recorded one after the other, in the given order.
package struct VisitRecording {
    let db: any Transaction

    /// The maximum number of visits in a set.
    package static let setLimit = 100

    package init(_ db: any Transaction) { self.db = db }

    /// Records the visits of requests set by set, and returns the result of each request. A request whose station is
    /// unknown or revoked fails with `notFound`, before anything is written for it.
    package func record(_ requests: [RecordRequest]) throws -> [Result<[RecordedVisit], DomainError>] {
        let stations = try RecordingStation.all(db, Set(requests.map(\.station)))
        let visits = requests.flatMap { request in
            guard let station = stations[request.station] else { return [] as [ReportedVisit] }
            return request.visits.enumerated().map { index, visit in
                ReportedVisit(
                    visit: visit, station: station, time: request.time, entropy: request.entropy,
                    signed: index < request.signed.count ? request.signed[index] : nil)
            }
        }
        var recorded: [RecordedVisit] = []
        recorded.reserveCapacity(visits.count)
        // Writing a set only collects its entries of the audit; they are appended once, below.
        var entries = PendingEntries(end: try AuditTrail(db).end())
        var rest = visits[...]
        while !rest.isEmpty {
            let set = Self.set(from: rest)
            recorded += try decideAndWrite(set, &entries)
            rest = rest.dropFirst(set.count)
        }
        try AuditTrail(db).append(entries)
        try PartnerOutbox(db).add(requests, of: stations)
        var results = recorded[...]
        return requests.map { request in
            guard stations[request.station] != nil else { return .failure(.notFound("station")) }
            defer { results = results.dropFirst(request.visits.count) }
            return .success(Array(results.prefix(request.visits.count)))
        }
    }

    /// The first visits, up to the first one that has a beacon, or a station and an identifier, of a visit before it.
    private static func set(from visits: ArraySlice<ReportedVisit>) -> ArraySlice<ReportedVisit> {
        struct Name: Hashable {
            let station: Int64
            let visit: VisitID
        }
        var beacons: Set<BeaconIdentity> = []
        var names: Set<Name> = []
        return visits.prefix(setLimit).prefix { reported in
            beacons.insert(reported.visit.identity).inserted
                && names.insert(Name(station: reported.station.key, visit: reported.visit.id)).inserted
        }
    }

    /// Visits that affect each other are recorded one after the other: those of one report, and all visits of a set in
    /// which a station exceeds its share of missing bikes.
    private func decideAndWrite(
        _ set: ArraySlice<ReportedVisit>, _ entries: inout PendingEntries
    ) throws -> [RecordedVisit] {
        let facts = try VisitFacts.all(db, of: set)
        var hours = try ReportingHours(db, of: facts)
        let decided = try zip(set, facts).map { (reported: $0, decision: try VisitDecision($0, $1, &hours)) }
        guard set.count == 1 || Self.haveDifferentReports(facts) && !hours.hasFilled else {
            return try set.indices.flatMap { try decideAndWrite(set[$0...$0], &entries) }
        }
        var writing = VisitWriting(db)
        return try writing.write(decided, hours, &entries)
    }

    /// Whether no two parts of a set's visits belong to one report.
    private static func haveDifferentReports(_ set: [VisitFacts]) -> Bool {
        var reports: Set<Int64> = []
        return set.allSatisfy { $0.parts.allSatisfy { reports.insert($0.bike.report).inserted } }
    }
}

/// A request to record visits of one station.
package struct RecordRequest: Sendable {
    package let visits: [Visit]
    package let station: StationID
    package let time: Timestamp
    package let entropy: Entropy
    /// The visits that partners are waiting for.
    package var forwards: [PartnerForward] = []
    /// What a partner signed of each visit; empty for a station of this registry.
    package var signed: [SignedReport] = []

    package init(_ visits: [Visit], by station: StationID, at time: Timestamp, using entropy: Entropy) {
        self.visits = visits
        self.station = station
        self.time = time
        self.entropy = entropy
    }
}

/// A station whose visits are recorded, read once for all of its visits.
struct RecordingStation {
    let key: Int64
    let id: StationID
    let venue: String
    let isMobile: Bool
    /// Whether it represents all users of the original app.
    let isApp: Bool
    /// Whether it is a station of a partner, which reports only bikes whose owners agreed.
    var isForeign = false
    /// The station's places, the latest first, as ``all(_:_:)`` sorts them: the first one whose `since` is not after a
    /// moment applies to it. `since` is in milliseconds, and 0 for the oldest, which applies to all earlier times.
    var places: [(since: Int64, place: Place)] = []

    /// Whether it is enrolled here.
    var isOwn: Bool { !isApp && !isForeign }

    private static let query = SetStatement(
        given: [("station", .blob)],
        """
        SELECT station.key, station.id, venue, mobile, app, partner IS NOT NULL, since, latitude,
            longitude, accuracy
        FROM given CROSS JOIN station JOIN station_place ON station_place.station = station.key
        WHERE station.id = given.station AND revoked IS NULL AND NOT EXISTS (
            SELECT 1 FROM partner WHERE partner.key = station.partner AND suspended IS NOT NULL
        )
        """)

    /// The stations with these identifiers, without unknown and revoked ones, and without those of suspended partners.
    static func all(_ db: any Transaction, _ ids: Set<StationID>) throws -> [StationID: RecordingStation] {
        var stations: [StationID: RecordingStation] = [:]
        try db.eachColumns(query, Parameters(ids.map { $0 })) { columns in
            let station = RecordingStation(
                key: columns.integer(), id: try columns.id(), venue: columns.text(), isMobile: columns.bool(),
                isApp: columns.bool(), isForeign: columns.bool())
            let since = columns.integer()
            guard let place = try columns.place() else { throw CorruptRow(column: "latitude") }
            stations[station.id, default: station].places.append((since, place))
        }
        for id in stations.keys { stations[id]?.places.sort { $0.since > $1.since } }
        return stations
    }
}

/// A visit to record, with the request that it came in.
struct ReportedVisit {
    let visit: Visit
    let station: RecordingStation
    let time: Timestamp
    let entropy: Entropy
    /// What a partner signed of it; nil for a station of this registry.
    var signed: SignedReport?
}
