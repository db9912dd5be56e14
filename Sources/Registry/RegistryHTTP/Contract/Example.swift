import Beacons
import RegistryAPI
import RegistryRules

/// The values in the contract's examples, of the same types that the calls accept and return.
enum Example {
    static let place = Place(latitude: 51.5246, longitude: -0.0784, accuracy: 10)
    static let identity = BeaconIdentity(uuid: NetworkRegion.uuid, major: 1, minor: 4711)

    static let bikeDraft = BikeDraft(
        kind: .motorbike, make: "Triumph", model: "Bonneville", colours: [.black, .silver], year: 2016,
        engineNumber: "865-123456", plate: "BX16 ABC", notes: "A scratch on the tank, left",
        upkeep: BikeUpkeep(
            inspectionDue: CalendarDate("2027-03-31"), insuranceEnds: CalendarDate("2027-06-30"),
            taxDue: CalendarDate("2027-06-01"), breakdownCoverEnds: CalendarDate("2027-06-30"),
            breakdownCoverNumber: "0161 496 0000", battery: .cr2477, batteryFitted: CalendarDate("2026-11-21"),
            batteryMonths: 30
        )
    )
    static let bike = Bike(
        id: id(1), details: bikeDraft, identity: identity, openReport: id(2), created: morning, photo: id(12),
        parked: ParkedPlace(place: place, since: morning))

    static var rotatingBike: Bike {
        var bike = bike
        bike.rotation = BeaconRotation(
            key: digits(32), keyCode: "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", lag: 0, checked: morning)
        bike.openReport = nil
        bike.photo = nil
        return bike
    }

    static let claimed = BeaconIdentity(uuid: ownUUID, major: 10, minor: 26049)
    static var testedBike: Bike {
        var bike = bike
        bike.identity = BeaconIdentity(uuid: ownUUID, major: 10, minor: 4711)
        bike.pending = PendingBeacon(claimed: claimed, testEnds: evening)
        bike.test = BeaconTest(ends: evening, heard: morning)
        bike.openReport = nil
        return bike
    }
    private static let ownUUID = ProximityUUID(high: 0x7F3A_9C52_1B64_4E0D, low: 0x8A27_5D9E_60C4_B813)

    static let reportDraft = MissingReportDraft(
        lastPlace: place, policeReference: "CAD 4711/21NOV26", note: "Seen at 7")
    static let report = MissingReport(
        id: id(2), bike: bike.id, opened: noon, missingSince: morning, lastPlace: place,
        policeReference: "CAD 4711/21NOV26"
    )
    static let description = RegistryDescription(
        operator: .init(name: "Findmybike Berlin e. V.", contact: "https://registry.example.org/imprint"),
        stations: StationAreas(
            listening: 41, areas: [StationAreas.Area(latitude: 52.55, longitude: 13.45, stations: 12)]),
        partners: [PartnerAreas(registry: partner.name, stations: StationAreas(listening: 12, areas: []))])
    static let listeningStations = ListeningStations(
        listening: 14, nearest: 400, odds: SearchOdds(searches: 140, percentWithinDay: 40))
    static let closure = ReportClosure(outcome: .recovered, note: "The police found it in Hackney")
    static var closedReport: MissingReport {
        var report = report
        report.closed = evening
        report.closure = closure
        return report
    }

    static let owner = Owner(
        id: id(3), created: morning, language: .de, zone: "Europe/Berlin",
        quietHours: TimeOfDay("22:00").flatMap { from in TimeOfDay("07:00").map { QuietHours(from: from, to: $0) } },
        recoveryCodes: 8, channelKinds: [.webhook, .ntfy, .email, .webpush]
    )
    static let ownerCreated = OwnerCreated(owner: owner, token: token("owner"), recoveryCodes: [code])
    static let ownerToken = OwnerToken(id: id(10), name: "Phone", scope: .report, created: morning, lastUsed: noon)
    static let tokenCreated = OwnerTokenCreated(details: ownerToken, token: token("owner"))
    static let export = OwnerExport(
        exported: evening, owner: owner, tokens: [ownerToken], channels: [channel],
        bikes: [
            .init(
                bike: bike, history: [bikeEvent], reports: [.init(report: closedReport, sightings: [sighting])],
                photos: [photo])
        ],
        formerReports: [], activity: auditEntry.event.map { [$0] } ?? []
    )
    static let photo = Photo(id: id(12), created: evening, width: 1600, height: 1200, bytes: 341_277)
    static let bikeEvent = BikeEvent(.registered, at: morning, identity: identity)
    static let transfer = Transfer(bike: bike.id, code: code, expires: evening)

    static let channelDraft = ChannelDraft(kind: .webhook, address: "https://example.org/hook", after: 15)

    static let channel = Channel(
        id: id(4), kind: .webhook, address: "https://example.org/hook", after: 15, created: morning)
    static let channelTest = ChannelTestResult(delivered: false, detail: "The receiver refused the connection.")
    static let delivery = ChannelDelivery(
        id: id(11), event: "sighting.created", created: noon, attempts: 2, next: evening,
        lastError: "the receiver did not answer in time"
    )
    static let webPushKey = WebPushKey(publicKey: "B" + String(repeating: "A", count: 86))
    static let channelCreated = ChannelCreated(
        channel: channel, secret: "whsec_" + String(repeating: "A", count: 43) + "="
    )

    static let station = Station(
        id: id(5), name: "Café Sprocket", place: place, enrolled: morning,
        heartbeat: .init(
            received: noon,
            heartbeat: StationHeartbeat(version: "1.0.0", adapters: heartbeat.adapters, listVersion: 42))
    )
    static let heartbeat = StationHeartbeat(
        version: "1.0.0",
        adapters: [.init(name: "hci0", state: "scanning", silentSeconds: 0, reports: 184_302, dropped: 0)],
        listVersion: 42, coverage: [quarter]
    )
    static let quarter = CoverageQuarter(
        begins: morning, listened: 899, adverts: 12_480, devices: 61, restarts: 0, listAge: 55)
    static let coverage = StationCoverage(day: CalendarDate(morning), quarters: [quarter])
    static let coverageReceipt = CoverageReceipt(
        stored: 1, ignored: 0, displays: DisplayTerms(station: "Café Sprocket", contact: "the police on 101"),
        partners: [partner.name])
    static let revokedStation = Station(
        id: id(5), name: "Café Sprocket", place: place, enrolled: morning, revoked: noon, quarantinedSince: morning,
        judgement: .init(began: noon, sightings: 0)
    )
    static let invitationDraft = InvitationDraft(name: "Café Sprocket", venue: "Sprocket Ltd", place: place)
    static let stationEnrolled = StationEnrolled(station: station, token: token("station"))
    static let invitation = Invitation(id: id(6), code: code, expires: evening)

    static let pendingInvitation = PendingInvitation(
        id: id(6), name: "Café Sprocket", venue: "Sprocket Ltd", mobile: false, place: place, created: morning,
        expires: evening
    )

    static let visit = Visit(
        id: id(7), stay: id(8), identity: identity, firstSeen: noon, lastSeen: noon.advanced(by: .seconds(240)),
        count: 412, rssi: SignalStrength(min: -88, max: -61), measuredPower: -59, proximity: .near, place: nil,
        ended: true, receiver: VenueReceiver(name: "bar")
    )
    static let sighting = Sighting(
        id: visit.id, report: report.id, station: .init(id: station.id, name: station.name), place: place,
        firstSeen: visit.firstSeen, lastSeen: visit.lastSeen, received: noon.advanced(by: .seconds(241)), count: 412,
        rssi: visit.rssi, proximity: .near, ended: true, timeUncertain: false, receiver: visit.receiver
    )
    static let batchResult = VisitBatchResult(results: [
        VisitResult(
            id: visit.id, result: .stored,
            lookFor: BikeAppearance(
                kind: .motorbike, make: "Triumph", model: "Bonneville", colours: [.black, .silver]),
            continues: id(10)
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

    static let auditEntry = AuditEntry(
        index: 17,
        event: .init(
            action: AuditAction.reportOpened.rawValue, time: noon, principal: "owner:\(owner.id)",
            owner: owner.id,
            bike: bike.id, report: report.id
        ),
        salt: digits(32), commitment: digits(64), chain: digits(64)
    )
    static let checkpoint = SignedCheckpoint(
        checkpoint: "findmybike audit checkpoint\nentries 17\n", signature: digits(128)
    )
    static let keys = PublishedKeys(keys: [
        PublishedKey(
            version: 1, fingerprint: digits(64),
            publicKey: "-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n", created: morning
        )
    ])

    static let appBikeDraft = AppBikeDraft(
        make: "Triumph", model: "Bonneville", beaconMinor: 4711, missing: true, colour: "black"
    )
    static let appBike = AppBike(
        id: "019aa4e1-1c2d-7a3b-8c4d-5e6f70819201", make: "Triumph", model: "Bonneville", beaconMinor: 4711,
        missing: true, colour: "black"
    )
    static let appSighting = AppSighting(
        bikeId: appBike.id, date: noon, latitude: place.latitude, longitude: place.longitude
    )

    static let code = "7GQK-M2XP-V9TD-4RWH"
    /// Hexadecimal digits of a key or a hash.
    private static func digits(_ count: Int) -> String { String(repeating: "0", count: count) }

    private static let morning = Timestamp(milliseconds: 1_795_244_400_000)
    static let noon = Timestamp(milliseconds: 1_795_262_400_000)
    static let evening = Timestamp(milliseconds: 1_795_280_400_000)

    /// An identifier that ends with a number below 256.
    static func id<Resource>(_ number: UInt64) -> ResourceID<Resource> {
        ResourceID(high: 0x019A_A4E1_1C2D_7A3B, low: 0x8C4D_5E6F_7081_9200 | number)
    }

    /// A text in the form of a token, which is not a real token.
    static func token(_ kind: String) -> String { "fmb_\(kind)_" + String(repeating: "A", count: 43) }
}
