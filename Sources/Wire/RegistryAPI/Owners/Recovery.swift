/// Body of `POST /v1/recovery`. Its response is that of `POST /v1/owner/tokens`.
public struct RecoveryRequest: Codable, Hashable, Sendable {
    public var code: String
    /// The name of the new token, which has the scope `manage`; `recovered` if it is absent.
    public var name: String?

    public init(code: String, name: String? = nil) {
        self.code = code
        self.name = name
    }
}

/// Response to `POST /v1/owner/recovery-codes`. The codes replace all earlier ones, and are shown only once.
public struct RecoveryCodes: Codable, Hashable, Sendable {
    public var recoveryCodes: [String]

    public init(recoveryCodes: [String]) {
        self.recoveryCodes = recoveryCodes
    }
}

/// The header field `Recovery-Code`, which confirms acts that a thief with an owner's token must not be able to
/// perform.
public enum RecoveryCodeField {
    public static let name = "Recovery-Code"
}

extension RecoveryRequest: WireObject {
    public static let blank = RecoveryRequest(code: "")

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("code", &code, .text(1...64))
        fields.optional("name", &name, .text(1...64))
    }
}
