import HTTPTypes
import Hummingbird
import Operations
import RegistryAPI
import RegistryRules

/// The calls of displays at venues, and the calls that make and revoke displays.
struct DisplayCalls {
    let operations: RegistryOperations
    let sameOrigin: SameOriginCheck
    let limiter: RateLimiter

    func add(to calls: Calls<OperatorContext>) {
        add(to: calls, "/v1/stations/:station/displays") { try $0.id("station", of: "station") }
    }

    func add(to calls: Calls<StationContext>) {
        add(to: calls, "/v1/station/displays") { $0.station }
    }

    /// The calls that make, rename and revoke displays of a station.
    ///
    /// - Parameter station: the station whose displays a request concerns.
    private func add<Context: PrincipalContext>(
        to calls: Calls<Context>, _ path: String, of station: @escaping @Sendable (Context) throws -> StationID
    ) {
        // An Idempotency-Key has no effect: a new code replaces an unused one.
        calls.post(
            path, "Make a code for a display",
            """
            One screen becomes a display of the station with it, within \
            \(DisplayRules.codeLifetime.components.seconds / 60) minutes. It replaces an earlier code that nobody \
            has used. A station has up to \(DisplayRules.most) displays. An `Idempotency-Key` has no effect.
            """
        )
        .taking(DisplayDraft(name: "Counter"), .optional).refusing(.displaysFull, .notFound("station"))
        .answering(Example.displayCode, "The code, which is shown this once.", status: .created) { request in
            try await operations.createDisplay(
                request.body, of: try station(request.context), by: request.context.principal)
        }

        // All displays on one page, since a station has few.
        calls.get(path, "List a station’s displays")
            .refusing(.notFound("station"))
            .answering(Page<VenueDisplay>(items: [Example.display]), "All of them, in one page.") { request in
                Page(items: try await operations.displays(of: try station(request.context)))
            }

        calls.put(path + "/:display/name", "Rename a display", "The screen does not show the name.")
            .taking(DisplayRename(name: "Counter"))
            .answering(Example.display, "The display with its new name.") { request in
                let display: DisplayID = try request.id("display")
                return try await operations.renameDisplay(
                    display, of: try station(request.context), to: request.body.name, by: request.context.principal)
            }

        calls.delete(
            path + "/:display", "Revoke a display", "Its screen shows within a minute that it has ended."
        )
        .done("It no longer shows anything.") { request in
            let display: DisplayID = try request.id("display")
            try await operations.revokeDisplay(
                display, of: try station(request.context), by: request.context.principal)
        }
    }

    /// Only a page of the registry itself can pair a screen: otherwise another site could connect it to an attacker's
    /// station. An `Idempotency-Key` makes the attempt repeatable if its response is lost.
    func add(to calls: Calls<RegistryContext>) {
        calls.post(
            "/v1/display/pairing", "Connect a screen to a station",
            """
            With a code, which is used up. The screen is connected by a cookie for \
            \(DisplayRules.lifetime.wholeDays) days since its last use. If the screen was another \
            display, that one ends. With an `Idempotency-Key` the attempt can be repeated if its response is lost. \
            Only a page of the registry itself can call this.
            """
        )
        .limited(.codes).fromOwnPages(sameOrigin)
        .taking(DisplayPairing(code: "7KQ2M-XW9TC"))
        .refusing(.codeUnusable).refusing(request: .invalidIdempotencyKey)
        .giving(.created, json: Example.displayView, "What the display shows now.", headers: [.setCookie])
        .responding { request in
            let (view, secret) = try await operations.pairDisplay(
                request.body, attempt: try request.http.idempotencyKey(),
                former: DisplayCookie.secret(in: request.http.headers))
            var response = try Response.json(view, status: .created)
            response.headers[.setCookie] = DisplayCookie.setting(secret)
            return response
        }
    }

    /// The calls of a screen that is connected.
    func add(to calls: Calls<DisplayContext>) {
        calls.get(
            "/v1/display", "Show which missing bikes are here",
            """
            Those that the display’s station heard in the last \
            \(DisplayRules.presence.components.seconds / 60) minutes, whose visits continue, and whose owners agreed \
            to show staff what to look for. Ask again every 15 seconds.
            """
        )
        .giving(.ok, json: Example.displayView, "What the display shows now.", headers: [.setCookie])
        .responding { request in
            let secret = request.context.secret
            let (view, isRenewed) = try await operations.openDisplay(secret.digest)
            var response = try Response.json(view)
            if isRenewed { response.headers[.setCookie] = DisplayCookie.setting(secret.text) }
            return response
        }

        // Each change of an answer is recorded, and the owner may be notified of it. So the displays of a station
        // together can make few changes, and a screen that is paired again gets no new allowance.
        calls.post(
            "/v1/display/visits/:visit/answer", "Answer whether a bike is here",
            """
            It reaches the owner like an answer that the station reports; the latest one applies. Staff can answer \
            until \(DisplayRules.answerable.components.seconds / 3600) hours after the bike was last heard.
            """
        )
        .taking(DisplayAnswer(answer: .seen))
        .done("It is recorded, or was the last answer already.") { request in
            let (visit, display): (VisitID, SecretDigest) = (try request.id("visit"), request.context.secret.digest)
            try limiter.admit(.answers, by: "\(try await operations.station(ofDisplay: display))")
            try await operations.answerVisit(visit, request.body.answer, at: display)
        }
    }
}
