import Foundation
import RegistryAPI
import RegistryRules
import Testing

@testable import RegistryHTTP
@testable import findmybike

@Suite("Refusals of the registry in plain words")
struct RefusalTests {
    /// The terms of the API between programs.
    private static let foreign = [
        "Bearer", "Authorization", "‘errors’", "If-Match", "ETag", "Idempotency-Key", "header", "Recovery-Code", "JSON",
        "/v1",
        "‘identity’", "‘invitation’", "Retry-After", "Accept", "Content-Type", "‘next’", "null",
    ]

    /// One refusal of each kind.
    private static let errors: [DomainError] = {
        var generator = SystemRandomNumberGenerator()
        let report = ReportID(at: Timestamp(milliseconds: 0), using: &generator)
        return [
            .unauthenticated, .forbidden(needed: .owner), .insufficientScope(needed: .report), .notFound("bike"),
            .identityTaken, .identitiesExhausted, .reportAlreadyOpen(report), .reportAlreadyClosed(report),
            .codeUnusable,
            .recoveryCodeNeeded, .invitationNeeded, .changedMeanwhile("station"), .bikeMissing(report),
            .missingRecently(until: Timestamp(milliseconds: 0)), .beaconUnproved, .beaconStopped,
            .objectionsUsedUp,
            .tooManyMessages(retryAfter: .seconds(300)), .channelUnverified, .channelVerified, .lastOperator,
            .ownerSuspended, .verificationNeeded, .bikeNotMissing, .sharesFull, .shareInUse(ShareID(high: 1, low: 1)),
            .linksUnavailable,
            .displayUnpaired, .displaysFull, .partnersFull, .shareUnknown, .shareEnded, .searchOver, .message(.ended),
            .message(.awaitingAnswer), .message(.full),
            .message(.tooManyToday(retryAfter: .seconds(3600))), .message(.tooManyAnswered),
            .message(.tooManyConversations), .message(.tooManyReports),
            .quotaReached(.bikes, most: 20), .tooManyToday(.tests, retryAfter: .seconds(3600)),
            .tokenInUse(TokenID(high: 1, low: 1)), .invitationAccepted(InvitationID(high: 1, low: 1)),
            .idempotencyKeyReused, .signingKeyMissing, .tooManyStreams(8), .exportRunning, .storageUnavailable("disk"),
            .overloaded,
        ]
    }()

    @Test("no kind of refusal shows API terms on a terminal", arguments: errors)
    func words(error: DomainError) {
        var problem = error.problem.details
        problem.status = 400
        let text = findmybike.Refusal(problem, retryAfter: .seconds(300)).text
        for word in Self.foreign { #expect(!text.contains(word), "\(text)") }
    }

    @Test("a refused field is reported under the name of its option")
    func fields() {
        let fields = [
            FieldError(pointer: "/make", detail: "must be a text"),
            FieldError(pointer: "/policeReference", detail: "must be short"),
            FieldError(pointer: "/colours/3", detail: "must be a colour"),
            FieldError(pointer: "/missingSince", detail: "must not be in the future"),
            FieldError(pointer: "/lastPlace/latitude", detail: "must be -90 to 90"),
            FieldError(
                pointer: "/heldUntil", detail: "must be within the next two years; send null to remove it"),
            FieldError(pointer: "", detail: "must be whole\u{1B}[2J"),
        ]
        let problem = ProblemDetails(
            type: "urn:findmybike:problem:invalid-fields", title: "", status: 422,
            detail: "Correct the fields named in ‘errors’ and send the request again.", errors: fields)
        #expect(
            findmybike.Refusal(problem, retryAfter: nil).text
                == "--make must be a text; --police-reference must be short; --colour must be a colour; "
                + "--since must not be in the future; --latitude must be -90 to 90; "
                + "--hold-until must be within the next two years; what was given must be whole␛[2J")
    }

    @Test("an unknown kind is shown in the registry’s words, with unsafe characters removed")
    func unknown() {
        let problem = ProblemDetails(
            type: "urn:x:new", title: "New", status: 409, detail: "Ask\r\u{1B}[2Jthe operator.")
        #expect(findmybike.Refusal(problem, retryAfter: nil).text == "Ask␍␛[2Jthe operator.")
    }
}
