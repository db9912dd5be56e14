import Foundation
package import RegistryAPI
package import RegistryRules

/// The stations of partners, each under its pseudonym. A station is stored with its first sighting of a bike of this
/// registry.
package struct PartnerStations {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Whether each visit is by a bike that was missing then, and for which partners' stations may search.
    package func areWanted(_ visits: [Visit]) throws -> [Bool] {
        var bikes = Array(repeating: [] as [MissingBike], count: visits.count)
        var beacons: Parameters = []
        for (place, visit) in visits.enumerated() {
            beacons.append(place, visit.identity, visit.firstSeen.milliseconds)
        }
        try db.eachColumns(MissingBike.ofBeacons, beacons) { columns in
            bikes[Int(columns.integer())].append(try MissingBike(&columns))
        }
        return zip(visits, bikes).map { visit, bikes in
            MissingBike.missing(at: visit, of: bikes).contains(where: \.isShared)
        }
    }

    /// Stores stations that are new, and the places of those that were moved.
    ///
    /// - Returns: the identifiers by their pseudonyms, without those of revoked stations and beyond
    ///   ``PartnerRules/mostStations``.
    /// - Throws: `notFound` if the partner was suspended or removed meanwhile: it would get new stations, whose visits
    ///   would be announced again.
    package func prepare(
        _ stations: [ForwardingStation], of partner: ActivePartner, at time: Timestamp, using entropy: Entropy
    ) throws -> [StationID: StationID] {
        guard try Partners(db).isActive(partner.key) else { throw DomainError.notFound("partner") }
        var entropy = entropy
        var known: [StationID: StationID] = [:]
        for station in stations where known[station.id] == nil {
            known[station.id] = try prepare(station, of: partner, at: time, using: &entropy)
        }
        return known
    }

    /// Stores one station, if it is new; nil if the partner has too many.
    private func prepare(
        _ station: ForwardingStation, of partner: ActivePartner, at time: Timestamp, using entropy: inout Entropy
    ) throws -> StationID? {
        let sql = "SELECT * FROM station WHERE partner = ? AND pseudonym = ? AND revoked IS NULL"
        guard let row = try db.row(sql, [partner.key, station.id.blob]) else {
            return try add(station, of: partner, at: time, using: &entropy)
        }
        let id: StationID = try row.id("id")
        try move(station, to: station.place, key: try row["key"], id, of: partner, at: time)
        return id
    }

    /// Enrols a station of a partner; nil if the partner has too many.
    private func add(
        _ station: ForwardingStation, of partner: ActivePartner, at time: Timestamp, using entropy: inout Entropy
    ) throws -> StationID? {
        let count = "SELECT count(*) FROM station WHERE partner = ? AND revoked IS NULL"
        guard try (db.integer(count, [partner.key]) ?? 0) < Int64(PartnerRules.mostStations) else { return nil }
        let new = Station(
            id: StationID(at: time, using: &entropy), name: Self.name(station.name, of: partner.name),
            venue: try venue(of: partner), mobile: station.mobile, place: station.place, enrolled: time)
        let key = try Stations(db).insert(new)
        try db.run(
            "UPDATE station SET partner = ?, pseudonym = ? WHERE key = ?", [partner.key, station.id.blob, key])
        try Stations(db).insert(station.place, of: key, since: 0)
        try AuditTrail(db).append(
            AuditEvent(
                .stationEnrolled, by: .partner(partner.id), at: time, station: new.id,
                details: ["partner": "\(partner.id)", "pseudonym": "\(station.id)", "name": station.name]
                    .merging(station.place.auditDetails) { $1 }))
        return new.id
    }

    /// The venue of all stations of a partner: stations of one venue do not corroborate each other. It is named after the
    /// first partnership, so that a partner that was removed and comes back does not confirm what it reported before:
    /// at the same address with a new key, or with a known key at a new address.
    private func venue(of partner: ActivePartner) throws -> String {
        // It stays the same, whatever keys are pinned later, and also after a quarantine, which revokes all stations.
        let known = "SELECT venue FROM station WHERE coalesce(partner, 0) = ? ORDER BY key LIMIT 1"
        if let row = try db.row(known, [partner.key]) { return try row["venue"] }
        let removed = "SELECT id, url, public_keys FROM partner WHERE removed IS NOT NULL ORDER BY key"
        var others = try db.rows(removed, []).map { row in
            FormerPartner(
                id: try row.id("id"), url: try row["url"], keys: Partners.keys(try row["public_keys"]))
        }
        let order = others.map(\.id)
        var same: Set<PartnerID> = [], urls: Set = [partner.url], keys = Set(partner.publicKeys)
        while let index = others.firstIndex(where: { urls.contains($0.url) || !keys.isDisjoint(with: $0.keys) }) {
            let other = others.remove(at: index)
            same.insert(other.id)
            urls.insert(other.url)
            keys.formUnion(other.keys)
        }
        return "partner \(order.first(where: same.contains) ?? partner.id)"
    }

    private struct FormerPartner {
        let id: PartnerID
        let url: String
        let keys: [String]
    }

    /// A fixed station's new place counts from now on. A partner can move each of its stations once a day.
    private func move(
        _ station: ForwardingStation, to place: Place, key: Int64, _ id: StationID, of partner: ActivePartner,
        at time: Timestamp
    ) throws {
        guard !station.mobile, let before = try Stations(db).find(id)?.station, before.place != place,
            before.placedSince.duration(to: time) >= PartnerRules.betweenMoves
        else { return }
        try Stations(db).insert(place, of: key, since: time.milliseconds)
        try AuditTrail(db).append(
            AuditEvent(
                .stationChanged, by: .partner(partner.id), at: time, station: id,
                details: ["since": "\(time)"].merging(place.auditDetails) { $1 }))
        try StationJudgements(db).begin(key, since: time.milliseconds, at: time)
    }

    /// The name in owners' alerts, at most 64 characters.
    static func name(_ station: String, of partner: String) -> String {
        let suffix = " (via \(partner))"
        let room = max(1, 64 - suffix.unicodeScalars.count)
        return String(String.UnicodeScalarView(station.unicodeScalars.prefix(room))) + suffix
    }
}
