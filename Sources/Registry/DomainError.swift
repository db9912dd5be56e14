public import RegistryAPI

/// Why the registry refuses a call. Which status each one gets is decided at the edge, in one table.
public enum DomainError: Error, Hashable, Sendable {
    /// No token, or one that no principal has.
    case unauthenticated
    /// A principal of another kind than the call is for.
    case forbidden(needed: Principal.Kind)
    /// Nothing of this kind with this identifier, or it belongs to someone else.
    case notFound(String)
    /// Fields that break a rule.
    case invalidFields([FieldError])
    /// The beacon belongs to a bike already, or did once.
    case identityTaken
    /// Every identity of the network region has been issued.
    case identitiesExhausted
    case reportAlreadyOpen(ReportID)
    case reportAlreadyClosed(ReportID)
    /// A one-time code that is unknown, used or expired; which of these is not told.
    case codeUnusable
    /// The call was repeated, but its invitation has been accepted in the meantime.
    case invitationAccepted(InvitationID)
    /// The key of an earlier call came with another content.
    case idempotencyKeyReused
    /// The database cannot store or read now; the reason is for the log, not for the caller.
    case storageUnavailable(String)
    /// More calls wait for the database than it can answer soon.
    case overloaded
}

extension DomainError {
    /// The stable name of the kind of error, the last part of its problem type.
    public var name: String {
        switch self {
        case .unauthenticated: "unauthenticated"
        case .forbidden: "forbidden"
        case .notFound: "not-found"
        case .invalidFields: "invalid-fields"
        case .identityTaken: "identity-taken"
        case .identitiesExhausted: "identities-exhausted"
        case .reportAlreadyOpen: "report-already-open"
        case .reportAlreadyClosed: "report-already-closed"
        case .codeUnusable: "code-unusable"
        case .invitationAccepted: "invitation-accepted"
        case .idempotencyKeyReused: "idempotency-key-reused"
        case .storageUnavailable: "storage-unavailable"
        case .overloaded: "overloaded"
        }
    }

    /// The kind of error in a few words, the same for each occurrence.
    public var title: String {
        switch self {
        case .unauthenticated: "A token is needed"
        case .forbidden: "This token is for other calls"
        case .notFound: "Not found"
        case .invalidFields: "Fields are not as the contract says"
        case .identityTaken: "This beacon is taken"
        case .identitiesExhausted: "No identities are left"
        case .reportAlreadyOpen: "The bike is already reported missing"
        case .reportAlreadyClosed: "The report is already closed"
        case .codeUnusable: "This code does not work"
        case .invitationAccepted: "The invitation has been accepted"
        case .idempotencyKeyReused: "This Idempotency-Key belongs to another call"
        case .storageUnavailable: "The registry cannot store now"
        case .overloaded: "The registry is busy"
        }
    }

    /// What is wrong this time and what to do about it.
    public var detail: String {
        switch self {
        case .unauthenticated:
            "Send the token as ‘Authorization: Bearer …’; a revoked or mistyped one does not count."
        case .forbidden(let needed):
            "This call needs the token of \(needed.article) \(needed.rawValue)."
        case .notFound(let resource):
            "There is no such \(resource). Check the identifier and whose token you use."
        case .invalidFields:
            "Correct the fields named in ‘errors’ and send the request again."
        case .identityTaken:
            "Another registration has or had a beacon with this identity. Give the beacon another identity, or leave "
                + "‘identity’ out and set the beacon to the one that the registry allocates."
        case .identitiesExhausted:
            "Ask the registry’s operator."
        case .reportAlreadyOpen(let report):
            "Report \(report) of this bike is open. Use it, or close it first."
        case .reportAlreadyClosed(let report):
            "Report \(report) was closed before. Open a new report if the bike is missing again."
        case .codeUnusable:
            "The code is mistyped, used or older than 24 hours. Ask the operator for a new invitation."
        case .invitationAccepted(let invitation):
            "A station has enrolled with invitation \(invitation). Make a new invitation for another station."
        case .idempotencyKeyReused:
            "Use a new key for a new request, and repeat a request only with the same path and body."
        case .storageUnavailable:
            "Nothing was changed. Try again later; the operator finds the reason in the registry’s log."
        case .overloaded:
            "Nothing was changed. Try again after the seconds in ‘Retry-After’."
        }
    }
}
