import Beacons

extension FieldRule where Value == Bool {
    static var boolean: FieldRule {
        value("true or false", .type("boolean")) { if case .bool(let value) = $0 { value } else { nil } }
    }
}

extension FieldRule where Value == Int64 {
    /// A whole number; `5.0` counts as one.
    static func integer(_ range: ClosedRange<Int64>) -> FieldRule {
        value("a whole number from \(range.lowerBound) to \(range.upperBound)", .integer(range)) { value in
            let integer: Int64? =
                switch value {
                case .integer(let integer): integer
                case .number(let double): Int64(exactly: double)
                default: nil
                }
            return integer.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Any number, as the nearest whole one of the range.
    static func clamped(_ range: ClosedRange<Int64>) -> FieldRule {
        value("a whole number from \(range.lowerBound) to \(range.upperBound)", .integer(range)) { value in
            switch value {
            case .integer(let integer): return min(max(integer, range.lowerBound), range.upperBound)
            case .number(let double):
                if double >= Double(range.upperBound) { return range.upperBound }
                // Not a number is neither below nor above anything.
                return double > Double(range.lowerBound) ? Int64(exactly: double.rounded()) : range.lowerBound
            default: return nil
            }
        }
    }
}

extension FieldRule where Value == Int {
    static func integer(_ range: ClosedRange<Int>) -> FieldRule {
        FieldRule<Int64>.integer(Int64(range.lowerBound)...Int64(range.upperBound)).map(Int.init)
    }
}

extension FieldRule where Value == UInt16 {
    static var sixteenBit: FieldRule { FieldRule<Int64>.integer(0...0xFFFF).map { UInt16(clamping: $0) } }
}

extension FieldRule where Value == Double {
    static func number(_ range: ClosedRange<Int>, _ unit: String) -> FieldRule {
        value("a number from \(range.lowerBound) to \(range.upperBound) (\(unit))", .number(range)) { value in
            let double: Double? =
                switch value {
                case .integer(let integer): Double(integer)
                case .number(let double): double
                default: nil
                }
            return double.flatMap { (Double(range.lowerBound)...Double(range.upperBound)).contains($0) ? $0 : nil }
        }
    }
}

extension FieldRule where Value == Timestamp {
    static var timestamp: FieldRule {
        value("a time as in 2026-11-21T06:13:05Z (RFC 3339)", .dateTime) { value in
            guard case .string(let text) = value else { return nil }
            return Timestamp(text)
        }
    }
}

extension FieldRule where Value == ProximityUUID {
    static var proximityUUID: FieldRule {
        value("a UUID of 32 hexadecimal digits, plain or grouped 8-4-4-4-12", .proximityUUID) { value in
            guard case .string(let text) = value else { return nil }
            return ProximityUUID(text)
        }
    }
}

extension FieldRule where Value == BeaconIdentity {
    static var identity: FieldRule {
        object("an object of uuid, major and minor") { fields in
            let uuid = fields.required("uuid", .proximityUUID)
            let major = fields.required("major", .sixteenBit)
            let minor = fields.required("minor", .sixteenBit)
            guard let uuid, let major, let minor else { return nil }
            return BeaconIdentity(uuid: uuid, major: major, minor: minor)
        }
    }
}

extension FieldRule {
    /// An identifier as the registry or a station made it.
    static func id<Resource>() -> FieldRule where Value == ResourceID<Resource> {
        value("an identifier as in 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203 (UUID)", .uuid) { value in
            guard case .string(let text) = value else { return nil }
            return ResourceID(text)
        }
    }

    func map<Result>(_ transform: @escaping (Value) -> Result) -> FieldRule<Result> {
        FieldRule<Result>(expectation, schema: schema(unknownFields:)) { value, pointer, collector in
            read(value, pointer, collector).map(transform)
        }
    }
}

extension FieldRule where Value: RawRepresentable<String> & CaseIterable {
    /// One of the values of a closed list, which the error names.
    static var choice: FieldRule { choice(of: Array(Value.allCases)) }

    static func choice(of values: [Value]) -> FieldRule {
        let names = values.map(\.rawValue)
        return value("one of \(names.joined(separator: ", "))", .choice(names)) { value in
            guard case .string(let text) = value else { return nil }
            // Bytes: text compared as text is brought into its normal form first, at a cost that grows with its square.
            return values.first { $0.rawValue.utf8.elementsEqual(text.utf8) }
        }
    }
}
