public import RegistryAPI

/// Why the registry refuses a call. The edge decides in one table how each is answered.
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
