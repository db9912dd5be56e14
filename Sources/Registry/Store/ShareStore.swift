public import RegistryAPI

/// A share to store; its secret is known only by its digest.
public struct NewShare: Sendable {
    public var id: ShareID
    public var digest: SecretDigest
    public var label: String?
    public var created: Timestamp
    public var ends: Timestamp
    /// The token or session with which the owner makes it, and with which it ends; nil if there is none.
    public var token: TokenID?

    public init(
        id: ShareID, digest: SecretDigest, label: String? = nil, created: Timestamp, ends: Timestamp,
        token: TokenID? = nil
    ) {
        self.id = id
        self.digest = digest
        self.label = label
        self.created = created
        self.ends = ends
        self.token = token
    }
}

/// A share that somebody opens, and what they may know.
public struct OpenedShare: Sendable {
    public var id: ShareID
    public var report: ReportID
    public var owner: OwnerID
    public var search: SharedSearch

    public init(id: ShareID, report: ReportID, owner: OwnerID, search: SharedSearch) {
        self.id = id
        self.report = report
        self.owner = owner
        self.search = search
    }
}

/// Links with which anyone who has one can follow a search.
///
/// The reading operations take the secret itself and check it in the transaction that reads, so a share that has ended
/// or was revoked never shows anything. They all throw `shareUnknown` and `shareEnded`; those that show where the bike
/// is also throw `searchOver`.
public protocol ShareStore: Sendable {
    /// Adds a share of the bike's open report, and notifies the owner on all channels. A repeated call gives the first
    /// call's share this secret, since the earlier secret cannot be shown again.
    ///
    /// - Throws: `notFound`, `bikeNotMissing`, `ownerSuspended`, `sharesFull`, `tooManyToday`, `shareInUse`,
    ///   `idempotencyKeyReused`; `unauthenticated` if the token was revoked in the meantime.
    func addShare(_ share: NewShare, on bike: BikeID, by act: OwnerAct, once: IdempotencyKey?) async throws -> Share

    /// A bike's shares that have not been deleted, in the order of their creation.
    ///
    /// - Throws: `notFound`.
    func shares(
        on bike: BikeID, of owner: OwnerID, _ page: PageRequest<ShareID>
    ) async throws -> StoredPage<Share, ShareID>

    /// Revokes a share, and notifies the owner on all channels.
    ///
    /// - Throws: `notFound`.
    func revokeShare(_ id: ShareID, on bike: BikeID, by act: OwnerAct) async throws

    func openShare(_ secret: SecretDigest, at time: Timestamp) async throws -> OpenedShare

    /// The sightings of the shared search in the order in which they were first stored.
    func sharedSightings(
        _ secret: SecretDigest, at time: Timestamp, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<Sighting, Int64>

    /// See ``SightingStore/sightingChanges(of:after:limit:)``.
    func sharedChanges(
        _ secret: SecretDigest, at time: Timestamp, after revision: Int64, limit: Int
    ) async throws -> [SightingChange]

    /// - Throws: also `notFound`.
    func sharedPhoto(_ id: PhotoID, _ secret: SecretDigest, at time: Timestamp) async throws -> StoredPhoto

    /// Adds to the number of times that a share was opened; nothing happens if there is no such share any more.
    func noteViews(_ count: Int, of share: ShareID, at time: Timestamp) async throws
}
