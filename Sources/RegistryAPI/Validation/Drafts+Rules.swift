extension BikeDraft {
    /// The rule for `POST /v1/bikes`; the current time bounds the year.
    public static func rule(now: Timestamp) -> FieldRule<BikeDraft> {
        .object("an object with kind, make, model and colours") { fields in
            let kind = fields.required("kind", FieldRule<BikeKind>.choice)
            let make = fields.required("make", .text(1...64))
            let model = fields.required("model", .text(1...64))
            let colours = fields.required("colours", .bikeColours)
            let year = fields.optional("year", .integer(1885...now.year + 1))
            let serial = fields.optional("serial", .text(0...64))
            let vin = fields.optional("vin", .text(0...64))
            let plate = fields.optional("plate", .text(0...64))
            let notes = fields.optional("notes", .text(0...500, multiline: true))
            let upkeep = fields.optional("upkeep", BikeUpkeep.rule)
            let identity = fields.optional("identity", .identity)
            guard let kind, let make, let model, let colours else { return nil }
            return BikeDraft(
                kind: kind, make: make, model: model, colours: colours, year: year, serial: serial, vin: vin,
                plate: plate, notes: notes, upkeep: upkeep, identity: identity
            )
        }
    }
}

extension FieldRule where Value == [BikeColour] {
    static var bikeColours: FieldRule {
        let list = FieldRule.array(of: .choice, count: 1...3, "a list of 1 to 3 colours, the main one first")
        return FieldRule(list.expectation, schema: { list.schema(unknownFields: $0).withUniqueItems }) {
            value, pointer, collector in
            guard let colours = list.read(value, pointer, collector) else { return nil }
            guard Set(colours).count == colours.count else {
                collector.refuse(pointer, "names a colour twice; name each once")
                return nil
            }
            return colours
        }
    }
}

extension MissingReportDraft {
    /// How long ago a bike may have gone missing when its report opens.
    public static let earliestMissingSince = Duration.seconds(30 * 86_400)
    /// How far ahead of the registry's clock an owner's may be.
    public static let clockTolerance = Duration.seconds(300)

    /// The rule for `POST /v1/bikes/{id}/reports`.
    public static func rule(now: Timestamp) -> FieldRule<MissingReportDraft> {
        .object("an object, which may be empty") { fields in
            let missingSince = fields.optional("missingSince", .timestamp)
            if let missingSince, missingSince < now.advanced(by: .zero - earliestMissingSince) {
                fields.refuse("missingSince", "must be at most 30 days ago")
            }
            if let missingSince, missingSince > now.advanced(by: clockTolerance) {
                fields.refuse("missingSince", "must not be in the future; leave it out for now")
            }
            return MissingReportDraft(
                missingSince: missingSince,
                lastPlace: fields.optional("lastPlace", .place),
                policeReference: fields.optional("policeReference", .text(0...64)),
                policeForce: fields.optional("policeForce", .text(0...64)),
                note: fields.optional("note", .text(0...500, multiline: true))
            )
        }
    }
}

extension ReportClosure {
    /// What an owner can say; only the registry closes a report by its age.
    public static let ownersOutcomes = ReportOutcome.allCases.filter { $0 != .expired }

    /// The rule for `POST /v1/bikes/{id}/reports/{rid}/closure`.
    public static var rule: FieldRule<ReportClosure> {
        .object("an object with outcome") { fields in
            let outcome = fields.required("outcome", FieldRule<ReportOutcome>.choice(of: ownersOutcomes))
            let recoverer = fields.optional("recoveredBy", FieldRule<Recoverer>.choice)
            let note = fields.optional("note", .text(0...500, multiline: true))
            if recoverer != nil, outcome != .recovered {
                fields.refuse("recoveredBy", "is for the outcome recovered; leave it out")
            }
            return outcome.map { ReportClosure(outcome: $0, recoveredBy: recoverer, note: note) }
        }
    }
}

extension ChannelDraft {
    /// The rule for `POST /v1/channels`; whether the address may be used is the notifier's to say.
    public static var rule: FieldRule<ChannelDraft> {
        .object("an object with kind and url") { fields in
            let kind = fields.required("kind", FieldRule<ChannelKind>.choice)
            let url = fields.required("url", .text(1...2048))
            let coordinates = fields.optional("coordinates", .boolean)
            let after = fields.optional("after", .integer(Channel.waits))
            let environment = fields.optional("environment", FieldRule<PushEnvironment>.choice)
            let accessToken = fields.optional("accessToken", .text(1...256))
            let keys = fields.optional("keys", .pushKeys)
            guard let kind, let url else { return nil }
            if environment != nil, kind != .apns { fields.refuse("environment", "is for the kind apns; leave it out") }
            if accessToken != nil, kind != .ntfy { fields.refuse("accessToken", "is for the kind ntfy; leave it out") }
            if keys != nil, kind != .webpush { fields.refuse("keys", "is for the kind webpush; leave it out") }
            return ChannelDraft(
                kind: kind, url: url, coordinates: coordinates, after: after, environment: environment,
                accessToken: accessToken, keys: keys
            )
        }
    }
}

extension FieldRule where Value == PushKeys {
    static var pushKeys: FieldRule {
        object("an object of p256dh and auth") { fields in
            let key = fields.required("p256dh", .text(1...128))
            let secret = fields.required("auth", .text(1...64))
            guard let key, let secret else { return nil }
            return PushKeys(p256dh: key, auth: secret)
        }
    }
}

extension FieldRule where Value == Place {
    /// Degrees (WGS 84) and metres.
    static var place: FieldRule {
        object("an object with latitude and longitude") { fields in
            let latitude = fields.required("latitude", .number(Place.latitudes, "degrees, north positive"))
            let longitude = fields.required("longitude", .number(Place.longitudes, "degrees, east positive"))
            let accuracy = fields.optional("accuracy", .number(Place.accuracies, "metres"))
            guard let latitude, let longitude else { return nil }
            return Place(latitude: latitude, longitude: longitude, accuracy: accuracy)
        }
    }
}
