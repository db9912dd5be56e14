import Beacons
import Foundation
import GRDB
public import Registry
public import RegistryAPI
import RegistrySQL

extension SQLiteRegistryStore {
    public func registerAppBike(_ change: AppBikeChange) async throws {
        try await write { [quotas] db in
            try db.run(
                "INSERT INTO owner (id, created, tells_appearance) VALUES (?, ?, TRUE)",
                [change.owner.blob, change.time.milliseconds]
            )
            let owner = db.lastInsertedRowID
            try db.audit(
                AuditEvent(.ownerCreated, by: nil, at: change.time, owner: change.owner, details: ["client": "app"])
            )
            let identity = try db.takeIdentity(from: .given(change.draft.identity), at: change.time)
            let bike = Bike(
                id: change.bike, details: change.draft.details, identity: identity, openReport: nil,
                created: change.time
            )
            try db.insert(bike, of: change.owner, owner: owner)
            let key = try db.key(ofBike: change.bike, owner: change.owner)
            try db.run(
                "INSERT INTO app_bike (bike, secret, colour) VALUES (?, ?, ?)",
                [key, change.secret.blob, change.draft.colourName]
            )
            try db.setDevice(of: owner, change.owner, change)
            try db.setMissing(key, change.bike, change.owner, change, quotas)
        }
    }

    public func updateAppBike(_ change: AppBikeChange) async throws {
        try await write { [quotas] db in
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
                try db.moveBeacon(key, change)
            }
            let draft = change.draft
            try db.run(
                "UPDATE bike SET make = ?, model = ?, colours = ? WHERE key = ?",
                [draft.make, draft.model, draft.details.colours.map(\.rawValue).joined(separator: ","), key]
            )
            try db.run("UPDATE app_bike SET colour = ? WHERE bike = ?", [draft.colourName, key])
            try db.setDevice(of: try row["owner"], owner, change)
            try db.setMissing(key, bike, owner, change, quotas)
        }
    }

    public func missingAppBikes(limit: Int) async throws -> [AppBike] {
        try await read { db in
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
    }

    public func recordAppSighting(
        _ sighting: AppSighting, of bike: BikeID, as visit: VisitID, at time: Timestamp, using entropy: Entropy
    ) async throws -> StoredVisit? {
        try await write { db in
            let sql = "SELECT bike.beacon FROM app_bike JOIN bike ON bike.key = app_bike.bike WHERE bike.id = ?"
            guard let row = try db.row(sql, [bike.blob]) else { throw DomainError.notFound("bike") }
            let recording = VisitRecording(
                db: db, station: try db.appStation(at: time), time: time, entropy: entropy
            )
            let outcomes = try recording.record([Visit(sighting, id: visit, identity: try row.identity("beacon"))])
            if case .stored(let stored) = outcomes[0] { return stored }
            return nil
        }
    }
}

/// The station that stands for everybody who uses the original app.
private let appStationID = StationID(high: 0x7000, low: 0x8000_0000_0000_0001)

extension Database {
    /// Made at its first use; the operator may revoke it as any other.
    fileprivate func appStation(at time: Timestamp) throws -> RecordingStation {
        if let station = try station(appStationID)?.station {
            guard station.revoked == nil else { throw DomainError.forbidden(needed: .station) }
        } else {
            let nowhere = Place(latitude: 0, longitude: 0, accuracy: 10_000)
            let station = Station(
                id: appStationID, name: "FindMyBike app", mobile: true, place: nowhere, enrolled: time
            )
            try insert(station, isApp: true)
            try insert(nowhere, of: lastInsertedRowID, since: 0)
            try audit(
                AuditEvent(
                    .stationEnrolled, by: nil, at: time, station: appStationID,
                    details: ["client": "app"].merging(nowhere.auditDetails) { $1 }))
        }
        return try RecordingStation(self, appStationID)
    }

    /// The app's bike has another beacon now; the old one's identity stays taken.
    fileprivate func moveBeacon(_ bike: Int64, _ change: AppBikeChange) throws {
        let taken = try takeIdentity(from: .given(change.draft.identity), at: change.time)
        try replaceBeacon(of: bike, with: taken, as: .beaconRetired, at: change.time)
    }

    /// Opens or closes the report, where that is not so already.
    fileprivate func setMissing(
        _ key: Int64, _ bike: BikeID, _ owner: OwnerID, _ change: AppBikeChange, _ quotas: Quotas
    ) throws {
        let open = try row("SELECT id FROM report WHERE bike = ? AND closed IS NULL", [key])
        guard (open != nil) != change.draft.missing else { return }
        var report = change.report
        if let open {
            report = try open.id("id")
            try close(report, as: ReportClosure(outcome: .recovered), at: change.time)
        } else {
            try noteUse(.reports, by: try self.key(of: owner), quotas, at: change.time)
            let details = MissingReport(id: report, bike: bike, opened: change.time, missingSince: change.time)
            try insert(details, bike: key)
        }
        try audit(
            AuditEvent(
                open == nil ? .reportOpened : .reportClosed, by: nil, at: change.time, owner: owner, bike: bike,
                report: report, details: ["client": "app"]
            )
        )
    }

    /// Makes the phone the owner's one channel; a phone that did not tell its token leaves it as it is.
    fileprivate func setDevice(of owner: Int64, _ ownerID: OwnerID, _ change: AppBikeChange) throws {
        guard let token = change.draft.deviceToken else { return }
        let kind = ChannelKind.apns.rawValue
        try run(
            "UPDATE channel SET url = ?, settings = NULL, last_error = NULL WHERE owner = ? AND kind = ? AND url <> ?",
            [token, owner, kind, token]
        )
        let sql = "SELECT 1 FROM channel WHERE owner = ? AND kind = ? AND removed IS NULL"
        guard try !exists(sql, [owner, kind]) else { return }
        let channel = Channel(id: change.channel, kind: .apns, url: token, created: change.time)
        try insert(channel, ChannelSettings(), secret: change.signing, of: owner)
        try audit(
            AuditEvent(.channelAdded, by: nil, at: change.time, owner: ownerID, details: ["kind": kind])
        )
    }
}

extension AppBikeDraft {
    /// The bike as the registry knows bikes; the app does not tell what kind it is.
    fileprivate var details: BikeDraft {
        BikeDraft(kind: .other, make: make, model: model, colours: [colour.flatMap(BikeColour.init) ?? .other])
    }

    fileprivate var colourName: String { colour ?? Self.unknownColour }
}
