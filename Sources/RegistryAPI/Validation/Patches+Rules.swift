extension BikePatch {
    /// The rule for `PATCH /v1/bikes/{id}`; the current time bounds the year.
    public static func rule(now: Timestamp) -> FieldRule<BikePatch> {
        .object("an object with the fields to change") { fields in
            BikePatch(
                kind: fields.replacement("kind", .choice),
                make: fields.replacement("make", .text(1...64)),
                model: fields.replacement("model", .text(1...64)),
                colours: fields.replacement("colours", .bikeColours),
                year: fields.change("year", .integer(1885...now.year + 1)),
                serial: fields.change("serial", .text(0...64)),
                vin: fields.change("vin", .text(0...64)),
                plate: fields.change("plate", .text(0...64)),
                notes: fields.change("notes", .text(0...500, multiline: true)),
                upkeep: fields.change("upkeep", BikeUpkeepPatch.rule)
            )
        }
    }
}

extension OwnerPatch {
    /// The rule for `PATCH /v1/owner`.
    public static var rule: FieldRule<OwnerPatch> {
        .object("an object with the fields to change") { fields in
            OwnerPatch(
                tellsAppearance: fields.replacement("tellsAppearance", .boolean),
                language: fields.replacement("language", .choice), zone: fields.change("zone", .text(1...64)),
                quietHours: fields.change("quietHours", .quietHours)
            )
        }
    }
}

extension MissingReportPatch {
    /// How far ahead a report can be held for a case.
    public static let longestHold = Duration.seconds(2 * 365 * 86_400)

    /// The rule for `PATCH /v1/bikes/{id}/reports/{rid}`.
    public static func rule(now: Timestamp) -> FieldRule<MissingReportPatch> {
        .object("an object with the fields to change") { fields in
            let heldUntil = fields.change("heldUntil", .timestamp)
            if case .set(let time) = heldUntil, !(now...now.advanced(by: longestHold)).contains(time) {
                fields.refuse("heldUntil", "must lie ahead, at most two years; send null to hold it no longer")
            }
            return MissingReportPatch(
                lastPlace: fields.change("lastPlace", .place),
                policeReference: fields.change("policeReference", .text(0...64)),
                policeForce: fields.change("policeForce", .text(0...64)),
                note: fields.change("note", .text(0...500, multiline: true)),
                heldUntil: heldUntil
            )
        }
    }
}

extension BeaconChange {
    /// The rule for `POST /v1/bikes/{id}/beacon`.
    public static var rule: FieldRule<BeaconChange> {
        .object("an object, which may be empty") { fields in
            let other = fields.optional("exchangedWith", FieldRule<BikeID>.id())
            let identity = fields.optional("identity", .identity)
            if other != nil, identity != nil {
                fields.refuse("identity", "cannot be given together with exchangedWith; leave one of them out")
            }
            return BeaconChange(exchangedWith: other, identity: identity)
        }
    }
}
