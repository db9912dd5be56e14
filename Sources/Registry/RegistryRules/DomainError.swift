public import Passkeys
public import Photos
public import RegistryAPI

/// The reason why the registry refuses a call. One table at the HTTP edge maps each to a response.
public enum DomainError: Error, Hashable, Sendable {
    /// There is no token, or the token is invalid.
    case unauthenticated
    /// The principal is of a different kind from the one that the call requires.
    case forbidden(needed: Principal.Kind)
    /// The scope of the owner's token is too narrow for the call.
    case insufficientScope(needed: TokenScope)
    /// The session must be confirmed before the call, because the call is dangerous in the wrong hands.
    case confirmationNeeded
    /// The cookie's session is unknown, or it has ended.
    case sessionEnded
    /// The operator's session must be confirmed before it may change anything.
    case deskConfirmationNeeded
    /// The session of the operator's cookie is unknown, or it has ended.
    case deskSessionEnded
    /// The operator has set no public URL for which browsers allow passkeys.
    case signInUnavailable
    case passkeyRefused(PasskeyError)
    /// The passkey's counter did not grow: there may be a copy of it.
    case passkeyCopied
    /// The passkey is registered already.
    case passkeyKnown
    /// The owner or the operator already has the maximum number of passkeys.
    case tooManyPasskeys(Int)
    /// The token is unknown, or not of the kind that can sign in here.
    case tokenUnusable
    /// There is no object of this kind with this identifier, or it belongs to someone else.
    case notFound(String)
    /// Some fields break a rule.
    case invalidFields([FieldError])
    /// The beacon belongs, or once belonged, to a bike.
    case identityTaken
    /// Every identity of the network region has been issued.
    case identitiesExhausted
    case reportAlreadyOpen(ReportID)
    case reportAlreadyClosed(ReportID)
    /// The code is unknown, used or expired; the caller does not learn which.
    case codeUnusable
    /// While a bike is missing, the call needs one of the owner's recovery codes.
    case recoveryCodeNeeded
    /// The registry accepts new owners by invitation only.
    case invitationNeeded
    /// The resource has changed since the caller saw it.
    case changedMeanwhile(String)
    /// The call is not possible while the bike is missing.
    case bikeMissing(ReportID)
    /// The call is not possible before the beacon is proved to be the owner's.
    case beaconUnproved
    /// The operator has created no key file for rotating beacons.
    case rotationUnavailable
    /// The operator offers this only to owners whom an operator has verified.
    case verificationNeeded
    /// The key of the bike's rotating beacon cannot be opened with the operator's key file.
    case beaconKeyUnreadable
    /// A check found another lag than before while the bike is missing.
    case beaconClockDiffers
    /// The call is only for a bike with a rotating beacon.
    case beaconNotRotating
    /// An operator keeps the beacon off the missing list.
    case beaconStopped
    /// Other owners of the beacon have made all objections that a stop can have.
    case objectionsUsedUp
    /// The call is not possible before this time, because the bike was missing recently.
    case missingRecently(until: Timestamp)
    /// No further message to a channel, such as a test, is allowed before this time.
    case tooManyMessages(retryAfter: Duration)
    /// The owner already has the maximum number of these objects.
    case quotaReached(Quota, most: Int)
    /// The owner has done this as often as is allowed in a day.
    case tooManyToday(DailyUse, retryAfter: Duration)
    /// The file cannot become a photo.
    case photoUnusable(PhotoRefusal)
    /// The bike already has ``PhotoRules/most`` photos.
    case photosFull
    /// The owner has sent as many photos as are allowed in an hour.
    case tooManyUploads(retryAfter: Duration)
    /// Only the search for a missing bike can be shared.
    case bikeNotMissing
    /// The bike already has ``ShareRules/most`` links that work.
    case sharesFull
    /// The call was repeated, but its link has been opened in the meantime.
    case shareInUse(ShareID)
    /// The operator has set no public URL for links.
    case linksUnavailable
    /// No share has this secret.
    case shareUnknown
    /// The share has ended.
    case shareEnded
    /// The report of the share is closed, so there is nothing to see.
    case searchOver
    /// The cookie is not that of a paired display, or its display has ended.
    case displayUnpaired
    /// The station already has ``DisplayRules/most`` displays.
    case displaysFull
    /// The call is refused because of the bike's members, or of the caller's role.
    case membership(MembershipRefusal)
    /// A message is not accepted.
    case message(MessageRefusal)
    /// An operator has suspended searches for this owner.
    case ownerSuspended
    /// The registry would have no operator left.
    case lastOperator
    /// The address has not been confirmed as the owner's yet.
    case channelUnverified
    /// The address is already confirmed, or needs no confirmation.
    case channelVerified
    /// The call was repeated, but its token has been used in the meantime.
    case tokenInUse(TokenID)
    /// The call was repeated, but its invitation has been accepted in the meantime.
    case invitationAccepted(InvitationID)
    /// The key of an earlier call was sent with a different request.
    case idempotencyKeyReused
    /// The operator has not created a signing key.
    case signingKeyMissing
    /// The registry at the other address did not accept the partnership, or could not be reached.
    case partnerUnreachable(String)
    /// The registry already has ``PartnerRules/mostPartners`` partners and open invitations.
    case partnersFull
    /// The partner has sent as many visits as its limit allows in an hour.
    case tooManyPartnerVisits(retryAfter: Duration)
    /// The maximum number of live streams, for one owner or for all owners, is already open.
    case tooManyStreams(Int)
    /// Another export of the owner's data is being read.
    case exportRunning
    /// The database cannot be read or written at the moment; the reason is for the log, not for the caller.
    case storageUnavailable(String)
    /// The database was lost while it committed: the change may have been stored or not. The reason is for the log.
    case outcomeUnknown(String)
    /// More calls wait for the database than it can handle soon.
    case overloaded

    /// A refusal of one field.
    ///
    /// - Parameters:
    ///   - pointer: its position, as a JSON pointer into the body; empty for the whole body.
    ///   - detail: the error, as the rest of a sentence that begins with the field's name.
    package static func invalidField(_ pointer: String, _ detail: String) -> DomainError {
        .invalidFields([FieldError(pointer: pointer, detail: detail)])
    }
}
