import Beacons
import RegistryAPI
import RegistryRules

extension Visit {
    /// The columns of what is merged when a visit is reported again.
    static let contentColumns: SetStatement.Columns = [
        ("first_seen", .integer), ("last_seen", .integer), ("count", .integer), ("rssi_min", .integer),
        ("rssi_max", .integer), ("measured_power", .integer), ("proximity", .text), ("latitude", .double),
        ("longitude", .double), ("accuracy", .double), ("ended", .integer), ("time_uncertain", .integer),
        ("answer", .text), ("answered", .integer), ("receiver", .text), ("receiver_latitude", .double),
        ("receiver_longitude", .double), ("receiver_accuracy", .double),
    ]

    /// Binds the values of ``contentColumns``, in their order.
    func bindContents(to parameters: inout Parameters) {
        parameters.append(
            firstSeen.milliseconds, lastSeen.milliseconds, count, rssi?.min, rssi?.max, measuredPower,
            proximity.rawValue,
            place?.latitude, place?.longitude, place?.accuracy, ended, isTimeUncertain,
            confirmation?.answer.rawValue, confirmation?.time.milliseconds,
            receiver?.name, receiver?.place?.latitude, receiver?.place?.longitude, receiver?.place?.accuracy)
    }

    /// The visit that a sighting is the record of, as its station would report it again.
    ///
    /// - Parameter row: a row with all columns of the sighting.
    init(_ row: StoredRow) throws {
        self.init(
            id: try row.id("visit"), stay: try row.id("stay"), identity: try row.identity("beacon"),
            firstSeen: try row.timestamp("first_seen"), lastSeen: try row.timestamp("last_seen"),
            count: try row["count"], rssi: try row.signalStrength(), measuredPower: try row["measured_power"],
            proximity: try row.choice("proximity"), place: try row.place(), ended: try row["ended"],
            timeUncertain: try row["time_uncertain"] ? true : nil, confirmation: try row.confirmation(),
            receiver: try row.receiver())
    }
}

extension StoredRow {
    /// The last confirmation from a person at the venue.
    fileprivate func confirmation() throws -> VisitConfirmation? {
        guard let time = try optionalTimestamp("answered") else { return nil }
        return VisitConfirmation(answer: try choice("answer"), time: time)
    }

    /// The receiver of the strongest frame.
    fileprivate func receiver() throws -> VenueReceiver? {
        guard let name: String = try self["receiver"] else { return nil }
        return VenueReceiver(name: name, place: try place(prefix: "receiver_"))
    }

    /// The signal's range; nil if no radio measured it.
    fileprivate func signalStrength() throws -> SignalStrength? {
        guard let min: Int = try self["rssi_min"], let max: Int = try self["rssi_max"] else { return nil }
        return SignalStrength(min: min, max: max)
    }
}

extension Sighting {
    /// The columns of a sighting and those for its judgement; the station's columns have the prefix `station_`.
    static let columns = """
        sighting.*, station.id AS station_id, station.name AS station_name, station.venue AS station_venue,
        station.mobile AS station_mobile, station.app AS station_app,
        station.quarantined_since AS station_quarantined_since, stood.latitude AS station_latitude,
        stood.longitude AS station_longitude, stood.accuracy AS station_accuracy
        """

    /// Joins a sighting to its station, and to the station's place when the beacon was last heard.
    static let joins = """
        JOIN station ON station.key = sighting.station
        JOIN station_place AS stood ON stood.station = sighting.station AND stood.since = (
            SELECT max(since) FROM station_place
            WHERE station = sighting.station
                AND since <= CASE WHEN sighting.last_seen > 0 THEN sighting.last_seen ELSE 0 END
        )
        """

    /// Sightings with the details of the station that their owner can read.
    static let query = "SELECT \(columns) FROM sighting \(joins)\n"

    /// A page of a report's sightings after a key. Parameters: the report's key, that key and a limit. The keys are
    /// sorted in a subquery.
    static let page = DialectText { dialect in
        query + """
            WHERE sighting.key IN (
                SELECT key FROM sighting\(dialect.indexed(by: "sighting_revision"))
                WHERE report = ? AND key > ? ORDER BY key LIMIT ?
            )
            ORDER BY sighting.key
            """
    }

    /// Reads a row of ``columns``.
    ///
    /// - Parameter bits: the sighting's reasons, if they differ from the stored ones.
    init(_ row: StoredRow, report: ReportID, bits: Int64? = nil) throws {
        let visit = try Visit(row)
        let place = try row.sightingPlace(reported: visit.place)
        let received = try row.timestamp("received")
        let reasons = SightingReason.reasons(bits: try bits ?? row["reasons"])
        self.init(
            id: visit.id, report: report,
            station: StationSummary(id: try row.id("station_id"), name: try row["station_name"]), place: place,
            firstSeen: visit.firstSeen, lastSeen: visit.lastSeen, received: received,
            count: visit.count, rssi: visit.rssi, proximity: visit.proximity,
            ended: visit.ended, timeUncertain: visit.isTimeUncertain,
            late: SightingRules.isLate(lastSeen: visit.lastSeen, received: received),
            level: Plausibility.level(for: reasons), reasons: reasons, confirmation: visit.confirmation,
            claimedPlace: reasons.contains(.otherPlace) ? visit.place : nil,
            dismissed: try row.optionalTimestamp("dismissed"), acknowledged: try row.optionalTimestamp("acknowledged"),
            receiver: try row.receiver(visit.receiver, ofStationAt: place),
            sameStay: row.hasNonNull("continues") && !reasons.contains(.replayed) ? true : nil
        )
    }
}

extension StoredRow {
    /// Whether the operator distrusts what the station reported at that time.
    var isQuarantined: Bool {
        get throws {
            guard let since: Int64 = try self["station_quarantined_since"] else { return false }
            return try self["last_seen"] >= since
        }
    }

    /// The receiver of a sighting. Its place is left out if it is too far from the station: otherwise the holder of the
    /// token could send the owner anywhere.
    fileprivate func receiver(_ receiver: VenueReceiver?, ofStationAt place: Place) throws -> VenueReceiver? {
        guard var receiver, let stand = receiver.place else { return receiver }
        let isKnown = try !self["station_mobile"] && VenueReceiver.canStand(at: stand, ofStationAt: place)
        if !isKnown { receiver.place = nil }
        return receiver
    }

    /// The place where a sighting was made: the station’s, as enrolled and moved, or, if the station is mobile, the
    /// reported one.
    ///
    /// - Parameter reported: the place that the station reported; nil if it reported none.
    func sightingPlace(reported: Place?) throws -> Place {
        let enrolled = try enrolledPlace()
        return try self["station_mobile"] ? reported ?? enrolled : enrolled
    }

    /// The station's place, as enrolled and moved.
    func enrolledPlace() throws -> Place {
        guard let enrolled = try place(prefix: "station_") else { throw CorruptRow(column: "station_latitude") }
        return enrolled
    }
}

extension SightingReason {
    /// The reasons for a column's bits, in the order of the cases.
    static func reasons(bits: Int64) -> [SightingReason] {
        allCases.enumerated().filter { bits & (1 << Int64($0.offset)) != 0 }.map(\.element)
    }

    /// The column's bits for reasons.
    static func bits(_ reasons: Set<SightingReason>) -> Int64 {
        allCases.enumerated().reduce(0) { $0 | (reasons.contains($1.element) ? 1 << Int64($1.offset) : 0) }
    }
}
