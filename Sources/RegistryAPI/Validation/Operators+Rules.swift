extension OperatorDraft {
    /// The rule for `POST /v1/operators`.
    public static var rule: FieldRule<OperatorDraft> {
        .object("an object with name") { fields in
            fields.required("name", .text(1...64)).map(OperatorDraft.init(name:))
        }
    }
}

extension QuotaExceptions {
    /// The rule for `PUT /v1/owners/{id}/quotas`.
    public static var rule: FieldRule<QuotaExceptions> {
        .object("an object of numbers, which may be empty") { fields in
            QuotaExceptions(
                bikes: fields.optional("bikes", .integer(Quotas.range)),
                channels: fields.optional("channels", .integer(Quotas.range)),
                tokens: fields.optional("tokens", .integer(Quotas.range)),
                openReports: fields.optional("openReports", .integer(Quotas.range))
            )
        }
    }
}

extension OperatorReason {
    /// The rule for a reason, which may be left out.
    public static var rule: FieldRule<OperatorReason> {
        .object("an object, which may be empty") { fields in
            OperatorReason(reason: fields.optional("reason", .text(0...500)))
        }
    }
}

extension ClaimAcceptance {
    /// The rule for `PUT /v1/claims/{bike}/acceptance`.
    public static var rule: FieldRule<ClaimAcceptance> {
        .object("an object with identity") { fields in
            fields.required("identity", .identity).map(ClaimAcceptance.init(identity:))
        }
    }
}

extension ReferenceConfirmation {
    /// The rule for `PUT /v1/reports/{id}/confirmation`.
    public static var rule: FieldRule<ReferenceConfirmation> {
        .object("an object with policeReference") { fields in
            fields.required("policeReference", .text(1...64)).map(ReferenceConfirmation.init(policeReference:))
        }
    }
}
