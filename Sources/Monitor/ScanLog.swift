import Beacons
import Logging
import Presence
import RegistryAPI

/// Logs what is heard: each matched beacon, each visit; other beacons only at level debug, since they are nobody's
/// business. Bounded, whatever is on the air.
struct ScanLog: Sendable {
    private let logger: Logger
    private var heard: Set<BeaconIdentity> = []
    private var matched: Set<BeaconIdentity> = []

    private static let capacity = 1000

    init(_ logger: Logger) {
        self.logger = logger
    }

    mutating func heard(_ beacon: IBeacon, rssi: Int8?, isMissing: Bool) {
        if logger.logLevel <= .debug, Self.isNew(beacon.identity, in: &heard) {
            logger.debug("beacon heard", metadata: Self.metadata(beacon, rssi))
        }
        if isMissing, Self.isNew(beacon.identity, in: &matched) {
            logger.info("missing bike matched", metadata: Self.metadata(beacon, rssi))
        }
    }

    mutating func changed(_ change: PresenceEvent.Kind, _ visit: Visit) {
        let metadata: Logger.Metadata = ["visit": "\(visit.id)", "frames": "\(visit.count)"]
        switch change {
        case .entered: logger.info("visit began", metadata: metadata)
        case .updated: logger.debug("visit goes on", metadata: metadata)
        case .cut, .continued: logger.info("visit continued under a new identifier", metadata: metadata)
        case .lost, .finished:
            logger.info("visit ended", metadata: metadata)
            matched.remove(visit.identity)
        }
    }

    func refusedWithoutPlace(_ visit: Visit) {
        logger.warning(
            "visit not recorded: the station does not know where it is, and location.withoutFix is ‘refuse’",
            metadata: ["visit": "\(visit.id)"])
    }

    private static func isNew(_ identity: BeaconIdentity, in known: inout Set<BeaconIdentity>) -> Bool {
        if known.count >= capacity { known.removeAll(keepingCapacity: true) }
        return known.insert(identity).inserted
    }

    private static func metadata(_ beacon: IBeacon, _ rssi: Int8?) -> Logger.Metadata {
        ["beacon": "\(beacon.identity)", "rssi": "\(rssi.map { "\($0) dBm" } ?? "unknown")"]
    }
}
