import Beacons
import Logging
import Presence
import RegistryAPI
import Scanning

/// Logs what is heard: each matched beacon and each visit. Other beacons are private and logged only at level debug.
/// The amount is bounded, however many beacons are on the air: of the lines that others can cause, only the first of
/// each minute are written, and one line gives the number of those left out.
struct ScanLog: Sendable {
    private let logger: Logger
    /// Whether each beacon is logged. Read once for each batch: asking the logger costs as much as decoding a report.
    private var logsBeacons = false
    /// The beacons that were logged as heard.
    private var heard: Set<BeaconIdentity> = []
    /// The missing bikes that were logged as matched, until their visits end.
    private var matched: Set<BeaconIdentity> = []
    /// The total and the time of the last warning.
    private var displaced: (total: Int, warned: ScanInstant?) = (0, nil)
    private var limit = LogLimit(ScanLog.linesPerMinute)

    /// The maximum number of beacons in a set; a full set is emptied, so that some beacons are logged again.
    private static let capacity = 1000
    /// The maximum number of lines a minute that others can cause.
    static let linesPerMinute = 60

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// Logs how many lines were left out in the last minute. Call it first for each batch.
    mutating func begin(at now: ScanInstant) {
        logsBeacons = logger.logLevel <= .debug
        guard let omitted = limit.takeOmitted(at: now) else { return }
        logger.notice("many visits: some are not in the log", metadata: ["linesLeftOut": "\(omitted)"])
    }

    /// Logs a beacon when it is heard first, and a missing bike when a visit may begin.
    mutating func heard(_ beacon: IBeacon, rssi: Int8?, isMissing: Bool, at now: ScanInstant) {
        if logsBeacons, Self.isNew(beacon.identity, in: &heard) {
            logger.debug("beacon heard", metadata: Self.metadata(beacon, rssi))
        }
        if isMissing, Self.isNew(beacon.identity, in: &matched), limit.allows(at: now) {
            logger.info("missing bike matched", metadata: Self.metadata(beacon, rssi))
        }
    }

    /// Logs a change to a visit.
    mutating func changed(_ change: PresenceEvent.Kind, _ visit: Visit, at now: ScanInstant) {
        if change.endsVisit, change != .cut { matched.remove(visit.identity) }
        guard change == .updated || limit.allows(at: now) else { return }
        let metadata: Logger.Metadata = ["visit": "\(visit.id)", "frames": "\(visit.count)"]
        switch change {
        case .entered: logger.info("visit began", metadata: metadata)
        case .updated: logger.debug("visit updated", metadata: metadata)
        case .cut, .continued: logger.info("visit continued under a new identifier", metadata: metadata)
        case .lost, .finished, .displaced: logger.info("visit ended", metadata: metadata)
        }
    }

    /// Warns at most once an hour of visits that were ended early.
    ///
    /// - Parameter total: their number since the start.
    mutating func displaced(_ total: Int, at now: ScanInstant) {
        guard total > displaced.total, displaced.warned.map({ $0.duration(to: now) >= .seconds(3600) }) ?? true else {
            return
        }
        displaced = (total, now)
        logger.warning(
            "implausibly many missing bikes at once: somebody may be replaying their beacons",
            metadata: ["visitsEndedEarly": "\(total)"])
    }

    mutating func refusedWithoutPlace(_ visit: Visit, at now: ScanInstant) {
        guard limit.allows(at: now) else { return }
        logger.warning(
            "visit not recorded: the station does not know where it is, and location.withoutFix is ‘refuse’",
            metadata: ["visit": "\(visit.id)"])
    }

    /// Whether a beacon is not in a set yet; it is afterwards.
    private static func isNew(_ identity: BeaconIdentity, in known: inout Set<BeaconIdentity>) -> Bool {
        if known.count >= capacity { known.removeAll(keepingCapacity: true) }
        return known.insert(identity).inserted
    }

    private static func metadata(_ beacon: IBeacon, _ rssi: Int8?) -> Logger.Metadata {
        ["beacon": "\(beacon.identity)", "rssi": "\(rssi.map { "\($0) dBm" } ?? "unknown")"]
    }
}
