import HTTPTypes
import Photos
import RegistryAPI
public import RegistryRules
import RegistrySQL
import Syntax

extension DomainError: Refusal {
    var problem: Problem {
        switch self {
        case .unauthenticated:
            Problem(
                .unauthorized, "unauthenticated", "A token is needed",
                "Send a token as ‘Authorization: Bearer …’; a revoked or mistyped token is not accepted.",
                [.wwwAuthenticate: #"Bearer realm="findmybike""#])
        case .forbidden(let needed):
            Problem(
                .forbidden, "forbidden", "This token is for other calls",
                "This call needs the token of \(needed.article) \(needed.rawValue).")
        case .insufficientScope(let needed):
            Problem(
                .forbidden, "insufficient-scope", "This token’s scope is too small",
                "This call needs a token with the scope ‘\(needed.rawValue)’. Use another token, or make one with that scope."
            )
        case .confirmationNeeded:
            Problem(
                .forbidden, "confirmation-needed", "The session must be confirmed",
                "Whoever holds this browser could be a thief. Use your passkey or a recovery code again, with PUT "
                    + "/v1/session/confirmation, and repeat the call within \(SessionState.confirmation.components.seconds / 60) "
                    + "minutes.")
        case .deskConfirmationNeeded:
            Problem(
                .forbidden, "confirmation-needed", "The session must be confirmed",
                "Every change needs your passkey again, or your token if you have no passkey. Send it with POST "
                    + "/v1/desk/session/confirmation, and repeat the call within "
                    + "\(DeskSessionState.confirmation.components.seconds / 60) minutes.")
        case .deskSessionEnded:
            Problem(
                .unauthorized, "session-ended", "You are signed out",
                "This session has ended: its time was over, or it was revoked. Sign in again.",
                [.wwwAuthenticate: #"Bearer realm="findmybike""#, .setCookie: DeskCookie.removing])
        case .sessionEnded:
            Problem(
                .unauthorized, "session-ended", "You are signed out",
                "This session has ended: it expired or was revoked. Sign in again.",
                [.wwwAuthenticate: #"Bearer realm="findmybike""#, .setCookie: SessionCookie.removing])
        case .signInUnavailable:
            Problem(
                .conflict, "sign-in-unavailable", "Nobody can sign in with a browser here",
                "The registry’s operator must set publicURL to the https address of this registry. Until then, use tokens."
            )
        case .passkeyRefused(let reason):
            Problem(.forbidden, "passkey-refused", "This passkey was not accepted", reason.explanation)
        case .passkeyCopied:
            Problem(
                .forbidden, "passkey-copied", "There may be a copy of this passkey",
                "The passkey’s number of uses did not grow. Sign in with a recovery code (operators: with the token), remove the passkey, and add a new one."
            )
        case .passkeyKnown:
            Problem(
                .conflict, "passkey-known", "This passkey is registered already",
                "Sign in with it, or make another one.")
        case .tooManyPasskeys(let most):
            Problem(
                .forbidden, "too-many-passkeys", "No more passkeys are allowed",
                "You have \(most) passkeys, as many as this registry allows. Remove one that you no longer use.")
        case .tokenUnusable:
            Problem(
                .forbidden, "token-unusable", "This token does not work",
                "The token is mistyped or revoked, or of another kind. Paste it again, or sign in in another way."
            )
        case .notFound(let resource):
            Problem(
                .notFound, "not-found", "Not found",
                "The \(resource) was not found. Check its identifier and the token that you use.")
        case .invalidFields(let fields):
            Problem(
                .unprocessableContent, "invalid-fields", "Fields are not as the contract says",
                "Correct the fields named in ‘errors’ and send the request again.", errors: fields)
        case .rotationUnavailable:
            Problem(
                .conflict, "rotation-unavailable", "This registry has no rotating beacons",
                "The registry’s operator must set beacons.keyFile to the file with which beacons’ keys are sealed. Until then, use a beacon with a fixed identity."
            )
        case .verificationNeeded:
            Problem(
                .forbidden, "verification-needed", "Only for verified owners",
                "This registry offers rotating beacons only to owners whom its operator has verified. Write to the operator, or use a beacon with a fixed identity."
            )
        case .beaconClockDiffers:
            Problem(
                .conflict, "beacon-clock-differs", "The beacon’s clock differs from the last check",
                "While the bike is missing, such a check is refused, because it could come from an old recording. Check again "
                    + "once the bike is back.")
        case .beaconKeyUnreadable:
            Problem(
                .conflict, "beacon-key-unreadable", "The beacon’s key cannot be read",
                "The registry’s operator must restore the file beacons.keyFile with which the key was sealed. Until then, stations cannot hear this beacon. You can give the bike another one."
            )
        case .beaconNotRotating:
            Problem(
                .conflict, "beacon-not-rotating", "The bike’s beacon does not rotate",
                "Only a rotating beacon has a clock to check. Any other is fine as long as it sends the bike’s identity."
            )
        case .identityTaken:
            Problem(
                .conflict, "identity-taken", "This beacon is taken",
                "Another registration has or had a beacon with this identity: it cannot be given to a second bike.")
        case .identitiesExhausted:
            Problem(
                .serviceUnavailable, "identities-exhausted", "No identities are left",
                "Ask the registry’s operator.")
        case .reportAlreadyOpen(let report):
            Problem(
                .conflict, "report-already-open", "The bike is already reported missing",
                "Report \(report) of this bike is open. Use it, or close it first.")
        case .reportAlreadyClosed(let report):
            Problem(
                .conflict, "report-already-closed", "The report is already closed",
                "Report \(report) is already closed. Open a new report if the bike is missing again.")
        case .codeUnusable:
            Problem(
                .forbidden, "code-unusable", "This code does not work",
                "The code is mistyped, used or expired. Type it again, try another recovery code, or ask for a new code."
            )
        case .recoveryCodeNeeded:
            Problem(
                .forbidden, "recovery-code-needed", "A recovery code is needed",
                "A bike of yours is missing, and a thief may have your token. Send one of your recovery codes in the header "
                    + "field Recovery-Code.")
        case .invitationNeeded:
            Problem(
                .forbidden, "invitation-needed", "An invitation is needed",
                "Ask the registry’s operator for an invitation and send its code as ‘invitation’.")
        case .changedMeanwhile(let resource):
            Problem(
                .preconditionFailed, "changed-meanwhile", "It has changed in the meantime",
                "The \(resource) has changed since you read it. Get it again, and send the new ETag in If-Match.")
        case .bikeMissing(let report):
            Problem(
                .conflict, "bike-missing", "The bike is missing",
                "Report \(report) is open. Close it first.")
        case .beaconUnproved:
            Problem(
                .conflict, "beacon-unproved", "The beacon is not proved to be yours",
                "Set the beacon to the bike’s ‘identity’, begin a test, and take it to a station; or ask the registry’s operator "
                    + "to accept the identity that you gave.")
        case .beaconStopped:
            Problem(
                .forbidden, "beacon-stopped", "The beacon is stopped",
                "The registry’s operator has stopped searches for this beacon. Write to the operator.")
        case .objectionsUsedUp:
            Problem(
                .conflict, "objections-used-up", "No more objections are accepted",
                "Earlier owners of this beacon have objected to this stop. Write to the operator."
            )
        case .missingRecently(let time):
            Problem(
                .conflict, "missing-recently", "The bike was missing lately",
                "Try again after \(time): a bike cannot be transferred within 7 days of being missing.")
        case .tooManyMessages(let wait):
            // The same text for every limit: it must not reveal what others have requested.
            Problem(
                .tooManyRequests, "too-many-messages", "Too many messages",
                "Wait \(wait.rounded(upTo: 60)) minutes: "
                    + "at most \(AttemptLimit.channelMessages.attempts) messages an hour are sent for an owner, and "
                    + "\(AttemptLimit.mailboxQuestions.attempts) verification requests a day to an address.",
                [.retryAfter: "\(wait.rounded(upTo: 1))"])
        case .quotaReached(let quota, let most):
            Problem(
                .forbidden, "quota-reached", "No more are allowed",
                "You have \(most) \(quota.noun), as many as this registry allows. \(quota.remedy), or ask the registry’s operator "
                    + "to allow you more.")
        case .tooManyToday(let use, let wait):
            Problem(
                .tooManyRequests, "too-many-today", "Too many today",
                "\(use.limitation) Wait \(wait.rounded(upTo: 3600)) hours, or ask the registry’s operator to allow you more.",
                [.retryAfter: "\(wait.rounded(upTo: 1))"])
        case .photoUnusable(.tooLong):
            Problem(
                .contentTooLarge, "too-large", "The request is too large", PhotoRefusal.tooLong.description)
        case .photoUnusable(let refusal):
            Problem(
                .unprocessableContent, "photo-unusable", "This photo cannot be used", refusal.description)
        case .photosFull:
            Problem(
                .conflict, "photos-full", "The bike has all its photos",
                "A bike has at most \(PhotoRules.most) photos. Remove one first.")
        case .tooManyUploads(let wait):
            Problem(
                .tooManyRequests, "too-many-uploads", "Too many photos in an hour",
                "Wait \(wait.rounded(upTo: 60)) minutes: \(AttemptLimit.photoUploads.attempts) photos an "
                    + "hour are taken from an owner.",
                [.retryAfter: "\(wait.rounded(upTo: 1))"])
        case .bikeNotMissing:
            Problem(
                .conflict, "bike-not-missing", "The bike is not missing",
                "Only a search can be shared. Report the bike missing first.")
        case .sharesFull:
            Problem(
                .conflict, "shares-full", "The search has all its links",
                "At most \(ShareRules.most) links to a search work at a time. Revoke one first.")
        case .shareInUse(let share):
            Problem(
                .conflict, "share-in-use", "The link is in use",
                "An earlier request with this key made link \(share), which somebody has opened. Use a new key.")
        case .linksUnavailable:
            Problem(
                .conflict, "links-unavailable", "No links can be made here",
                "The registry’s operator must set publicURL to the address of this registry.")
        case .shareUnknown:
            Problem(
                .unauthorized, "share-unknown", "This link does not work",
                "It was revoked, or it was not copied completely. Ask the person who sent it for a new one.",
                [.wwwAuthenticate: #"Bearer realm="share""#])
        case .shareEnded:
            Problem(
                .gone, "share-ended", "This link has ended",
                "It worked for a limited time. Ask the person who sent it for a new one.")
        case .searchOver:
            Problem(
                .gone, "search-over", "The search is over",
                "The owner no longer looks for the bike, so its places are no longer shown.")
        case .displayUnpaired:
            Problem(
                .unauthorized, "display-unpaired", "This display is not connected",
                "It was never connected to a station, or it was disconnected. Ask for a new code: the registry’s operator or "
                    + "‘sudo findmybike venue display’ on the monitor makes one.",
                [.wwwAuthenticate: #"Bearer realm="display""#])
        case .displaysFull:
            Problem(
                .conflict, "displays-full", "The station has all its displays",
                "A station has at most \(DisplayRules.most) displays. Revoke one that is no longer used.")
        case .membership(let refusal): refusal.problem
        case .message(let refusal): refusal.problem
        case .ownerSuspended:
            Problem(
                .forbidden, "owner-suspended", "The account is suspended",
                "The registry’s operator has suspended this account: none of its bikes can be searched for. Write to the operator."
            )
        case .lastOperator:
            Problem(
                .conflict, "last-operator", "This is the only operator",
                "Make another operator first. On the server, ‘findmybike-registry operator revoke’ can also revoke it."
            )
        case .channelUnverified:
            Problem(
                .conflict, "channel-unverified", "The address is not verified",
                "Open the link in the message that was sent there, or ask for another one.")
        case .channelVerified:
            Problem(
                .conflict, "channel-verified", "The address is verified already",
                "Alerts go to this address. Send a test message to try it.")
        case .tokenInUse(let token):
            Problem(
                .conflict, "token-in-use", "The token is in use",
                "An earlier request with this key made token \(token), which has been used. Use a new key.")
        case .invitationAccepted(let invitation):
            Problem(
                .conflict, "invitation-accepted", "The invitation has been accepted",
                "A station has enrolled with invitation \(invitation). Make a new invitation for another station.")
        case .idempotencyKeyReused:
            Problem(
                .unprocessableContent, "idempotency-key-reused", "This Idempotency-Key belongs to another call",
                "Use a new key for a new request, and repeat a request only with the same path and body.")
        case .signingKeyMissing:
            Problem(
                .conflict, "signing-key-missing", "The registry has no key to sign with",
                "Ask the registry’s operator to make one (findmybike-registry key create --key-file FILE) and to set evidence.keyFile."
            )
        case .partnerUnreachable(let reason):
            Problem(
                .conflict, "partner-unreachable", "The other registry did not accept",
                "The other registry did not accept: \(reason.dropping(suffix: ".") ?? reason[...]).")
        case .partnersFull:
            Problem(
                .conflict, "partners-full", "Too many partners",
                "A registry has at most \(PartnerRules.mostPartners) partners and open invitations. Remove one that is no longer "
                    + "needed.")
        case .tooManyPartnerVisits(let wait):
            Problem(
                .tooManyRequests, "too-many-partner-visits", "Too many visits",
                "You have sent as many visits as this registry accepts from you in an hour. Send them later.",
                [.retryAfter: "\(wait.rounded(upTo: 1))"])
        case .tooManyStreams(let most):
            Problem(
                .tooManyRequests, "too-many-streams", "Too many live streams",
                "\(most) are open, the maximum. Close one, or get the sightings without a stream.",
                [.retryAfter: "60"])
        case .exportRunning:
            Problem(
                .tooManyRequests, "export-running", "An export is running",
                "Another export of your data is being read. Try again when it has ended.", [.retryAfter: "10"])
        case .storageUnavailable:
            Problem(
                .serviceUnavailable, "storage-unavailable", "The registry cannot store now",
                "If this was a change, check later whether it was stored. The operator finds the reason in the registry’s log.",
                [.retryAfter: "10"])
        case .outcomeUnknown:
            Problem(
                .serviceUnavailable, "outcome-unknown", "The registry does not know whether it stored this",
                "Its database was lost at the last moment. If the request had an ‘Idempotency-Key’, or only repeats a state, "
                    + "send it again; otherwise check first whether it was stored.",
                [.retryAfter: "5"])
        case .overloaded:
            Problem(
                .serviceUnavailable, "overloaded", "The registry is busy",
                "Nothing was changed. Try again after the seconds in ‘Retry-After’.",
                [.retryAfter: "1"])
        }
    }

    /// The explanation for a person: what is wrong and what to do about it.
    public var explanation: String { problem.detail }
}

extension Principal.Kind {
    fileprivate var article: String { [.station, .partner].contains(self) ? "a" : "an" }
}

extension Duration {
    /// The time in whole units of this many seconds, rounded up, at least 1: a client that waits for it never comes too
    /// early.
    func rounded(upTo seconds: Int64) -> Int64 {
        let (full, attoseconds) = components
        let whole = max(1, attoseconds > 0 ? full + 1 : full)
        return (whole - 1) / seconds + 1
    }
}
