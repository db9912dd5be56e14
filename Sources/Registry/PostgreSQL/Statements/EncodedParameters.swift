import CPostgreSQL

/// A value for a placeholder (`$1`, `$2` …). The server infers the type of each placeholder from the statement, and the
/// value is converted to it: an integer to any number, boolean or text, a text to anything but bytes.
package enum Parameter: Sendable, Hashable {
    case null
    case integer(Int64)
    case double(Double)
    case text(String)
    case bytes([UInt8])
    case integers([Int64?])
    case doubles([Double?])
    case texts([String?])
    case blobs([[UInt8]?])
}

/// A statement with its parameters, for a pipeline.
package struct Statement: Sendable {
    package let sql: String
    package let parameters: [Parameter]

    package init(_ sql: String, _ parameters: [Parameter] = []) {
        self.sql = sql
        self.parameters = parameters
    }
}

/// The parameters of a statement in the forms that the server reads
/// (https://www.postgresql.org/docs/15/protocol-message-formats.html, `Bind`).
struct EncodedParameters {
    /// Where a value is in ``bytes``; nil for NULL.
    private var ranges: [Range<Int>?] = []
    /// Whether each value is a text or binary.
    private var formats: [CInt] = []
    /// All values, one after the other.
    private var bytes: [UInt8] = []

    private static let text: CInt = 0
    private static let binary: CInt = 1

    /// - Parameter types: the types that the server has inferred.
    /// - Throws: ``PostgreSQLError`` if a parameter does not fit its type.
    init(_ parameters: [Parameter], types: [Oid]) throws {
        guard parameters.count == types.count else {
            throw PostgreSQLError.invalidParameter(
                "the statement has \(types.count) parameters, but \(parameters.count) are given")
        }
        ranges.reserveCapacity(types.count)
        formats.reserveCapacity(types.count)
        for (index, (parameter, type)) in zip(parameters, types).enumerated() {
            do {
                try append(parameter, type)
            } catch let mismatch as Mismatch {
                throw PostgreSQLError.invalidParameter("parameter $\(index + 1): \(mismatch.reason)")
            }
        }
        // A value that is empty but not NULL also needs an address.
        bytes.append(0)
        // The server’s limit of a message is 1 GB; libpq counts in 32 bits.
        guard bytes.count < 1 << 30 else { throw PostgreSQLError.invalidParameter("the parameters exceed 1 GB") }
    }

    /// A parameter that does not fit its type.
    struct Mismatch: Error {
        let reason: String
    }

    /// Passes the arrays that `PQsendQueryPrepared` takes.
    func withPointers<Result>(
        _ body: (CInt, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<CInt>?, UnsafePointer<CInt>?) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { buffer in
            let start = buffer.bindMemory(to: CChar.self).baseAddress
            let values = ranges.map { range in range.flatMap { range in start.map { $0 + range.lowerBound } } }
            let lengths = ranges.map { CInt($0?.count ?? 0) }
            return body(CInt(ranges.count), values, lengths, formats)
        }
    }

    /// Adds a parameter in the binary form of its type, or as a text if there is none here.
    private mutating func append(_ parameter: Parameter, _ type: Oid) throws {
        let start = bytes.count
        var format = Self.binary
        switch parameter {
        case .null:
            ranges.append(nil)
            formats.append(format)
            return
        case .integer(let integer):
            if try !bytes.append(integer, as: type) {
                format = Self.text
                try refuseArray(type)
                try refuseBytes(type)
                bytes += Array(String(integer).utf8)
            }
        case .double(let double):
            if !bytes.append(double, as: type) {
                format = Self.text
                try refuseArray(type)
                try refuseBytes(type)
                bytes += Array(Self.text(double).utf8)
            }
        case .text(let text):
            // The text form of these types is also their binary form, and any other type reads its text form.
            format = Self.text
            try refuseArray(type)
            try refuseBytes(type)
            try bytes.append(text)
        case .bytes(let value):
            guard type == ServerType.bytes else { throw Mismatch(reason: "the statement expects no bytes") }
            bytes += value
        case .integers(let values):
            try appendArray(values, type) { try $0.append($1, as: $2) }
        case .doubles(let values):
            try appendArray(values, type) { $0.append($1, as: $2) }
        case .texts(let values):
            try appendArray(values, type) { bytes, text, type in
                guard type == ServerType.text || type == ServerType.varyingCharacters else { return false }
                try bytes.append(text)
                return true
            }
        case .blobs(let values):
            try appendArray(values, type) { bytes, value, type in
                guard type == ServerType.bytes else { return false }
                bytes += value
                return true
            }
        }
        ranges.append(start..<bytes.count)
        formats.append(format)
        // libpq looks for the end of a text itself.
        if format == Self.text { bytes.append(0) }
    }

    private func refuseArray(_ type: Oid) throws {
        guard ServerType.element(of: type) == nil else { throw Mismatch(reason: "the statement expects an array") }
    }

    private func refuseBytes(_ type: Oid) throws {
        guard type != ServerType.bytes else { throw Mismatch(reason: "the statement expects bytes") }
    }

    private static func text(_ double: Double) -> String {
        if double.isNaN { return "NaN" }
        return double.isInfinite ? (double < 0 ? "-Infinity" : "Infinity") : String(double)
    }

    /// The binary form of an array (`array_recv` in PostgreSQL’s `arrayfuncs.c`): the number of dimensions, whether an
    /// element is NULL, the elements’ type, length and first index; then the elements, each after its length.
    private mutating func appendArray<Value>(
        _ values: [Value?], _ type: Oid, _ append: (inout [UInt8], Value, Oid) throws -> Bool
    ) throws {
        guard let element = ServerType.element(of: type) else {
            throw Mismatch(reason: "the statement expects no array of a known type (\(type))")
        }
        guard let count = Int32(exactly: values.count) else { throw Mismatch(reason: "the array is too long") }
        bytes.append(bigEndian: Int32(values.isEmpty ? 0 : 1))
        bytes.append(bigEndian: Int32(values.contains { $0 == nil } ? 1 : 0))
        bytes.append(bigEndian: element)
        guard !values.isEmpty else { return }
        bytes.append(bigEndian: count)
        bytes.append(bigEndian: Int32(1))
        for value in values {
            guard let value else {
                bytes.append(bigEndian: Int32(-1))
                continue
            }
            let length = bytes.count
            bytes.append(bigEndian: Int32(0))
            guard try append(&bytes, value, element) else {
                throw Mismatch(reason: "the elements do not fit an array of type \(type)")
            }
            guard let size = Int32(exactly: bytes.count - length - 4) else {
                throw Mismatch(reason: "an element is too long")
            }
            withUnsafeBytes(of: size.bigEndian) { bytes.replaceSubrange(length..<(length + 4), with: $0) }
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    /// Appends the binary form; false if the type has none here.
    fileprivate mutating func append(_ integer: Int64, as type: Oid) throws -> Bool {
        switch type {
        case ServerType.integer8: append(bigEndian: integer)
        case ServerType.integer4: append(bigEndian: try Self.narrow(integer) as Int32)
        case ServerType.integer2: append(bigEndian: try Self.narrow(integer) as Int16)
        case ServerType.object: append(bigEndian: try Self.narrow(integer) as UInt32)
        case ServerType.boolean:
            guard integer == 0 || integer == 1 else { throw EncodedParameters.Mismatch(reason: "a boolean is 0 or 1") }
            append(UInt8(integer))
        default: return append(Double(integer), as: type)
        }
        return true
    }

    fileprivate mutating func append(_ double: Double, as type: Oid) -> Bool {
        switch type {
        case ServerType.double8: append(bigEndian: double.bitPattern)
        case ServerType.double4: append(bigEndian: Float(double).bitPattern)
        default: return false
        }
        return true
    }

    /// PostgreSQL has no U+0000 in texts; libpq would send the part before it.
    fileprivate mutating func append(_ text: String) throws {
        guard !text.utf8.contains(0) else {
            throw EncodedParameters.Mismatch(reason: "the text contains U+0000, which PostgreSQL cannot store")
        }
        append(contentsOf: text.utf8)
    }

    private static func narrow<Narrow: FixedWidthInteger>(_ integer: Int64) throws -> Narrow {
        guard let narrow = Narrow(exactly: integer) else {
            throw EncodedParameters.Mismatch(reason: "the integer does not fit into \(Narrow.bitWidth) bits")
        }
        return narrow
    }
}
