extension DBusMessageReader {
    /// The maximum number of values that one message may decode to, so that a hostile message cannot exhaust memory.
    static let valueLimit = 1 << 20

    /// The current value and all that follow it at this level.
    public mutating func remainingValues() throws(DBusError) -> [DBusValue] {
        var budget = Self.valueLimit
        return try values(&budget)
    }

    /// - Parameter budget: how many more values the message may decode to.
    private mutating func values(_ budget: inout Int) throws(DBusError) -> [DBusValue] {
        var values: [DBusValue] = []
        while type != DBusType.end {
            values.append(try value(&budget))
            next()
        }
        return values
    }

    private func value(_ budget: inout Int) throws(DBusError) -> DBusValue {
        budget -= 1
        guard budget >= 0 else { throw .unexpected("the message holds more than \(Self.valueLimit) values") }
        switch type {
        case DBusType.array: return try array(&budget)
        case DBusType.structure: return .structure(try children(&budget))
        case DBusType.variant:
            guard let value = try children(&budget).first else { throw .unexpected("the message has an empty variant") }
            return .variant(value)
        default: return try plainValue()
        }
    }

    private func children(_ budget: inout Int) throws(DBusError) -> [DBusValue] {
        guard var inner = contents else { return [] }
        return try inner.values(&budget)
    }

    private func array(_ budget: inout Int) throws(DBusError) -> DBusValue {
        switch elementType {
        case DBusType.byte: return .bytes(withBytes { [UInt8]($0) } ?? [])
        case DBusType.entry: return try dictionary(&budget)
        default:
            let element = String((signature ?? "a").dropFirst())
            return .array(of: element, try children(&budget))
        }
    }

    private func dictionary(_ budget: inout Int) throws(DBusError) -> DBusValue {
        // a{sv}: the key is one letter, because it is always a basic type (D-Bus Specification, “Container Types”).
        let types = (signature ?? "").dropFirst(2).dropLast()
        var entries: [DBusValue.Entry] = []
        var inner = contents
        while let pair = try inner?.children(&budget), pair.count == 2 {
            entries.append(DBusValue.Entry(pair[0], pair[1]))
            inner?.next()
        }
        return .dictionary(key: String(types.prefix(1)), value: String(types.dropFirst()), entries)
    }

    private func plainValue() throws(DBusError) -> DBusValue {
        let value: DBusValue? =
            switch type {
            case DBusType.byte: byte.map(DBusValue.byte)
            case DBusType.boolean: boolean.map(DBusValue.boolean)
            case DBusType.int16: int16.map(DBusValue.int16)
            case DBusType.uint16: uint16.map(DBusValue.uint16)
            case DBusType.int32: int32.map(DBusValue.int32)
            case DBusType.uint32: uint32.map(DBusValue.uint32)
            case DBusType.int64: int64.map(DBusValue.int64)
            case DBusType.uint64: uint64.map(DBusValue.uint64)
            case DBusType.double: double.map(DBusValue.double)
            case DBusType.string: text.map(DBusValue.string)
            case DBusType.path: text.map(DBusValue.objectPath)
            case DBusType.signature: text.map(DBusValue.signature)
            default: nil
            }
        guard let value else {
            throw .unexpected("the message holds a value of type ‘\(Unicode.Scalar(type))’, which is not supported")
        }
        return value
    }
}
