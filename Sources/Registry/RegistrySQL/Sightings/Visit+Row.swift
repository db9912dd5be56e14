import Beacons
import RegistryAPI
import RegistryRules

extension Visit {
    /// The columns of what is merged when a visit is reported again.
    static let seenColumns: SetStatement.Columns = [
        ("first_seen", .integer), ("last_seen", .integer), ("count", .integer), ("rssi_min", .integer),
        ("rssi_max", .integer), ("measured_power", .integer), ("proximity", .text), ("latitude", .double),
        ("longitude", .double), ("accuracy", .double), ("ended", .integer), ("time_uncertain", .integer),
        ("answer", .text), ("answered", .integer), ("receiver", .text), ("receiver_latitude", .double),
        ("receiver_longitude", .double), ("receiver_accuracy", .double),
    ]

    /// Binds the values of ``seenColumns``, in their order.
    func bindSeen(to parameters: inout Parameters) {
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
