import HTTPClient
import RegistryAPI
import RegistryClient

/// Why nothing is reported at the moment.
public enum ReportPause: String, CaseIterable, Sendable {
    /// The registry does not know the station's token, or no longer (401).
    case tokenRefused
    /// The station may not report: it is revoked or not allowed (403).
    case notAllowed
    /// The request was too large (413); smaller ones follow.
    case tooLarge
    /// The registry asks to come back later (429).
    case slowDown
    /// The registry has a fault (5xx).
    case registryFailing
    case unreachable
    /// The request took too long: smaller ones follow.
    case tooSlow
    /// The connection broke off before the answer.
    case brokenOff
    /// The registry's certificate cannot be trusted.
    case certificate
    /// The registry refuses the request as a whole, for a reason of its own.
    case batchRefused
    /// What answers is no registry: a wrong address, or the page of a hotel's network.
    case notUnderstood
    /// The station's own disk.
    case outboxFailing

    init(_ error: any Error) {
        guard let error = error as? RegistryError else {
            self = .outboxFailing
            return
        }
        switch error.status {
        case 401: self = .tokenRefused
        case 403: self = .notAllowed
        case 413: self = .tooLarge
        case 429: self = .slowDown
        case let status? where status == 408 || status >= 500: self = .registryFailing
        case .some:
            if case .refused = error { self = .batchRefused } else { self = .notUnderstood }
        case nil:
            guard case .unreachable(let cause) = error else {
                self = .notUnderstood
                return
            }
            self =
                switch cause {
                case _ where cause.isCertificateProblem: .certificate
                case _ where cause.isTimeout: .tooSlow
                case _ where cause.isBrokenOff: .brokenOff
                default: .unreachable
                }
        }
    }

    /// Whether the same visits may pass in smaller batches, or one by one past the one that is refused.
    var mayPassInParts: Bool { isOfVisits || self == .registryFailing || self == .brokenOff }

    /// Whether what was sent is the reason, so that there is no point in sending it again.
    var isOfVisits: Bool { isOfSize || self == .batchRefused }

    /// Whether the size of the request is the reason.
    var isOfSize: Bool { self == .tooLarge || self == .tooSlow }
}

extension RegistryError {
    /// The answer's status; nil where there was none.
    fileprivate var status: Int? {
        switch self {
        case .refused(let problem, _): problem.status
        case .unexpectedStatus(let status, _): status
        default: nil
        }
    }
}
