import HTTPTypes
public import Registry
import RegistryAPI

extension DomainError: Refusal {
    var problem: Problem {
        switch self {
        case .unauthenticated:
            Problem(
                .unauthorized, "unauthenticated", "A token is needed",
                "Send the token as ‘Authorization: Bearer …’; a revoked or mistyped one does not count.",
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
        case .notFound(let resource):
            Problem(
                .notFound, "not-found", "Not found",
                "There is no such \(resource). Check the identifier and whose token you use.")
        case .invalidFields(let fields):
            Problem(
                .unprocessableContent, "invalid-fields", "Fields are not as the contract says",
                "Correct the fields named in ‘errors’ and send the request again.", errors: fields)
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
                "Report \(report) was closed before. Open a new report if the bike is missing again.")
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
                "This \(resource) is not as you saw it. Get it again, and send the call with the new ETag in If-Match.")
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
                "The registry’s operator lets nobody search for this beacon. Write to the operator.")
        case .missingRecently(let time):
            Problem(
                .conflict, "missing-recently", "The bike was missing lately",
                "Try again after \(time): a bike is not handed over within 7 days of being missing.")
        case .tooManyMessages(let wait):
            // The same text for every limit: it must not reveal what others have requested.
            Problem(
                .tooManyRequests, "too-many-messages", "Too many messages",
                "Wait \(max(1, wait.components.seconds / 60)) minutes: \(AttemptLimit.channelMessages.attempts) an hour are sent "
                    + "for an owner, and \(AttemptLimit.mailboxQuestions.attempts) questions a day to an address.",
                [.retryAfter: "\(max(1, wait.components.seconds))"])
        case .quotaReached(let quota, let most):
            Problem(
                .forbidden, "quota-reached", "No more are allowed",
                "You have \(most) \(quota.noun), as many as this registry allows. \(quota.remedy), or ask the registry’s operator "
                    + "to allow you more.")
        case .tooManyToday(let use, let wait):
            Problem(
                .tooManyRequests, "too-many-today", "Too many today",
                "\(use.limitation) Wait \(max(1, wait.components.seconds / 3600)) hours, or ask the registry’s operator to allow "
                    + "you more.",
                [.retryAfter: "\(max(1, wait.components.seconds))"])
        case .ownerSuspended:
            Problem(
                .forbidden, "owner-suspended", "The account is suspended",
                "The registry’s operator has suspended this account: none of its bikes can be searched for. Write to the operator."
            )
        case .lastOperator:
            Problem(
                .conflict, "last-operator", "This is the only operator",
                "Make another operator first. On the server, ‘findmybike-registry operator revoke’ can end the last one, too."
            )
        case .channelUnverified:
            Problem(
                .conflict, "channel-unverified", "The address is not verified",
                "Open the link in the message that was sent there, or ask for another one.")
        case .channelVerified:
            Problem(
                .conflict, "channel-verified", "The address is verified already",
                "Alerts come there. Use the channel’s test to try it.")
        case .tokenInUse(let token):
            Problem(
                .conflict, "token-in-use", "The token is in use",
                "Token \(token) was made by this call before, and has been used. Make another one with a new key.")
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
                "Ask the registry’s operator to make one (findmybike-registry key create) and to set evidence.keyFile.")
        case .tooManyStreams(let most):
            Problem(
                .tooManyRequests, "too-many-streams", "Too many live streams",
                "\(most) are open, as many as may be. Close one, or ask for the sightings without a stream.",
                [.retryAfter: "60"])
        case .storageUnavailable:
            Problem(
                .serviceUnavailable, "storage-unavailable", "The registry cannot store now",
                "Nothing was changed. Try again later; the operator finds the reason in the registry’s log.",
                [.retryAfter: "10"])
        case .overloaded:
            Problem(
                .serviceUnavailable, "overloaded", "The registry is busy",
                "Nothing was changed. Try again after the seconds in ‘Retry-After’.",
                [.retryAfter: "1"])
        }
    }

    /// The explanation for a person: what is wrong this time and what to do about it.
    public var explanation: String { problem.detail }
}

extension Principal.Kind {
    fileprivate var article: String { self == .station ? "a" : "an" }
}

extension DailyUse {
    fileprivate var limitation: String {
        switch self {
        case .identities: "You have registered as many beacons in the last 24 hours as this registry allows."
        case .addresses: "You have set as many channel addresses in the last 24 hours as this registry allows."
        case .reports: "You have reported as many bikes missing in the last 24 hours as this registry allows."
        case .tests: "You have tested beacons as often in the last 24 hours as this registry allows."
        }
    }
}

extension Quota {
    /// The name of the things that there are too many of.
    fileprivate var noun: String {
        switch self {
        case .bikes: "bikes"
        case .channels: "channels"
        case .tokens: "tokens"
        case .openReports: "open missing reports"
        }
    }

    /// The way to make room.
    fileprivate var remedy: String {
        switch self {
        case .bikes: "Erase one that you no longer have"
        case .channels: "Remove one that you no longer need"
        case .tokens: "Revoke one that you no longer use"
        case .openReports: "Close one whose bike is back"
        }
    }
}
