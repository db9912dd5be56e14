public import RegistryAPI
public import RegistryRules
import RegistrySQL

extension AlertStore {
    /// Ends a claim, using the system's entropy.
    public func settle(
        _ id: AlertID, attempt: Int, as settlement: AlertSettlement, at time: Timestamp
    ) async throws {
        try await settle(id, attempt: attempt, as: settlement, at: time, using: .system)
    }

    /// Claims alerts up to one limit for each kind.
    public func claimAlerts(
        at now: Timestamp, leaseUntil lease: Timestamp, limit: Int
    ) async throws -> [ClaimedAlert] {
        let limits = Dictionary(uniqueKeysWithValues: ChannelKind.allCases.map { ($0, limit) })
        return try await claimAlerts(at: now, leaseUntil: lease, limits: limits)
    }

    /// Claims alerts up to a limit for each kind, regardless of their owners.
    public func claimAlerts(
        at now: Timestamp, leaseUntil lease: Timestamp, limits: [ChannelKind: Int]
    ) async throws -> [ClaimedAlert] {
        try await claimAlerts(at: now, leaseUntil: lease, places: .atMost(limits)).alerts
    }

    /// The time when the next alert that has a place is due; nil if none is waiting.
    public func nextAlertDue(for places: AllDeliveryPlaces) async throws -> Timestamp? {
        let never = Timestamp(milliseconds: .min)
        return try await claimAlerts(at: never, leaseUntil: never, places: places).next
    }

    /// The time when the next alert of some kinds is due.
    public func nextAlertDue(of kinds: Set<ChannelKind>) async throws -> Timestamp? {
        try await nextAlertDue(for: .atMost(Dictionary(uniqueKeysWithValues: kinds.map { ($0, .max) })))
    }

    /// The time when the next alert of any kind is due.
    public func nextAlertDue() async throws -> Timestamp? {
        try await nextAlertDue(of: Set(ChannelKind.allCases))
    }
}

extension AllDeliveryPlaces {
    /// Places for each kind and each standing of receivers, up to these limits, regardless of the alerts' owners.
    public static func atMost(_ limits: [ChannelKind: Int]) -> Self {
        limits.mapValues { limit in
            let places = ReceiverStanding.allCases.map { ($0, DeliveryPlaces(limit)) }
            return [ReceiverStanding: DeliveryPlaces](uniqueKeysWithValues: places)
        }
    }
}

extension RegistryStore {
    /// Records visits of one station.
    package func record(
        _ visits: [Visit], by station: StationID, at time: Timestamp, using entropy: Entropy
    ) async throws -> [RecordedVisit] {
        try await record(RecordRequest(visits, by: station, at: time, using: entropy))
    }

    /// Dismisses a sighting, as its owner.
    public func dismissSighting(
        _ id: VisitID, of report: ReportID, on bike: BikeID, owner: OwnerID, at time: Timestamp
    ) async throws -> Sighting {
        try await dismissSighting(
            id, of: report, on: bike,
            by: OwnerAct(owner: owner, time: time, entropy: .seeded(UInt64(clamping: time.milliseconds))))
    }
}

extension RegistryStore {
    /// Adds an owner whose only token has this digest.
    public func addOwner(_ owner: Owner, token: SecretDigest) async throws {
        let details = OwnerToken(
            id: TokenID(high: owner.id.high, low: ~owner.id.low), name: "first", scope: .manage, created: owner.created
        )
        try await addOwner(NewOwner(id: owner.id, created: owner.created, token: NewToken(details, digest: token)))
    }
}

extension ClaimedAlert.Content {
    /// The content of a notice; nil for other alerts.
    public var notice: OwnerNotice? { if case .notice(let notice) = self { notice } else { nil } }
}
