import HTTPClient
import RegistryAPI
import RegistryClient
import StationStatus

extension ReportPause {
    /// The pause that follows a failed report.
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

    /// Whether the same visits may succeed in smaller batches, or individually without the refused one.
    var mayPassInParts: Bool { isOfVisits || self == .registryFailing || self == .brokenOff }

    /// Whether the content of the request is the cause, so that sending it again is useless.
    var isOfVisits: Bool { isOfSize || self == .batchRefused }

    /// Whether the size of the request is the cause.
    var isOfSize: Bool { self == .tooLarge || self == .tooSlow }
}

extension RegistryError {
    /// The status of the response; nil if there was none.
    fileprivate var status: Int? {
        switch self {
        case .refused(let problem, _): problem.status
        case .unexpectedStatus(let status, _): status
        default: nil
        }
    }
}
