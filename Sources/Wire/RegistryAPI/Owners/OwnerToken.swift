/// The scope of an owner's token; each scope includes the previous ones.
public enum TokenScope: String, Codable, CaseIterable, Hashable, Sendable {
    /// Reads everything, and changes nothing.
    case read
    /// Also opens, changes and closes missing reports, and dismisses or acknowledges sightings.
    case report
    /// Also changes bikes, channels, tokens and the account.
    case manage
}

extension TokenScope: Comparable {
    public static func < (left: TokenScope, right: TokenScope) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .read: 0
        case .report: 1
        case .manage: 2
        }
    }
}

/// Body of `POST /v1/owner/tokens`.
public struct TokenDraft: Codable, Hashable, Sendable {
    /// The device or program that uses the token, 1–64 characters.
    public var name: String
    public var scope: TokenScope

    public init(name: String, scope: TokenScope) {
        self.name = name
        self.scope = scope
    }
}

/// One of an owner's tokens, without its secret.
public struct OwnerToken: Codable, Hashable, Sendable {
    public var id: TokenID
    public var name: String
    public var scope: TokenScope
    public var created: Timestamp
    /// The last use, to the hour; absent if the token has never been used.
    public var lastUsed: Timestamp?

    public init(id: TokenID, name: String, scope: TokenScope, created: Timestamp, lastUsed: Timestamp? = nil) {
        self.id = id
        self.name = name
        self.scope = scope
        self.created = created
        self.lastUsed = lastUsed
    }
}

/// Response to `POST /v1/owner/tokens`. The token is shown only once.
public struct OwnerTokenCreated: Codable, Hashable, Sendable {
    public var details: OwnerToken
    public var token: String

    public init(details: OwnerToken, token: String) {
        self.details = details
        self.token = token
    }
}

extension TokenDraft: WireObject {
    public static let blank = TokenDraft(name: "", scope: .read)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("name", &name, .text(1...64))
        fields.required("scope", &scope, .choice())
    }
}
