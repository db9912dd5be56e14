import HTTPClient
import RegistryAPI
public import RegistryClient
import Settings

/// The result of calling the registry with the available token.
public enum RegistryState: Hashable, Sendable {
    /// No registry is configured.
    case notConfigured
    /// The settings cannot be read or are invalid, so that none of them is known.
    case invalidSettings(String)
    /// The settings of the registry are invalid.
    case misconfigured(String)
    /// There is no connection to the registry, or no response.
    case unreachable(String)
    /// Its certificate is not trusted.
    case certificate(String)
    /// The response is not from a registry, or the registry has a fault.
    case unusable(String)
    /// The registry responds, but there is no token to test.
    case tokenMissing(String)
    /// The registry refuses the token.
    case tokenRefused(String)
    /// The registry responds and accepts the token.
    case accepted
}

/// The kind of token, which determines the call that tests it.
public enum TokenHolder: Hashable, Sendable {
    case station
    case owner
}

/// A probe of the configured registry.
public struct RegistryProbe: Sendable {
    private let connection: RegistryConnection
    private let holder: TokenHolder
    private let missingToken: String?

    /// - Parameters:
    ///   - connection: a connection with the token, if there is one.
    ///   - missingToken: the reason why there is no token; nil if there is one.
    public init(_ connection: RegistryConnection, as holder: TokenHolder, missingToken: String?) {
        self.connection = connection
        self.holder = holder
        self.missingToken = missingToken
    }

    /// A probe of the registry in the settings.
    ///
    /// - Parameters:
    ///   - missingToken: the reason why there is no token; nil if there is one.
    ///   - authority: the PEM file of the authority of the registry's certificate, if it is not a public one.
    ///   - program: the program name that the registry sees.
    public static func asking(
        _ url: String?, token: String?, missingToken: String?, authority: String?, as holder: TokenHolder,
        program: String
    ) -> @Sendable () async -> RegistryState {
        guard let url else { return { .notConfigured } }
        do {
            let http = HTTPConfiguration(
                timeout: .seconds(10), userAgent: "\(program)/\(ProductVersion.current)",
                certificateAuthorityFile: authority)
            let connection = try RegistryConnection(url: url, token: token, http: try HTTPConnection(http))
            let probe = RegistryProbe(connection, as: holder, missingToken: missingToken)
            return { await probe.ask() }
        } catch {
            return { .misconfigured("\(error)") }
        }
    }

    /// Makes one call that needs a token. Its response is enough: even a refusal proves name, certificate and service.
    public func ask() async -> RegistryState {
        do {
            switch holder {
            case .station: _ = try await connection.missingList()
            case .owner: _ = try await connection.owner()
            }
            return .accepted
        } catch let error as RegistryError {
            return Self.state(of: error, missingToken: missingToken)
        } catch {
            return .unusable("\(error)")
        }
    }

    /// What a failed call says about the registry and the token.
    static func state(of error: RegistryError, missingToken: String?) -> RegistryState {
        switch error {
        case .refused(let problem, _) where problem.status == 401 || problem.status == 403:
            missingToken.map(RegistryState.tokenMissing) ?? .tokenRefused(problem.detail)
        case .unreachable(let reason) where reason.isCertificateProblem: .certificate("\(reason)")
        case .unreachable(let reason), .unanswered(let reason): .unreachable(reason.plainWords)
        case .invalidAddress(let reason): .misconfigured(reason)
        case .refused, .unexpectedStatus, .redirectRefused, .malformedAnswer: .unusable("\(error)")
        }
    }
}
