import HTTPTypes
import Registry

/// What a call asks of an operator's session, in one table. Tokens are as before: whoever has the token needs no session.
enum DeskRules {
    /// What an operator must have given within the last minutes.
    enum Proof {
        /// A passkey; the token while the operator has no passkey.
        case confirmation
        /// A passkey or the token. Whoever lost the passkey must be able to replace it.
        case either
    }

    /// The calls whose effect cannot be undone, or that take bikes off the missing list at once, by method and path. A
    /// notice to an owner cannot be taken back, either.
    private static let confirmed: Set<String> = [
        "DELETE /v1/stations/:station",
        // A place in the past stays: sightings are judged by it.
        "PATCH /v1/stations/:station",
        "DELETE /v1/invitations/:invitation",
        "POST /v1/operators", "DELETE /v1/operators/:operator",
        "PUT /v1/owners/:owner/suspension", "PUT /v1/beacons/:identity/stop",
        // The beacon's days of search start again.
        "PUT /v1/reports/:report/confirmation",
        "PUT /v1/claims/:bike/acceptance", "PUT /v1/claims/:bike/refusal",
        "DELETE /v1/reported-conversations/:conversation",
    ]

    private static let either: Set<String> = ["POST /v1/desk/passkeys", "DELETE /v1/desk/passkeys/:passkey"]

    /// The calls that a page repeats without its user. They do not prolong a session: a browser that somebody forgot must
    /// not stay signed in.
    private static let watching: Set<String> = [
        "GET \(OverviewRoutes.overviewPath)", "GET \(OverviewRoutes.mapPath)", "GET \(MapRoutes.tilePath)",
    ]

    /// All calls in the tables; a test compares them with the routes.
    static var all: Set<String> { confirmed.union(either).union(watching) }

    static func proof(for method: HTTPRequest.Method, _ path: String?) -> Proof? {
        guard let path else { return nil }
        let call = name(method, path)
        return confirmed.contains(call) ? .confirmation : either.contains(call) ? .either : nil
    }

    /// A call as the tables name it. The router's patterns have parameters as `{name}`, those of routes as `:name`.
    private static func name(_ method: HTTPRequest.Method, _ path: String) -> String {
        let segments = path.split(separator: "/").map { segment in
            segment.hasPrefix("{") && segment.hasSuffix("}") ? ":" + segment.dropFirst().dropLast() : String(segment)
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
