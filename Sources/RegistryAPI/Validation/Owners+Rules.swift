extension OwnerDraft {
    /// The rule for `POST /v1/owners`.
    public static var rule: FieldRule<OwnerDraft> {
        .object("an object, which may be empty") { fields in
            OwnerDraft(
                invitation: fields.optional("invitation", .text(1...64)),
                tellsAppearance: fields.optional("tellsAppearance", .boolean)
            )
        }
    }
}

extension TokenDraft {
    /// The rule for `POST /v1/owner/tokens`.
    public static var rule: FieldRule<TokenDraft> {
        .object("an object with name and scope") { fields in
            let name = fields.required("name", .text(1...64))
            let scope = fields.required("scope", FieldRule<TokenScope>.choice)
            guard let name, let scope else { return nil }
            return TokenDraft(name: name, scope: scope)
        }
    }
}

extension RecoveryRequest {
    /// The rule for `POST /v1/recovery`.
    public static var rule: FieldRule<RecoveryRequest> {
        .object("an object with code") { fields in
            let code = fields.required("code", .text(1...64))
            let name = fields.optional("name", .text(1...64))
            return code.map { RecoveryRequest(code: $0, name: name) }
        }
    }
}

extension TransferAcceptance {
    /// The rule for `POST /v1/transfers`.
    public static var rule: FieldRule<TransferAcceptance> {
        .object("an object with code") { fields in
            fields.required("code", .text(1...64)).map(TransferAcceptance.init(code:))
        }
    }
}

extension Find {
    /// The rule for `POST /v1/finds`.
    public static var rule: FieldRule<Find> {
        .object("an object with identity") { fields in
            let identity = fields.required("identity", .identity)
            let message = fields.optional("message", .text(0...500, multiline: true))
            let contact = fields.optional("contact", .text(0...128))
            return identity.map { Find(identity: $0, message: message, contact: contact) }
        }
    }
}
