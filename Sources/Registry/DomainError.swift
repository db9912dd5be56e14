public import RegistryAPI

/// Why the registry refuses a call. Which status each one gets is decided at the edge, in one table.
public enum DomainError: Error, Hashable, Sendable {
    /// No token, or one that no principal has.
    case unauthenticated
    /// A principal of another kind than the call is for.
    case forbidden(needed: Principal.Kind)
    /// The owner's token reaches less far than the call.
    case insufficientScope(needed: TokenScope)
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
    /// A code that is unknown, used or expired; which of these is not told.
    case codeUnusable
    /// While a bike is missing, the call needs one of the owner's recovery codes.
    case recoveryCodeNeeded
    /// The registry takes new owners by invitation only.
    case invitationNeeded
    /// What the caller saw of this resource is no longer so.
    case changedMeanwhile(String)
    /// What cannot be done while the bike is missing.
    case bikeMissing(ReportID)
    /// What cannot be done before the beacon is shown to be the owner's.
    case beaconUnproved
    /// An operator keeps the beacon off the missing list.
    case beaconStopped
    /// What cannot be done before this time, since the bike was missing lately.
    case missingRecently(until: Timestamp)
    /// Another message to a channel, a test for instance, after this time only.
    case tooManyMessages(retryAfter: Duration)
    /// The owner has as many of a thing as it may have.
    case quotaReached(Quota, most: Int)
    /// The owner has done this as often as it may in a day.
    case tooManyToday(DailyUse, retryAfter: Duration)
    /// An operator lets nothing of this owner be searched for.
    case ownerSuspended
    /// The registry would have no operator any more.
    case lastOperator
    /// Nobody has confirmed yet that the address is the owner's.
    case channelUnverified
    /// Nobody needs to be asked whether the address is the owner's.
    case channelVerified
    /// The call was repeated, but its token has been used in the meantime.
    case tokenInUse(TokenID)
    /// The call was repeated, but its invitation has been accepted in the meantime.
    case invitationAccepted(InvitationID)
    /// The key of an earlier call came with another content.
    case idempotencyKeyReused
    /// The operator has made no key to sign with.
    case signingKeyMissing
    /// So many live streams of one owner, or of all, are open already.
    case tooManyStreams(Int)
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
        case .insufficientScope: "insufficient-scope"
        case .notFound: "not-found"
        case .invalidFields: "invalid-fields"
        case .identityTaken: "identity-taken"
        case .identitiesExhausted: "identities-exhausted"
        case .reportAlreadyOpen: "report-already-open"
        case .reportAlreadyClosed: "report-already-closed"
        case .codeUnusable: "code-unusable"
        case .recoveryCodeNeeded: "recovery-code-needed"
        case .invitationNeeded: "invitation-needed"
        case .changedMeanwhile: "changed-meanwhile"
        case .bikeMissing: "bike-missing"
        case .beaconUnproved: "beacon-unproved"
        case .beaconStopped: "beacon-stopped"
        case .missingRecently: "missing-recently"
        case .tooManyMessages: "too-many-messages"
        case .quotaReached: "quota-reached"
        case .tooManyToday: "too-many-today"
        case .ownerSuspended: "owner-suspended"
        case .lastOperator: "last-operator"
        case .channelUnverified: "channel-unverified"
        case .channelVerified: "channel-verified"
        case .tokenInUse: "token-in-use"
        case .invitationAccepted: "invitation-accepted"
        case .idempotencyKeyReused: "idempotency-key-reused"
        case .signingKeyMissing: "signing-key-missing"
        case .tooManyStreams: "too-many-streams"
        case .storageUnavailable: "storage-unavailable"
        case .overloaded: "overloaded"
        }
    }

    /// The kind of error in a few words, the same for each occurrence.
    public var title: String {
        switch self {
        case .unauthenticated: "A token is needed"
        case .forbidden: "This token is for other calls"
        case .insufficientScope: "This token’s scope is too small"
        case .notFound: "Not found"
        case .invalidFields: "Fields are not as the contract says"
        case .identityTaken: "This beacon is taken"
        case .identitiesExhausted: "No identities are left"
        case .reportAlreadyOpen: "The bike is already reported missing"
        case .reportAlreadyClosed: "The report is already closed"
        case .codeUnusable: "This code does not work"
        case .recoveryCodeNeeded: "A recovery code is needed"
        case .invitationNeeded: "An invitation is needed"
        case .changedMeanwhile: "It has changed in the meantime"
        case .bikeMissing: "The bike is missing"
        case .beaconUnproved: "The beacon is not proved to be yours"
        case .beaconStopped: "The beacon is stopped"
        case .missingRecently: "The bike was missing lately"
        case .tooManyMessages: "Too many messages"
        case .quotaReached: "No more are allowed"
        case .tooManyToday: "Too many today"
        case .ownerSuspended: "The account is suspended"
        case .lastOperator: "This is the only operator"
        case .channelUnverified: "The address is not verified"
        case .channelVerified: "The address is verified already"
        case .tokenInUse: "The token is in use"
        case .invitationAccepted: "The invitation has been accepted"
        case .idempotencyKeyReused: "This Idempotency-Key belongs to another call"
        case .signingKeyMissing: "The registry has no key to sign with"
        case .tooManyStreams: "Too many live streams"
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
        case .insufficientScope(let needed):
            "This call needs a token with the scope ‘\(needed.rawValue)’. Use another token, or make one with that scope."
        case .notFound(let resource):
            "There is no such \(resource). Check the identifier and whose token you use."
        case .invalidFields:
            "Correct the fields named in ‘errors’ and send the request again."
        case .identityTaken:
            "Another registration has or had a beacon with this identity: it cannot be given to a second bike."
        case .identitiesExhausted:
            "Ask the registry’s operator."
        case .reportAlreadyOpen(let report):
            "Report \(report) of this bike is open. Use it, or close it first."
        case .reportAlreadyClosed(let report):
            "Report \(report) was closed before. Open a new report if the bike is missing again."
        case .codeUnusable:
            "The code is mistyped, used or expired. Type it again, try another recovery code, or ask for a new code."
        case .recoveryCodeNeeded:
            "A bike of yours is missing, and a thief may have your token. Send one of your recovery codes in the header "
                + "field Recovery-Code."
        case .invitationNeeded:
            "Ask the registry’s operator for an invitation and send its code as ‘invitation’."
        case .changedMeanwhile(let resource):
            "This \(resource) is not as you saw it. Get it again, and send the call with the new ETag in If-Match."
        case .bikeMissing(let report):
            "Report \(report) is open. Close it first."
        case .beaconStopped:
            "The registry’s operator lets nobody search for this beacon. Write to the operator."
        case .missingRecently(let time):
            "Try again after \(time): a bike is not handed over within 7 days of being missing."
        case .beaconUnproved:
            "Set the beacon to the bike’s ‘identity’, begin a test, and take it to a station; or ask the registry’s operator "
                + "to accept the identity that you gave."
        case .tooManyMessages(let wait):
            // The same whichever limit it was: it is not to say what others have asked.
            "Wait \(max(1, wait.components.seconds / 60)) minutes: \(AttemptLimit.channelMessages.attempts) an hour are sent "
                + "for an owner, and \(AttemptLimit.mailboxQuestions.attempts) questions a day to an address."
        case .quotaReached(let quota, let most):
            "You have \(most) \(quota.noun), as many as this registry allows. \(quota.remedy), or ask the registry’s operator "
                + "to allow you more."
        case .tooManyToday(let use, let wait):
            "\(use.limitation) Wait \(max(1, wait.components.seconds / 3600)) hours, or ask the registry’s operator to allow "
                + "you more."
        case .ownerSuspended:
            "The registry’s operator has suspended this account: none of its bikes can be searched for. Write to the operator."
        case .lastOperator:
            "Make another operator first. On the server, ‘findmybike-registry operator revoke’ can end the last one, too."
        case .channelUnverified:
            "Open the link in the message that was sent there, or ask for another one."
        case .channelVerified: "Alerts come there. Use the channel’s test to try it."
        case .tokenInUse(let token):
            "Token \(token) was made by this call before, and has been used. Make another one with a new key."
        case .invitationAccepted(let invitation):
            "A station has enrolled with invitation \(invitation). Make a new invitation for another station."
        case .idempotencyKeyReused:
            "Use a new key for a new request, and repeat a request only with the same path and body."
        case .signingKeyMissing:
            "Ask the registry’s operator to make one (findmybike-registry key create) and to set evidence.keyFile."
        case .tooManyStreams(let most):
            "\(most) are open, as many as may be. Close one, or ask for the sightings without a stream."
        case .storageUnavailable:
            "Nothing was changed. Try again later; the operator finds the reason in the registry’s log."
        case .overloaded:
            "Nothing was changed. Try again after the seconds in ‘Retry-After’."
        }
    }
}
