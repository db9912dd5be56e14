public import Beacons
public import RegistryAPI

/// The end of a page of owners, who are listed by their number of unconfirmed reports, highest first.
public struct OwnerCursor: Hashable, Sendable {
    public var unconfirmed: Int64
    public var owner: OwnerID

    public init(unconfirmed: Int64, owner: OwnerID) {
        self.unconfirmed = unconfirmed
        self.owner = owner
    }
}

/// An operator's act: the operator, the time, and the source of identifiers for its notices.
public struct OperatorAct: Sendable {
    public var id: OperatorID
    public var time: Timestamp
    public var entropy: Entropy

    public init(id: OperatorID, time: Timestamp, entropy: Entropy) {
        self.id = id
        self.time = time
        self.entropy = entropy
    }

    public var principal: Principal { .operator(id) }
}

/// Operators' measures against misuse of the registry. They show no sightings. When a search is stopped or allowed, its
/// owner is notified on all channels, and the act is recorded in the audit.
public protocol ReviewStore: Sendable {
    /// All owners, with those who have the most unconfirmed reports first.
    func owners(_ page: PageRequest<OwnerCursor>) async throws -> StoredPage<OwnerSummary, OwnerCursor>

    /// - Throws: `notFound`.
    func review(of owner: OwnerID) async throws -> OwnerReview

    /// Takes all of an owner's bikes off the missing list, and blocks new reports;
    /// has no effect if the owner is suspended.
    ///
    /// - Throws: `notFound`.
    func suspendOwner(_ owner: OwnerID, reason: String?, by act: OperatorAct) async throws -> OwnerReview

    /// - Throws: `notFound`.
    func resumeOwner(_ owner: OwnerID, by act: OperatorAct) async throws -> OwnerReview

    /// Replaces an owner's exceptions to the registry's quotas.
    ///
    /// - Throws: `notFound`.
    func setQuotas(of owner: OwnerID, _ exceptions: QuotaExceptions, by act: OperatorAct) async throws -> OwnerReview

    /// Confirms the police reference of a report, which is then searched for as long as it is open.
    ///
    /// - Throws: `notFound`; `invalidFields` if its reference is a different one.
    func confirmReference(_ reference: String, of report: ReportID, by act: OperatorAct) async throws -> ReportReview

    /// - Throws: `notFound`.
    func withdrawConfirmation(of report: ReportID, by act: OperatorAct) async throws -> ReportReview

    /// Keeps a beacon off the missing list, regardless of its owner.
    ///
    /// - Throws: `notFound` for a beacon that this registry has never known.
    func stopSearch(for beacon: BeaconIdentity, reason: String?, by act: OperatorAct) async throws -> BeaconReview

    /// Claimed identities that are waiting for an operator, in the order of their bikes' registration.
    func claims(_ page: PageRequest<BikeID>) async throws -> StoredPage<BeaconClaim, BikeID>

    /// Gives a bike the identity that its owner claims; no proof is needed any more.
    ///
    /// - Throws: `notFound`, `identityTaken`; `invalidFields` if a different identity is claimed by now.
    func acceptClaim(_ identity: BeaconIdentity, of bike: BikeID, by act: OperatorAct) async throws -> BeaconClaim

    /// Refuses a claim. The bike stays pending: a test can still prove its beacon.
    ///
    /// - Throws: `notFound`.
    func refuseClaim(of bike: BikeID, reason: String?, by act: OperatorAct) async throws -> BeaconClaim

    /// - Throws: `notFound`.
    func allowSearch(for beacon: BeaconIdentity, by act: OperatorAct) async throws -> BeaconReview
}
