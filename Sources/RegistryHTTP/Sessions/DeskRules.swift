import HTTPTypes
import Registry
import Syntax

/// What a call needs besides an operator's session. Requests with a token are as before: they need no session.
enum DeskRules {
    /// What an operator must have given within the last minutes.
    enum Proof {
        /// A passkey; the token while the operator has no passkey.
        case confirmation
        /// A passkey or the token. An operator who lost the passkey must be able to replace it.
        case either
    }

    /// The changes that need no fresh proof, by method and path. All others do, so that nobody at an unlocked desk can
    /// make codes, displays or operators that outlive the session.
    private static let free: Set<String> = [
        // This only takes access away.
        "DELETE /v1/desk/sessions/:session",
        // The request contains the proof.
        "POST /v1/desk/session/confirmation",
    ]

    private static let either: Set<String> = ["POST /v1/desk/passkeys", "DELETE /v1/desk/passkeys/:passkey"]

    /// The calls that a page repeats without its user. They do not prolong a session: a browser that somebody forgot must
    /// not stay signed in.
    private static let watching: Set<String> = [
        "GET \(OverviewRoutes.overviewPath)", "GET \(OverviewRoutes.mapPath)", "GET \(MapRoutes.tilePath)",
    ]

    /// All calls in the tables; a test compares them with the routes.
    static var all: Set<String> { free.union(either).union(watching) }

    static func proof(for method: HTTPRequest.Method, _ path: String?) -> Proof? {
        guard method != .get, method != .head else { return nil }
        guard let path else { return .confirmation }
        let call = name(method, path)
        return either.contains(call) ? .either : free.contains(call) ? nil : .confirmation
    }

    /// A call as the tables name it. The router's patterns have parameters as `{name}`, those of routes as `:name`.
    private static func name(_ method: HTTPRequest.Method, _ path: String) -> String {
        let segments = path.split(at: "/").map { segment in
            segment.begins(with: "{") && segment.ends(with: "}")
                ? ":" + segment.dropFirst().dropLast() : String(segment)
        }
        return "\(method.rawValue) /" + segments.joined(separator: "/")
    }

    /// Whether a request counts as a use of the session.
    static func isUse(_ method: HTTPRequest.Method, _ path: String?) -> Bool {
        let method = method == .head ? HTTPRequest.Method.get : method
        return path.map { !watching.contains(name(method, $0)) } ?? true
    }

    /// - Throws: `deskConfirmationNeeded`.
    static func check(
        _ method: HTTPRequest.Method, _ path: String?, _ state: DeskSessionState, at clock: WallClock
    ) throws(DomainError) {
        let until =
            switch proof(for: method, path) {
            case .confirmation: state.confirmedUntil(at: clock.now)
            case .either: state.provedUntil(at: clock.now)
            case nil: state.ends
            }
        guard until != nil else { throw .deskConfirmationNeeded }
    }

    /// The additional refusals of an operator's call, for the contract.
    static func refusals(_ route: Route) -> [any Refusal] {
        guard route.access == .operator else { return [] }
        let session: [any Refusal] = [DomainError.deskSessionEnded, RequestError.crossSite]
        return session + (proof(for: route.method, route.path) == nil ? [] : [DomainError.deskConfirmationNeeded])
    }
}
