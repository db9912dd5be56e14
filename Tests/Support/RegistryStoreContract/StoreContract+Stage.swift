import Beacons
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Synchronization
import TestSupport

/// A store with shorthands for the setup that most cases need.
struct Stage {
    let store: any RegistryStore
    let clock = HandClock()
    let entropy: Entropy

    /// - Parameter seed: of the entropy; stages of one store need different ones.
    init(_ store: any RegistryStore, seed: UInt64 = 1) {
        self.store = store
        entropy = .seeded(seed)
    }

    var now: Timestamp { clock.now }

    func newID<Resource>() -> ResourceID<Resource> {
        var entropy = entropy
        return ResourceID(at: now, using: &entropy)
    }

    func owner() async throws -> OwnerID {
        let owner = Owner(id: newID(), created: now)
        try await store.addOwner(owner, token: SecretDigest(of: owner.id.description))
        return owner.id
    }

    func bike(of owner: OwnerID, _ identity: BeaconIdentity, once: IdempotencyKey? = nil) async throws -> Bike {
        try await store.registerBike(
            NewBike(id: newID(), owner: owner, details: Samples.bike, identity: .given(identity), created: now),
            once: once
        )
    }

    func openReport(
        on bike: BikeID, of owner: OwnerID, missingSince: Timestamp? = nil, policeReference: String? = "CRIME-7",
        once: IdempotencyKey? = nil
    ) async throws -> MissingReport {
        let report = MissingReport(
            id: newID(), bike: bike, opened: now, missingSince: missingSince ?? now, lastPlace: Samples.place,
            policeReference: policeReference, note: "chained to a rail"
        )
        return try await store.openReport(report, by: owner, once: once)
    }

    /// The actions in the audit, the oldest first.
    func actions() async throws -> [String] {
        try await store.auditEntries(AuditFilter(), PageRequest(limit: 99)).items.compactMap(\.event?.action)
    }

    func close(_ report: MissingReport, of owner: OwnerID, once: IdempotencyKey? = nil) async throws -> MissingReport {
        try await store.closeReport(
            report.id, on: report.bike, ReportClosure(outcome: .recovered, recoveredBy: .police, note: "found"),
            by: act(of: owner), once: once
        )
    }

    func act(of owner: OwnerID, recoveryCode: String? = nil) -> OwnerAct {
        OwnerAct(
            owner: owner, time: now, recoveryCode: recoveryCode.map { SecretDigest(of: $0) }, entropy: entropy
        )
    }

    func channel(
        of owner: OwnerID, after: Int? = nil, once: IdempotencyKey? = nil
    ) async throws -> (channel: Channel, secret: SigningSecret) {
        var entropy = entropy
        let channel = Channel(id: newID(), kind: .webhook, address: Samples.webhook.address, after: after, created: now)
        return try await store.addChannel(
            channel, ChannelSettings(), secret: SigningSecret(using: &entropy), of: owner, once: once,
            verification: nil
        )
    }

    func invitation(
        code: String, venue: String? = nil, mobile: Bool = false, place: Place = Samples.place,
        once: IdempotencyKey? = nil
    ) async throws -> InvitationID {
        try await store.addInvitation(
            NewInvitation(
                id: newID(), details: InvitationDraft(name: "Café", venue: venue, mobile: mobile, place: place),
                code: SecretDigest(of: code), created: now, expires: now.advanced(by: .days(1))
            ),
            once: once
        )
    }

    func station(
        _ code: String = "code", venue: String? = nil, mobile: Bool = false, place: Place = Samples.place
    ) async throws -> StationID {
        _ = try await invitation(code: code, venue: venue, mobile: mobile, place: place)
        let id: StationID = newID()
        return try await enrol(code, as: id, token: id.description).id
    }

    func enrol(
        _ code: String, as id: StationID? = nil, token: String = "t", attempt: String? = nil
    ) async throws -> Station {
        try await store.enrol(
            Enrolment(
                code: SecretDigest(of: code), attempt: attempt.map { SecretDigest(of: $0) }, station: id ?? newID(),
                token: SecretDigest(of: token), time: now
            )
        )
    }

    func record(_ visits: Visit..., by station: StationID) async throws -> [RecordedVisit] {
        try await store.record(visits, by: station, at: now, using: entropy)
    }

    /// Runs the reassessment until nothing is left.
    func judge(limit: Int = 2) async throws { while try await store.judgeAnew(limit: limit, at: now) {} }

    /// Those of the reports whose followers are woken by an act.
    func woken(among reports: [MissingReport], by act: () async throws -> Void) async throws -> Set<ReportID> {
        let woken = Mutex<Set<ReportID>>([])
        let subscriptions = reports.map { report in
            store.signals.trails.follow(report.id) { woken.withLock { _ = $0.insert(report.id) } }
        }
        try await act()
        return withExtendedLifetime(subscriptions) { woken.withLock(\.self) }
    }

    func sightings(of report: MissingReport, by owner: OwnerID) async throws -> [Sighting] {
        try await store.sightings(of: ReportPath(report, of: owner), PageRequest(limit: 100)).items
    }

    /// An owner with a missing bike and a channel, and a station.
    ///
    /// - Parameter time: the duration of quiet hours from now on; nil for no quiet hours.
    func missingBike(
        hasChannel: Bool = true, quietFor time: Duration? = nil
    ) async throws -> (owner: OwnerID, report: MissingReport, station: StationID) {
        let owner = try await owner()
        if let time {
            let begin = Int(now.milliseconds / 60_000 % 1440)
            let end = (begin + Int(time / .seconds(60))) % 1440
            let hours = QuietHours(from: TimeOfDay(minute: begin), to: TimeOfDay(minute: end))
            var patch = OwnerPatch()
            try patch.set("quietHours", hours)
            try await change(owner, patch)
        }
        if hasChannel { _ = try await channel(of: owner) }
        let bike = try await bike(of: owner, Samples.identity(1))
        return (owner, try await openReport(on: bike.id, of: owner), try await station())
    }

    func claim(limit: Int = 10) async throws -> [ClaimedAlert] {
        try await store.claimAlerts(at: now, leaseUntil: now.advanced(by: .seconds(60)), limit: limit)
    }

    /// Claims all alerts that are due and settles them as delivered.
    @discardableResult
    func deliver() async throws -> [ClaimedAlert] {
        let alerts = try await claim(limit: 1000)
        for alert in alerts { try await store.settle(alert.id, attempt: alert.attempt, as: .delivered, at: now) }
        return alerts
    }

    /// The sightings in each alert that is due now, by the numbers of their visits. Delivers these alerts.
    func told() async throws -> [[UInt64]] {
        try await deliver().map { alert in
            switch alert.content {
            case .sighting(let content): [content.sighting.id.low]
            case .digest(let content): content.sightings.map(\.id.low)
            case .notice: []
            }
        }
    }

    /// The sightings in all alerts that are due now, without updates to earlier sightings. Delivers these alerts.
    func newlyTold() async throws -> [UInt64] {
        try await deliver().flatMap { alert -> [UInt64] in
            switch alert.content {
            case .sighting(let content): content.isUpdate ? [] : [content.sighting.id.low]
            case .digest(let content): content.sightings.map(\.id.low)
            case .notice: []
            }
        }
    }

    func change(_ owner: OwnerID, _ patch: OwnerPatch) async throws {
        let account = try await store.owner(owner) ?? Owner(id: owner, created: now)
        _ = try await store.changeOwner(account, to: patch.applied(to: account, at: now), by: act(of: owner))
    }

    func onceKey(_ key: String, of owner: OwnerID, request: String = "request") -> IdempotencyKey {
        IdempotencyKey(principal: .owner(owner), key: key, request: SecretDigest(of: request), time: now)
    }
}
