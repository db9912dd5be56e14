public import RegistryAPI

/// A share to store; only the digest of its secret is known.
public struct NewShare: Sendable {
    public var id: ShareID
    public var digest: SecretDigest
    /// What the owner calls the link; nil for nothing.
    public var label: String?
    public var created: Timestamp
    public var ends: Timestamp
    /// The token or session that makes the share; when it ends, the share ends, too. Nil if there is none.
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

/// An opened share, and what its reader may know.
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
