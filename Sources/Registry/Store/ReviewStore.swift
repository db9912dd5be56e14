public import Beacons
public import RegistryAPI

/// Where a page of owners ends: they are listed by their unconfirmed reports, the most first.
public struct OwnerCursor: Hashable, Sendable {
    public var unconfirmed: Int64
    public var owner: OwnerID

    public init(unconfirmed: Int64, owner: OwnerID) {
        self.unconfirmed = unconfirmed
        self.owner = owner
    }
}

/// An operator's act: who, when, and where the identifiers of its notices come from.
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

/// How operators keep the registry from being misused. Nothing here shows a sighting. What stops or allows a search is
/// told to its owner on all channels, and is in the audit.
public protocol ReviewStore: Sendable {
    /// All owners, those with the most unconfirmed reports first.
    func owners(_ page: PageRequest<OwnerCursor>) async throws -> StoredPage<OwnerSummary, OwnerCursor>

    /// - Throws: `notFound`.
    func review(of owner: OwnerID) async throws -> OwnerReview

    /// Takes all of an owner's bikes off the missing list, and lets it open no report; without effect where that is so.
    ///
    /// - Throws: `notFound`.
    func suspendOwner(_ owner: OwnerID, reason: String?, by act: OperatorAct) async throws -> OwnerReview

    /// - Throws: `notFound`.
    func resumeOwner(_ owner: OwnerID, by act: OperatorAct) async throws -> OwnerReview

    /// Replaces what one owner is allowed beside the registry's settings.
    ///
    /// - Throws: `notFound`.
    func setQuotas(of owner: OwnerID, _ exceptions: QuotaExceptions, by act: OperatorAct) async throws -> OwnerReview

    /// Confirms the police reference of a report, which then is searched for as long as it is open.
    ///
    /// - Throws: `notFound`; `invalidFields` where its reference is another one.
    func confirmReference(_ reference: String, of report: ReportID, by act: OperatorAct) async throws -> ReportReview

    /// - Throws: `notFound`.
    func withdrawConfirmation(of report: ReportID, by act: OperatorAct) async throws -> ReportReview

    /// Keeps a beacon off the missing list, whoever has it.
    ///
    /// - Throws: `notFound` for a beacon that this registry has never known.
    func stopSearch(for beacon: BeaconIdentity, reason: String?, by act: OperatorAct) async throws -> BeaconReview

    /// Given identities that wait for an operator, in the order of their bikes' registration.
    func claims(_ page: PageRequest<BikeID>) async throws -> StoredPage<BeaconClaim, BikeID>

    /// Gives a bike the identity that its owner claims; nothing is left to prove.
    ///
    /// - Throws: `notFound`, `identityTaken`; `invalidFields` where another identity is claimed by now.
    func acceptClaim(_ identity: BeaconIdentity, of bike: BikeID, by act: OperatorAct) async throws -> BeaconClaim

    /// The bike stays pending: a test can still prove its beacon.
    ///
    /// - Throws: `notFound`.
    func refuseClaim(of bike: BikeID, reason: String?, by act: OperatorAct) async throws -> BeaconClaim

    /// - Throws: `notFound`.
    func allowSearch(for beacon: BeaconIdentity, by act: OperatorAct) async throws -> BeaconReview
}
