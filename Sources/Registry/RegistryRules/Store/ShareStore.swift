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
