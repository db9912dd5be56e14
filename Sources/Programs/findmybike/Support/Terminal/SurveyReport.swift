import Beacons
import CommandSupport
import Presence
import RegistryAPI

/// The scan's result as JSON lines: one beacon each, most frames first, then the totals.
struct SurveyReport {
    struct Beacon: Encodable {
        let kind: String
        var uuid: String?
        var major: UInt16?
        var minor: UInt16?
        var company: UInt16?
        var namespace: String?
        var instance: String?
        let measuredPower: Int8
        let frames: Int
        let rssi: Strength?
        let first: Timestamp
        let last: Timestamp
    }

    struct Strength: Encodable {
        let min: Int
        let median: Double
        let max: Int
    }

    struct Totals: Encodable {
        let kind = "totals"
        let reports: Int
        let malformed: Int
    }

    let beacons: [Beacon]
    let totals: Totals

    /// - Parameter unixTime: converts an instant of the survey to nanoseconds since the Unix epoch.
    init(_ survey: BeaconSurvey, _ filter: SurveyFilter, unixTime: (ScanInstant) -> Int64) {
        beacons = survey.strongest(filter).map { Beacon($0.frame, $0.entry, unixTime) }
            .sorted { ($1.frames, $0.name) < ($0.frames, $1.name) }
        totals = Totals(reports: survey.reports, malformed: survey.malformed)
    }

    func print() throws {
        for beacon in beacons { try Output.json(beacon) }
        try Output.json(totals)
    }
}

extension SurveyReport.Beacon {
    fileprivate init(_ frame: BeaconFrame, _ entry: SurveyEntry, _ unixTime: (ScanInstant) -> Int64) {
        kind = frame.kind.rawValue
        measuredPower = frame.measuredPower
        frames = entry.frames
        rssi = entry.rssi.map { SurveyReport.Strength(min: $0.min, median: $0.median, max: $0.max) }
        first = Timestamp(milliseconds: unixTime(entry.first) / 1_000_000)
        last = Timestamp(milliseconds: unixTime(entry.last) / 1_000_000)
        switch frame {
        case .iBeacon(let beacon): set(beacon.identity)
        case .altBeacon(let beacon):
            set(beacon.identity)
            company = beacon.company
        case .eddystoneUID(let beacon):
            namespace = beacon.namespaceText
            instance = beacon.instanceText
        }
    }

    private mutating func set(_ identity: BeaconIdentity) {
        uuid = identity.uuid.description.lowercased()
        major = identity.major
        minor = identity.minor
    }

    /// The name that breaks ties, so that the order is always the same.
    fileprivate var name: String {
        [kind, uuid, major.map(String.init), minor.map(String.init), namespace, instance, "\(measuredPower)"]
            .map { $0 ?? "" }.joined(separator: "/")
    }
}
