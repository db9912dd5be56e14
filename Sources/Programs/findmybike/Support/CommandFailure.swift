import BlueZ
import CommandSupport
import DBus
import HCI
import HTTPClient
import Radios
import RegistryAPI
import RegistryClient
import Scanning
import Simulation
import Terminal

extension CommandFailure {
    /// The failure for a command-line error; nil for other errors.
    init?(_ error: any Error) {
        switch error {
        case let error as RegistryError: self.init(Self.status(of: error), Self.text(of: error))
        case let error as CaptureError: self.init(Self.status(of: error), error.description)
        case let error as ScenarioError: self.init(error.isUnreadable ? .noInput : .dataError, error.description)
        case let error as HTTPError: self.init(.unavailable, error.plainWords)
        case let error as BlueZError: self.init(.unavailable, error.description)
        case let error as HCIError: self.init(.unavailable, error.description)
        case let error as RadioChoiceError: self.init(.unavailable, error.description)
        case let error as DBusError: self.init(Self.status(of: error), "\(error); see ‘findmybike doctor’")
        default: return nil
        }
    }

    private static func status(of error: DBusError) -> ExitStatus {
        error.name == DBusErrorName.accessDenied ? .noPermission : .unavailable
    }

    private static func status(of error: CaptureError) -> ExitStatus {
        switch error.reason {
        case .system(.open, _): .noInput
        case .system(.create, _): .cannotCreate
        case .system: .ioError
        case .notRegularFile: .noInput
        case .format: .dataError
        }
    }

    private static func text(of error: RegistryError) -> String {
        switch error {
        case .refused(let problem, let delay): return Refusal(problem, retryAfter: delay).text
        case .unreachable(let reason) where !reason.isCertificateProblem:
            let server = ExecutionEnvironment.current.server.map { " \($0)" } ?? ""
            return TerminalText.line("the registry\(server) cannot be reached: \(reason.plainWords)")
        case .unanswered:
            return "the request was sent, but no response arrived: the change may have been made. Check before you "
                + "repeat it"
        default: return TerminalText.line(error.description)
        }
    }

    private static func status(of error: RegistryError) -> ExitStatus {
        switch error {
        // An invalid field means an invalid argument.
        case .refused(let problem, _) where problem.errors?.isEmpty == false: .usage
        case .refused(let problem, _):
            switch problem.status {
            case 401, 403: .noPermission
            case 408, 429, 500...: .temporaryFailure
            default: .dataError
            }
        case .unreachable, .unanswered: .unavailable
        case .unexpectedStatus where error.isTransient: .temporaryFailure
        case .unexpectedStatus, .redirectRefused, .invalidAddress: .configuration
        case .malformedAnswer: .unavailable
        }
    }
}
