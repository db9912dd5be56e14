public import HTTPClient
public import RegistryAPI

/// The reason why a request to the registry failed.
public enum RegistryError: Error, Sendable {
    /// The registry refused the request and gave the reason.
    case refused(ProblemDetails, retryAfter: Duration?)
    /// The response has this status, and is not from the registry, but for instance a proxy's page.
    case unexpectedStatus(Int, retryAfter: Duration?)
    /// The registry could not be reached.
    case unreachable(HTTPError)
    /// A request for a change was sent, but no response arrived: the registry may have made the change.
    case unanswered(HTTPError)
    /// The response redirects to this address of another origin, which must not get the token.
    case redirectRefused(String)
    /// The response does not match the contract, for this reason.
    case malformedAnswer(String)
    /// The configured address cannot be that of a registry: the message for people.
    case invalidAddress(String)

    /// Whether the same request may succeed later without intervention.
    public var isTransient: Bool {
        switch self {
        case .refused(let problem, _): Self.isTransient(status: problem.status)
        case .unexpectedStatus(let status, _): Self.isTransient(status: status)
        case .unreachable(let error): !error.isCertificateProblem
        case .unanswered: true
        case .redirectRefused, .malformedAnswer, .invalidAddress: false
        }
    }

    /// The wait that the registry asks for, if any.
    public var retryAfter: Duration? {
        switch self {
        case .refused(_, let delay), .unexpectedStatus(_, let delay): delay
        default: nil
        }
    }

    /// Timeouts, too many requests, and errors of servers (RFC 9110, section 15; RFC 6585).
    private static func isTransient(status: Int) -> Bool {
        status == 408 || status == 429 || status >= 500
    }
}

extension RegistryError: CustomStringConvertible {
    /// One line that includes the remedy.
    public var description: String {
        switch self {
        case .refused(let problem, _):
            let fields = (problem.errors ?? []).map { "\($0.pointer): \($0.detail)" }
            return ([problem.detail] + fields).joined(separator: "; ")
        case .unexpectedStatus(let status, _) where (502...504).contains(status):
            return "the proxy answers, but the registry behind it does not (status \(status))"
        case .unexpectedStatus(let status, _) where Self.isTransient(status: status):
            return "the address answers with status \(status): try again later"
        case .unexpectedStatus(413, _):
            return "a proxy in front of the registry accepts no request of this size: send a smaller one, or ask the "
                + "registry’s operator to raise the proxy’s limit (client_max_body_size of nginx)"
        case .unexpectedStatus(let status, _):
            return "the address answers with status \(status), unlike a FindMyBike registry: check the URL"
        case .unreachable(let error) where error.isCertificateProblem:
            return "the registry’s certificate cannot be trusted: \(error). Check the URL and this machine’s clock"
        case .unreachable(let error):
            return "the registry cannot be reached: \(error.plainWords)"
        case .unanswered(let error):
            return "the request was sent, but no response arrived (\(error)): the change may have been made. "
                + "Check before you repeat it"
        case .redirectRefused(let url):
            return "the registry redirects to \(url): if that is correct, set this URL"
        case .malformedAnswer(let detail):
            return "the registry’s response could not be read (\(detail)): update this program or check the URL"
        case .invalidAddress(let detail):
            return detail
        }
    }
}

extension DecodingError {
    /// The failure in words for people, without Swift's.
    var plainWords: String {
        switch self {
        case .keyNotFound(let key, let context): "‘\(Self.path(context.codingPath + [key]))’ is missing"
        case .valueNotFound(_, let context): "‘\(Self.path(context.codingPath))’ is null"
        case .typeMismatch(_, let context) where !context.codingPath.isEmpty,
            .dataCorrupted(let context) where !context.codingPath.isEmpty:
            "‘\(Self.path(context.codingPath))’ has an unexpected value"
        default: "it is not in the expected format"
        }
    }

    /// The keys that lead to a value, with dots between them.
    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
