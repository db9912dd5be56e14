import HTTPTypes
import Registry
import RegistryAPI

// The one table from what the domain refuses to how HTTP says it.
extension DomainError {
    var status: HTTPResponse.Status {
        switch self {
        case .unauthenticated: .unauthorized
        case .forbidden, .insufficientScope: .forbidden
        case .notFound: .notFound
        case .invalidFields, .idempotencyKeyReused: .unprocessableContent
        case .identityTaken, .reportAlreadyOpen, .reportAlreadyClosed, .invitationAccepted, .signingKeyMissing:
            .conflict
        case .bikeMissing, .beaconUnproved, .missingRecently, .tokenInUse, .channelUnverified, .channelVerified,
            .lastOperator:
            .conflict
        case .codeUnusable, .recoveryCodeNeeded, .invitationNeeded, .quotaReached, .ownerSuspended, .beaconStopped:
            .forbidden
        case .changedMeanwhile: .preconditionFailed
        case .tooManyMessages, .tooManyToday, .tooManyStreams: .tooManyRequests
        case .identitiesExhausted, .storageUnavailable, .overloaded: .serviceUnavailable
        }
    }

    var problem: ProblemDetails {
        var errors: [FieldError]?
        if case .invalidFields(let fields) = self { errors = fields }
        return ProblemDetails(
            type: ProblemType.uri(name), title: title, status: status.code, detail: detail, errors: errors
        )
    }

    /// Header fields that belong to the status.
    var headers: HTTPFields {
        switch self {
        case .unauthenticated: [.wwwAuthenticate: #"Bearer realm="findmybike""#]
        case .storageUnavailable: [.retryAfter: "10"]
        case .tooManyStreams: [.retryAfter: "60"]
        case .tooManyMessages(let wait), .tooManyToday(_, let wait):
            [.retryAfter: String(max(1, wait.components.seconds))]
        case .overloaded: [.retryAfter: "1"]
        default: [:]
        }
    }
}
