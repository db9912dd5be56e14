/// An owner of bikes: no name, no address, only what it registers.
public struct Owner: Codable, Hashable, Sendable {
    public var id: OwnerID
    public var created: Timestamp

    public init(id: OwnerID, created: Timestamp) {
        self.id = id
        self.created = created
    }
}

/// Answer to `POST /v1/owners`. The token is shown this once.
public struct OwnerCreated: Codable, Hashable, Sendable {
    public var owner: Owner
    public var token: String

    public init(owner: Owner, token: String) {
        self.owner = owner
        self.token = token
    }
}
