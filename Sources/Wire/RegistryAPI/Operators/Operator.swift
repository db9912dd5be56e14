/// An operator of the registry, as other operators see it.
public struct Operator: Codable, Hashable, Sendable {
    public var id: OperatorID
    public var name: String
    public var created: Timestamp
    /// The time when the operator's token was revoked; absent while the token is valid.
    public var revoked: Timestamp?

    public init(id: OperatorID, name: String, created: Timestamp, revoked: Timestamp? = nil) {
        self.id = id
        self.name = name
        self.created = created
        self.revoked = revoked
    }
}

/// Body of `POST /v1/operators`.
public struct OperatorDraft: Codable, Hashable, Sendable {
    /// The operator's name, 1–64 characters.
    public var name: String

    public init(name: String) { self.name = name }
}

/// Response to `POST /v1/operators`. The token is shown only once.
public struct OperatorCreated: Codable, Hashable, Sendable {
    public var details: Operator
    public var token: String

    public init(details: Operator, token: String) {
        self.details = details
        self.token = token
    }
}

extension OperatorDraft: WireObject {
    public static let blank = OperatorDraft(name: "")

    public mutating func describe(_ fields: inout some FieldCoder) { fields.required("name", &name, .text(1...64)) }
}
