extension AppBikeDraft {
    /// The rule for `POST /bikes?key=…`; that client sends `null` for what it does not know.
    public static var rule: FieldRule<AppBikeDraft> {
        .object("an object with make, model, beaconMinor and missing") { fields in
            let id = fields.optional("id", .text(1...64))
            let make = fields.required("make", .text(1...64))
            let model = fields.required("model", .text(1...64))
            let minor = fields.required("beaconMinor", FieldRule<Int64>.integer(100...0xFFFF))
            let missing = fields.required("missing", .boolean)
            let colour = fields.optional("colour", .text(0...64))
            let deviceToken = fields.optional("deviceToken", .deviceToken)
            guard let make, let model, let minor, let missing else { return nil }
            return AppBikeDraft(
                id: id, make: make, model: model, beaconMinor: UInt16(clamping: minor), missing: missing,
                colour: colour, deviceToken: deviceToken
            )
        }
    }
}

extension AppSighting {
    /// The rule for `POST /sightings?key=…`.
    public static var rule: FieldRule<AppSighting> {
        .object("an object with bikeId, date, latitude and longitude") { fields in
            let bike = fields.required("bikeId", .text(1...64))
            let date = fields.required("date", .timestamp)
            let latitude = fields.required("latitude", .number(-90...90, "degrees, north positive"))
            let longitude = fields.required("longitude", .number(-180...180, "degrees, east positive"))
            guard let bike, let date, let latitude, let longitude else { return nil }
            return AppSighting(bikeId: bike, date: date, latitude: latitude, longitude: longitude)
        }
    }
}

extension FieldRule where Value == String {
    /// A device token of Apple's push service.
    fileprivate static var deviceToken: FieldRule {
        let schema = JSONSchema.type("string", ["pattern": "^[0-9A-Fa-f]{1,200}$"])
        return value("a text of 1 to 200 hexadecimal digits", schema) { value in
            guard case .string(let text) = value, (1...200).contains(text.utf8.count),
                text.allSatisfy({ $0.isASCII && $0.isHexDigit })
            else { return nil }
            return text
        }
    }
}
