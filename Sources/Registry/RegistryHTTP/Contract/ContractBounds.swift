import RegistryAPI

/// The bounds of types in responses, taken from the requests that created their values.
enum ContractBounds {
    /// The name of each type in responses, with the schema of a request whose properties of the same names have its
    /// bounds.
    ///
    /// - Parameter now: the time for which bounds that change with time are computed.
    static func schemas(now: Timestamp) -> [(name: String, schema: JSONSchema)] {
        let bike = BikeDraft.rule(now: now).schema(unknownFields: .refused)
        let report = MissingReportDraft.rule(now: now).schema(unknownFields: .refused)
        let invitation = InvitationDraft.rule(now: now).schema(unknownFields: .refused)
        let visit = Visit.schema(now: now)
        return [
            ("Bike", bike), ("BikeAppearance", bike), ("BikeSummary", bike),
            ("BeaconIdentity", bike.property("identity")),
            ("MissingReport", report), ("Place", invitation.property("place")),
            ("Station", invitation), ("StationSummary", invitation),
            ("Sighting", visit), ("SignalStrength", visit.property("rssi")),
        ]
        .map { ($0.0, $0.1.withoutObjects) }
    }
}

extension JSONSchema {
    /// Reads a schema; a value that is not an object gives a schema that accepts anything.
    init(value: JSONValue) {
        guard case .object(let keywords) = value else {
            self.init()
            return
        }
        self.init(keywords)
    }

    /// The schema without the alternative `null`.
    var notNull: JSONSchema {
        guard case .array(let alternatives)? = keywords["anyOf"] else { return self }
        return alternatives.map(JSONSchema.init(value:)).first { $0 != .type("null") } ?? self
    }

    /// The schema of a property; a schema that accepts anything if there is no such property.
    func property(_ name: String) -> JSONSchema {
        guard case .object(let properties)? = keywords["properties"], let property = properties[name] else {
            return JSONSchema()
        }
        return JSONSchema(value: property).notNull
    }

    /// The schema without properties that are objects themselves; those have separate components.
    var withoutObjects: JSONSchema {
        guard case .object(let properties)? = keywords["properties"] else { return self }
        let plain = properties.filter { JSONSchema(value: $0.value).notNull.keywords["type"] != "object" }
        return JSONSchema(keywords.merging(["properties": .object(plain)]) { $1 })
    }
}
