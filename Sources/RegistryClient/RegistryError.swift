public import HTTPClient
public import RegistryAPI

/// Why a call to the registry brought no result.
public enum RegistryError: Error, Sendable {
    /// The registry refused and said why.
    case refused(ProblemDetails, retryAfter: Duration?)
    /// An answer that is none of the registry's: a proxy's page, another service.
    case unexpectedStatus(Int, retryAfter: Duration?)
    /// The registry could not be reached.
    case unreachable(HTTPError)
    /// The answer redirects to another host, which would be given the token.
    case redirectRefused(String)
    /// The answer is not what the contract says.
    case malformedAnswer(String)
    /// The address that was configured cannot be a registry's.
    case invalidAddress(String)

    /// Whether the same call may succeed later without anyone's doing.
    public var isTransient: Bool {
        switch self {
        case .refused(let problem, _): Self.isTransient(status: problem.status)
        case .unexpectedStatus(let status, _): Self.isTransient(status: status)
        case .unreachable(let error): !error.isCertificateProblem
        case .redirectRefused, .malformedAnswer, .invalidAddress: false
        }
    }

    /// How long the registry asks to wait, if it does.
    public var retryAfter: Duration? {
        switch self {
        case .refused(_, let delay), .unexpectedStatus(_, let delay): delay
        default: nil
        }
    }

    private static func isTransient(status: Int) -> Bool {
        status == 408 || status == 429 || status >= 500
    }
}

extension RegistryError: CustomStringConvertible {
    /// One line that says what to do.
    public var description: String {
        switch self {
        case .refused(let problem, _):
            let fields = (problem.errors ?? []).map { "\($0.pointer): \($0.detail)" }
            return ([problem.detail] + fields).joined(separator: "; ")
        case .unexpectedStatus(let status, _) where 502...504 ~= status:
            return "the proxy answers, but the registry behind it does not (status \(status))"
        case .unexpectedStatus(let status, _) where Self.isTransient(status: status):
            return "the address answers with status \(status): try again later"
        case .unexpectedStatus(let status, _):
            return "the address answers with status \(status), not as a FindMyBike registry: check its URL"
        case .unreachable(let error) where error.isCertificateProblem:
            return "the registry’s certificate cannot be trusted: \(error). Check the URL and this machine’s clock"
        case .unreachable(let error):
            return "the registry cannot be reached: \(error). Check the URL and the network"
        case .redirectRefused(let url):
            return "the registry redirects to \(url): if that is right, configure this URL"
        case .malformedAnswer(let detail):
            return "the registry’s answer is not understood (\(detail)): update this program or check the URL"
        case .invalidAddress(let detail):
            return detail
        }
    }
}
