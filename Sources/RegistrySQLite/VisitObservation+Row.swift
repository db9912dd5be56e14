import Beacons
import GRDB
import Registry
import RegistryAPI

extension VisitObservation {
    static let columns = """
        first_seen, last_seen, count, rssi_min, rssi_max, measured_power, proximity, latitude, longitude, accuracy, \
        ended, time_uncertain, answer, answered
        """
    static let columnCount = 14

    /// The values of ``columns``, in their order.
    var arguments: StatementArguments {
        [
            firstSeen.milliseconds, lastSeen.milliseconds, count, rssi?.min, rssi?.max, measuredPower,
            proximity.rawValue,
            place?.latitude, place?.longitude, place?.accuracy, ended, timeUncertain,
            confirmation?.answer.rawValue, confirmation?.time.milliseconds,
        ]
    }

    init(_ row: Row) throws {
        self.init(
            firstSeen: row.timestamp("first_seen"), lastSeen: row.timestamp("last_seen"), count: row["count"],
            rssi: row.signalStrength(), measuredPower: row["measured_power"],
            proximity: try row.choice("proximity"), place: row.place(), ended: row["ended"],
            timeUncertain: row["time_uncertain"], confirmation: try row.confirmation()
        )
    }
}

extension Row {
    /// What a person at the venue said last.
    fileprivate func confirmation() throws -> VisitConfirmation? {
        guard let time = optionalTimestamp("answered") else { return nil }
        return VisitConfirmation(answer: try choice("answer"), time: time)
    }

    /// Both ends of the signal's range, or nil where no radio told.
    fileprivate func signalStrength() -> SignalStrength? {
        guard let min: Int = self["rssi_min"], let max: Int = self["rssi_max"] else { return nil }
        return SignalStrength(min: min, max: max)
    }
}
