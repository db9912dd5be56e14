extension InvitationDraft {
    /// The rule for `POST /v1/invitations`.
    public static var rule: FieldRule<InvitationDraft> {
        .object("an object with name and place") { fields in
            let name = fields.required("name", .text(1...64))
            let venue = fields.optional("venue", .text(1...64))
            let mobile = fields.optional("mobile", .boolean)
            let place = fields.required("place", .place)
            guard let name, let place else { return nil }
            return InvitationDraft(name: name, venue: venue, mobile: mobile, place: place)
        }
    }
}

extension EnrolmentRequest {
    /// The rule for `POST /v1/station/enrolment`.
    public static var rule: FieldRule<EnrolmentRequest> {
        .object("an object with code") { fields in
            fields.required("code", .text(1...64)).map(EnrolmentRequest.init(code:))
        }
    }
}

extension StationPatch {
    /// How long ago a move may have happened.
    public static let earliestMove = Duration.seconds(30 * 86_400)
    /// How far ahead of the registry's clock an operator's may be.
    public static let clockTolerance = Duration.seconds(300)

    /// The rule for `PATCH /v1/stations/{id}`.
    public static func rule(now: Timestamp) -> FieldRule<StationPatch> {
        .object("an object with what is to change") { fields in
            let patch = StationPatch(
                name: fields.optional("name", .text(1...64)), venue: fields.optional("venue", .text(1...64)),
                place: fields.optional("place", .place), since: fields.optional("since", .timestamp)
            )
            if let since = patch.since {
                if patch.place == nil { fields.refuse("since", "belongs to a move; add the new place") }
                if since < now.advanced(by: .zero - earliestMove) {
                    fields.refuse("since", "must be at most 30 days ago")
                }
                if since > now.advanced(by: clockTolerance) {
                    fields.refuse("since", "must not be in the future; leave it out for now")
                }
            }
            return patch
        }
    }
}

extension StationHeartbeat {
    /// The rule for `PUT /v1/station/heartbeat`.
    public static var rule: FieldRule<StationHeartbeat> {
        .object("an object with version and adapters") { fields in
            let version = fields.required("version", .text(1...64))
            let adapters = fields.required(
                "adapters", .array(of: .adapter, count: 0...16, "a list of at most 16 adapters"))
            let listVersion = fields.optional("listVersion", FieldRule<Int64>.integer(0...1 << 53))
            guard let version, let adapters else { return nil }
            return StationHeartbeat(
                version: version, adapters: adapters, listVersion: listVersion.map { UInt64(clamping: $0) }
            )
        }
    }
}

extension FieldRule where Value == StationHeartbeat.AdapterHealth {
    fileprivate static var adapter: FieldRule {
        object("an object with name and state") { fields in
            let name = fields.required("name", .text(1...32))
            let state = fields.required("state", .text(1...32))
            let silentSeconds = fields.optional("silentSeconds", FieldRule<Int>.integer(0...1 << 53))
            let reports = fields.optional("reports", FieldRule<Int>.integer(0...1 << 53))
            let dropped = fields.optional("dropped", FieldRule<Int>.integer(0...1 << 53))
            let lastError = fields.optional("lastError", .text(0...200))
            guard let name, let state else { return nil }
            return Value(
                name: name, state: state, silentSeconds: silentSeconds, reports: reports ?? 0, dropped: dropped ?? 0,
                lastError: lastError
            )
        }
    }
}
