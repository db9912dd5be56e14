import Beacons
import Registry
import RegistryAPI

/// The values in the contract's examples: of the very types that the calls take and give.
enum Example {
    static let place = Place(latitude: 51.5246, longitude: -0.0784, accuracy: 10)
    static let identity = BeaconIdentity(uuid: NetworkRegion.uuid, major: 1, minor: 4711)

    static let bikeDraft = BikeDraft(
        kind: .motorbike, make: "Triumph", model: "Bonneville", colours: [.black, .silver], year: 2016,
        plate: "BX16 ABC", notes: "A scratch on the tank, left"
    )
    static let bike = Bike(id: id(1), details: bikeDraft, identity: identity, openReport: id(2), created: morning)

    static let reportDraft = MissingReportDraft(
        lastPlace: place, policeReference: "CAD 4711/21NOV26", note: "Seen at 7")
    static let report = MissingReport(
        id: id(2), bike: bike.id, opened: noon, missingSince: morning, lastPlace: place,
        policeReference: "CAD 4711/21NOV26"
    )
    static let closure = ReportClosure(outcome: .recovered, note: "The police found it in Hackney")
    static var closedReport: MissingReport {
        var report = report
        report.closed = evening
        report.closure = closure
        return report
    }

    static let owner = Owner(id: id(3), created: morning)
    static let ownerCreated = OwnerCreated(owner: owner, token: token("owner"))

    static let channel = Channel(id: id(4), kind: .webhook, url: "https://example.org/hook", created: morning)
    static let channelCreated = ChannelCreated(
        channel: channel, secret: "whsec_" + String(repeating: "A", count: 43) + "="
    )

    static let station = Station(id: id(5), name: "Café Sprocket", place: place, enrolled: morning)
    static let stationEnrolled = StationEnrolled(station: station, token: token("station"))
    static let invitation = Invitation(id: id(6), code: "7GQK-M2XP-V9TD-4RWH", expires: evening)

    static let visit = Visit(
        id: id(7), stay: id(8), identity: identity, firstSeen: noon, lastSeen: noon.advanced(by: .seconds(240)),
        count: 412, rssi: SignalStrength(min: -88, max: -61), measuredPower: -59, proximity: .near, place: nil,
        ended: true
    )
    static let sighting = Sighting(
        id: visit.id, report: report.id, station: .init(id: station.id, name: station.name), place: place,
        firstSeen: visit.firstSeen, lastSeen: visit.lastSeen, received: noon.advanced(by: .seconds(241)), count: 412,
        rssi: visit.rssi, proximity: .near, ended: true, timeUncertain: false
    )
    static let batchResult = VisitBatchResult(results: [
        VisitResult(
            id: visit.id, result: .stored,
            lookFor: BikeAppearance(kind: .motorbike, make: "Triumph", model: "Bonneville", colours: [.black, .silver])
        ),
        VisitResult(id: id(9), result: .ignored),
        VisitResult(
            id: nil, result: .invalid,
            errors: [
                FieldError(pointer: "/visits/2/count", detail: "must be a whole number from 1 to 9007199254740992")
            ]
        ),
    ])
    static let missingList = MissingListDocument(version: 42, identities: [identity])

    private static let morning = Timestamp(milliseconds: 1_795_244_400_000)
    private static let noon = Timestamp(milliseconds: 1_795_262_400_000)
    private static let evening = Timestamp(milliseconds: 1_795_280_400_000)

    static func id<Resource>(_ number: UInt64) -> ResourceID<Resource> {
        ResourceID(high: 0x019A_A4E1_1C2D_7A3B, low: 0x8C4D_5E6F_7081_9200 | number)
    }

    /// Shaped like a token, and no one's.
    static func token(_ kind: String) -> String { "fmb_\(kind)_" + String(repeating: "A", count: 43) }
}
