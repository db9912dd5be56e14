import Beacons
import RegistryAPI

@testable import Evidence

/// An evidence pack about a made-up theft.
enum PackFixture {
    static let time = Timestamp(milliseconds: 1_795_262_400_000)
    static let keyring = Keyring(at: time)
    static let report = ReportID(high: 6, low: 1)
    static let bikeID = BikeID(high: 5, low: 1)

    /// - Parameter move: the audit's entry about a move of the station; nil if it was not moved.
    static func content(
        sightings count: Int = 3, chain length: Int = 40, move: AuditEntry.Event? = nil
    ) -> EvidenceContent {
        var chain = SampleChain(length: length, report: report, every: 7)
        let records = length == 0 ? [] : (0..<count).map { record(sighting($0), in: &chain) }
        if length > 0 { chain.append(enrolment) }
        if let move { chain.append(move) }
        let audit = chain.entries.filter { entry in
            entry.event?.report == report || entry.event?.station == station
        }
        return EvidenceContent(
            bike: bike, report: missing, sightings: (0..<count).map(sighting), records: records, allSightings: count,
            stations: length == 0
                ? []
                : [
                    StationPlaces(
                        id: station, name: "Café", venue: "Café", mobile: false, enrolled: time,
                        places: [.init(since: time, place: place)]
                    )
                ],
            coverage: coverage, audit: audit, allAuditEntries: audit.count, proof: chain.proof(of: audit.map(\.index)),
            auditLength: Int64(chain.links.count), auditEnd: chain.end
        )
    }

    static func archive(
        _ content: EvidenceContent = content(), signedBy keyring: Keyring = keyring
    ) throws -> [UInt8] {
        try EvidencePack.archive(
            content, trail: [ArchiveFile("sightings.csv", "a,b\r\n")], signedBy: keyring, at: time
        )
    }

    private static func record(_ sighting: Sighting, in chain: inout SampleChain) -> CommittedRecord {
        let receiver = sighting.receiver.map { _ in
            [
                SightingRecord.Field("receiver", "bar"), .init("receiverLatitude", "51.5"),
                .init("receiverLongitude", "-0.12"), .init("receiverAccuracy", "10.0"),
            ]
        }
        let record = SightingRecord(
            (receiver ?? []) + [
                .init("sighting", "\(sighting.id)"), .init("station", "\(sighting.station.id)"),
                .init("report", "\(sighting.report)"), .init("received", "\(sighting.received)"),
                .init("firstSeen", "\(sighting.firstSeen)"), .init("lastSeen", "\(sighting.lastSeen)"),
                .init("count", "\(sighting.count)"), .init("ended", "false"), .init("timeUncertain", "false"),
            ])
        let salt = Array(0..<16 as Range<UInt8>)
        chain.append(
            AuditEntry.Event(
                action: "sighting.stored", time: time, report: report, station: station,
                details: ["sighting": "\(sighting.id)", "digest": "\(record.digest(salt: salt))"]
            )
        )
        return CommittedRecord(
            entry: Int64(chain.links.count), salt: Hexadecimal.text(salt), record: record)
    }

    /// A station that listened for an hour and a half, with a break.
    static var coverage: EvidenceCoverage {
        let hours = [-12, -8, -4].map { time.advanced(by: CoverageQuarter.length * $0) }
        return EvidenceCoverage(
            from: hours[0], until: time,
            stations: [
                ListeningStation(
                    id: StationID(high: 7, low: 3), area: CoverageArea(of: place),
                    spans: [
                        ListeningSpan(from: hours[0], until: hours[0].advanced(by: .seconds(1800)), listened: 1790),
                        ListeningSpan(from: hours[1], until: hours[2], listened: 3600),
                    ])
            ], allSpans: 2)
    }

    private static let enrolment = AuditEntry.Event(
        action: "station.enrolled", time: time, station: station,
        details: ["latitude": "51.5", "longitude": "-0.12", "accuracy": "10.0"])

    static let station = StationID(high: 7, low: 1)
    static let place = Place(latitude: 51.5, longitude: -0.12, accuracy: 10)

    static var bike: Bike {
        Bike(
            id: bikeID,
            details: BikeDraft(
                kind: .bicycle, make: "Brompton", model: "C Line", colours: [.green], serial: "S/1",
                notes: "“sticker”\n"
            ),
            identity: BeaconIdentity(uuid: ProximityUUID(high: 1, low: 2), major: 1, minor: 100), openReport: report,
            created: time
        )
    }

    static var missing: MissingReport {
        MissingReport(
            id: report, bike: bikeID, opened: time.advanced(by: .seconds(-14_400)), missingSince: time,
            lastPlace: place,
            policeReference: "CRIME-7"
        )
    }

    static func sighting(_ number: Int) -> Sighting {
        let seen = time.advanced(by: .seconds(60 * number))
        return Sighting(
            id: VisitID(high: 1, low: UInt64(number)), report: report,
            station: .init(id: station, name: "Café"), place: place, firstSeen: seen, lastSeen: seen,
            received: seen, count: 2, rssi: number == 1 ? nil : SignalStrength(min: -70, max: -60), proximity: .near,
            ended: false, timeUncertain: false,
            receiver: number == 2 ? VenueReceiver(name: "bar", place: place) : nil
        )
    }
}
