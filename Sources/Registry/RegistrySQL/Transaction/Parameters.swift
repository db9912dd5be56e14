package import Beacons
package import Evidence
package import Foundation
package import RegistryAPI

/// The values of a statement's parameters, in order; of a set of rows, row by row.
///
/// All of them are in two flat buffers: no value needs a separate object, and SQLite reads texts and blobs in place.
package struct Parameters: ExpressibleByArrayLiteral {
    /// One value.
    package enum Value {
        case null
        case integer(Int64)
        case double(Double)
        /// The place of a text in UTF-8 in ``Parameters/bytes``.
        case text(Range<Int>)
        /// The place of a blob in ``Parameters/bytes``.
        case blob(Range<Int>)
    }

    /// The values, in the order of the statement’s parameters.
    package private(set) var values: [Value] = []
    /// The bytes of all texts and blobs, one after the other.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package init(_ values: some Sequence<some Bindable>) { for value in values { value.bind(to: &self) } }

    package init(_ values: [(any Bindable)?]) {
        for value in values { if let value { value.bind(to: &self) } else { bindNull() } }
    }

    package init(arrayLiteral values: (any Bindable)?...) { self.init(values) }

    /// Makes room for rows, so that the buffers do not grow again and again.
    ///
    /// - Parameters:
    ///   - columns: the number of values in a row.
    ///   - bytes: about how many bytes the texts and blobs of a row have.
    mutating func reserve(rows: Int, columns: Int, bytes: Int) {
        values.reserveCapacity(rows * columns)
        self.bytes.reserveCapacity(rows * bytes)
    }

    /// Adds values of different types, such as those of a row.
    mutating func append<each Element: Bindable>(_ value: repeat each Element) {
        repeat (each value).bind(to: &self)
    }

    mutating func bindNull() { values.append(.null) }
    mutating func bind(_ integer: Int64) { values.append(.integer(integer)) }
    mutating func bind(_ double: Double) { values.append(.double(double)) }
    mutating func bind(text: some Collection<UInt8>) { values.append(.text(place(of: text))) }
    mutating func bind(blob: some Collection<UInt8>) { values.append(.blob(place(of: blob))) }

    /// Adds bytes to the buffer, and returns their place in it.
    private mutating func place(of more: some Collection<UInt8>) -> Range<Int> {
        let start = bytes.count
        bytes.append(contentsOf: more)
        return start..<bytes.count
    }
}

/// The value of a parameter, or of several.
package protocol Bindable {
    /// Adds itself after the parameters that are there.
    func bind(to parameters: inout Parameters)
}

extension Parameters: Bindable {
    package func bind(to parameters: inout Parameters) {
        for value in values {
            switch value {
            case .null: parameters.bindNull()
            case .integer(let integer): parameters.bind(integer)
            case .double(let double): parameters.bind(double)
            case .text(let place): parameters.bind(text: bytes[place])
            case .blob(let place): parameters.bind(blob: bytes[place])
            }
        }
    }
}

extension Optional: Bindable where Wrapped: Bindable {
    package func bind(to parameters: inout Parameters) {
        if let self { self.bind(to: &parameters) } else { parameters.bindNull() }
    }
}

extension Int64: Bindable {
    package func bind(to parameters: inout Parameters) { parameters.bind(self) }
}

extension Int: Bindable {
    package func bind(to parameters: inout Parameters) { parameters.bind(Int64(self)) }
}

extension Bool: Bindable {
    package func bind(to parameters: inout Parameters) { parameters.bind((self ? 1 : 0) as Int64) }
}

extension Double: Bindable {
    package func bind(to parameters: inout Parameters) { parameters.bind(self) }
}

extension String: Bindable {
    package func bind(to parameters: inout Parameters) { parameters.bind(text: utf8) }
}

extension Data: Bindable {
    package func bind(to parameters: inout Parameters) { parameters.bind(blob: self) }
}

extension [UInt8]: Bindable {
    package func bind(to parameters: inout Parameters) { parameters.bind(blob: self) }
}

extension HashValue: Bindable {
    package func bind(to parameters: inout Parameters) { parameters.bind(blob: bytes) }
}

extension ResourceID: Bindable {
    package func bind(to parameters: inout Parameters) {
        withUnsafeBytes(of: bytes) { parameters.bind(blob: $0) }
    }
}

extension BeaconIdentity: Bindable {
    package func bind(to parameters: inout Parameters) {
        withUnsafeBytes(of: bytes) { parameters.bind(blob: $0.prefix(20)) }
    }
}
