import Beacons
import Foundation
package import RegistryAPI
package import RegistryRules

/// Bikes and sightings of the original app.
package struct AppBikes {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Registers a bike with an owner of its own, opens its report if it is missing, and makes its phone the owner’s
    /// channel.
    ///
    /// - Throws: `identityTaken`.
    package func register(_ change: AppBikeChange, _ quotas: Quotas) throws {
        let owner = try db.insert(
            "INSERT INTO owner (id, created, tells_appearance) VALUES (?, ?, 1)",
            [change.owner.blob, change.time.milliseconds]
        )
        try AuditTrail(db).append(
            AuditEvent(.ownerCreated, by: nil, at: change.time, owner: change.owner, details: ["client": "app"])
        )
        let identity = try Identities(db).take(from: .given(change.draft.identity), at: change.time)
        let bike = Bike(
            id: change.bike, details: change.draft.details, identity: identity, openReport: nil,
            created: change.time
        )
        try Bikes(db).insert(bike, of: change.owner, owner: owner)
        let key = try Bikes(db).access(to: change.bike, by: change.owner, needing: .owner).key
        try db.run(
            "INSERT INTO app_bike (bike, secret, colour) VALUES (?, ?, ?)",
            [key, change.secret.blob, change.draft.colourName]
        )
        try setDevice(of: owner, change.owner, change)
        try setMissing(key, change.bike, change.owner, change, quotas)
    }

    /// Updates the bike that has the change’s secret.
    ///
    /// - Throws: `notFound` if no bike has it, `identityTaken`, `tooManyToday`.
    package func update(_ change: AppBikeChange, _ quotas: Quotas) throws {
        let sql = """
            SELECT bike.key, bike.id, bike.owner, bike.beacon, owner.id AS owner_id
            FROM app_bike JOIN bike ON bike.key = app_bike.bike JOIN owner ON owner.key = bike.owner
            WHERE app_bike.secret = ?
            """
        guard let row = try db.row(sql, [change.secret.blob]) else { throw DomainError.notFound("bike") }
        let key: Int64 = try row["key"]
        let owner: OwnerID = try row.id("owner_id")
        let bike: BikeID = try row.id("id")
        if try row["beacon"] != change.draft.identity.blob {
            try OwnerLimits(db).noteUse(.identities, by: try row["owner"], quotas, at: change.time)
            // The search for the old beacon ends; setMissing begins another.
            try closeReport(of: key, bike, owner, at: change.time)
            try moveBeacon(key, change)
        }
        let draft = change.draft
        try db.run(
            "UPDATE bike SET make = ?, model = ?, colours = ? WHERE key = ?",
            [draft.make, draft.model, draft.details.colours.map(\.rawValue).joined(separator: ","), key]
        )
        try db.run("UPDATE app_bike SET colour = ? WHERE bike = ?", [draft.colourName, key])
        try setDevice(of: try row["owner"], owner, change)
        try setMissing(key, bike, owner, change, quotas)
    }

    /// The missing bikes that the app registered, the latest first.
    package func missing(limit: Int) throws -> [AppBike] {
        let sql = """
            SELECT bike.id, bike.make, bike.model, bike.beacon, app_bike.colour
            FROM app_bike JOIN bike ON bike.key = app_bike.bike
            JOIN report ON report.bike = bike.key AND report.closed IS NULL AND report.listed = 1
            ORDER BY bike.key DESC LIMIT ?
            """
        return try db.rows(sql, [limit]).map { row in
            let id: BikeID = try row.id("id")
            return AppBike(
                id: id.description, make: try row["make"], model: try row["model"],
                beaconMinor: try row.identity("beacon").minor, missing: true, colour: try row["colour"]
            )
        }
    }

    /// Records a sighting by a user of the app; nil if the bike was not missing then.
    ///
    /// - Parameter visit: the identifier under which it is stored.
    /// - Throws: `notFound`, `forbidden` if the operator has revoked the app’s station.
    package func recordSighting(
        _ sighting: AppSighting, of bike: BikeID, as visit: VisitID, at time: Timestamp, using entropy: Entropy
    ) throws -> StoredVisit? {
        let sql = "SELECT bike.beacon FROM app_bike JOIN bike ON bike.key = app_bike.bike WHERE bike.id = ?"
        guard let row = try db.row(sql, [bike.blob]) else { throw DomainError.notFound("bike") }
        try prepareAppStation(at: time)
        let visits = [Visit(sighting, id: visit, identity: try row.identity("beacon"))]
        let request = RecordRequest(visits, by: appStationID, at: time, using: entropy)
        guard case .stored(let stored)? = try VisitRecording(db).record([request])[0].get().first else { return nil }
        return stored
    }

    /// Creates the station of the app at its first use. The operator can revoke it like any other.
    private func prepareAppStation(at time: Timestamp) throws {
        if let station = try Stations(db).find(appStationID)?.station {
            guard station.revoked == nil else { throw DomainError.forbidden(needed: .station) }
        } else {
            let nowhere = Place(latitude: 0, longitude: 0, accuracy: 10_000)
            let station = Station(
                id: appStationID, name: "FindMyBike app", mobile: true, place: nowhere, enrolled: time
            )
            let key = try Stations(db).insert(station, isApp: true)
            try Stations(db).insert(nowhere, of: key, since: 0)
            try AuditTrail(db).append(
                AuditEvent(
                    .stationEnrolled, by: nil, at: time, station: appStationID,
                    details: ["client": "app"].merging(nowhere.auditDetails) { $1 }))
        }
    }

    /// Gives the app's bike another beacon; the old beacon's identity stays taken.
    private func moveBeacon(_ bike: Int64, _ change: AppBikeChange) throws {
        let taken = try Identities(db).take(from: .given(change.draft.identity), at: change.time)
        try BikeBeacons(db).replace(of: bike, with: taken, as: .beaconRetired, at: change.time)
    }

    /// Opens or closes the report, unless it already is in that state.
    private func setMissing(
        _ key: Int64, _ bike: BikeID, _ owner: OwnerID, _ change: AppBikeChange, _ quotas: Quotas
    ) throws {
        guard change.draft.missing else { return try closeReport(of: key, bike, owner, at: change.time) }
        guard try !db.exists("SELECT 1 FROM report WHERE bike = ? AND closed IS NULL", [key]) else { return }
        try OwnerLimits(db).noteUse(.reports, by: try Owners(db).key(of: owner), quotas, at: change.time)
        let details = MissingReport(id: change.report, bike: bike, opened: change.time, missingSince: change.time)
        try Reports(db).insert(details, bike: key, newFor: change.newFor)
        try note(.reportOpened, change.report, bike, owner, at: change.time)
    }

    /// Closes the bike’s report as recovered, if one is open.
    private func closeReport(of key: Int64, _ bike: BikeID, _ owner: OwnerID, at time: Timestamp) throws {
        guard let open = try db.row("SELECT id FROM report WHERE bike = ? AND closed IS NULL", [key]) else { return }
        let report: ReportID = try open.id("id")
        try Reports(db).close(report, as: ReportClosure(outcome: .recovered), at: time)
        try note(.reportClosed, report, bike, owner, at: time)
    }

    /// Adds an entry about a report to the audit.
    private func note(
        _ action: AuditAction, _ report: ReportID, _ bike: BikeID, _ owner: OwnerID, at time: Timestamp
    ) throws {
        try AuditTrail(db).append(
            AuditEvent(action, by: nil, at: time, owner: owner, bike: bike, report: report, details: ["client": "app"]))
    }

    /// Makes the phone the owner's only channel. If the phone sends no token, the channel does not change.
    private func setDevice(of owner: Int64, _ ownerID: OwnerID, _ change: AppBikeChange) throws {
        guard let token = change.draft.deviceToken else { return }
        let kind = ChannelKind.apns.rawValue
        try db.run(
            "UPDATE channel SET url = ?, settings = NULL, last_error = NULL WHERE owner = ? AND kind = ? AND url <> ?",
            [token, owner, kind, token]
        )
        let sql = "SELECT 1 FROM channel WHERE owner = ? AND kind = ? AND removed IS NULL"
        guard try !db.exists(sql, [owner, kind]) else { return }
        let channel = Channel(id: change.channel, kind: .apns, address: token, created: change.time)
        try Channels(db).insert(channel, ChannelSettings(), secret: change.signing, of: owner)
        try AuditTrail(db).append(
            AuditEvent(.channelAdded, by: nil, at: change.time, owner: ownerID, details: ["kind": kind])
        )
    }
}

/// The station that represents all users of the original app.
private let appStationID = StationID(high: 0x7000, low: 0x8000_0000_0000_0001)

extension AppBikeDraft {
    /// The bike in the registry's terms; the app does not send its kind.
    fileprivate var details: BikeDraft {
        BikeDraft(kind: .other, make: make, model: model, colours: [colour.flatMap(BikeColour.init) ?? .other])
    }

    /// The colour in the app’s words.
    fileprivate var colourName: String { colour ?? Self.unknownColour }
}
