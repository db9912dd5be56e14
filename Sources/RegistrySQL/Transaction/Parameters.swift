package import Beacons
package import Evidence
package import Foundation
package import RegistryAPI

/// The values of a statement's parameters, in order.
package struct Parameters: ExpressibleByArrayLiteral {
    package private(set) var values: ArraySlice<(any Bindable)?>

    package init(_ values: ArraySlice<(any Bindable)?>) { self.values = values }

    package init(_ values: [(any Bindable)?]) { self.values = values[...] }

    package init(arrayLiteral elements: (any Bindable)?...) { values = elements[...] }

    mutating func append(_ more: Parameters) { values += more.values }

    package static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.append(right)
        return sum
    }
}

/// A statement that copies its parameters' values; the first parameter is 1.
package protocol ParameterBinder {
    func bind(_ integer: Int64, at index: Int) throws
    func bind(_ double: Double, at index: Int) throws
    func bind(_ text: String, at index: Int) throws
    func bind(blob: UnsafeRawBufferPointer, at index: Int) throws
    /// Only PostgreSQL has arrays.
    func bind(_ array: ParameterArray, at index: Int) throws
}

/// A value that a parameter can take. It is bound in place, without a copy on the heap.
package protocol Bindable {
    func bind(to statement: any ParameterBinder, at index: Int) throws
}

extension Int64: Bindable {
    package func bind(to statement: any ParameterBinder, at index: Int) throws { try statement.bind(self, at: index) }
}

extension Int: Bindable {
    package func bind(to statement: any ParameterBinder, at index: Int) throws {
        try statement.bind(Int64(self), at: index)
    }
}

extension Bool: Bindable {
    package func bind(to statement: any ParameterBinder, at index: Int) throws {
        try statement.bind((self ? 1 : 0) as Int64, at: index)
    }
}

extension Double: Bindable {
    package func bind(to statement: any ParameterBinder, at index: Int) throws { try statement.bind(self, at: index) }
}

extension String: Bindable {
    package func bind(to statement: any ParameterBinder, at index: Int) throws { try statement.bind(self, at: index) }
}

extension Data: Bindable {
    package func bind(to statement: any ParameterBinder, at index: Int) throws {
        try withUnsafeBytes { try statement.bind(blob: $0, at: index) }
    }
}

extension [UInt8]: Bindable {
    package func bind(to statement: any ParameterBinder, at index: Int) throws {
        try withUnsafeBytes { try statement.bind(blob: $0, at: index) }
    }
}

extension HashValue: Bindable {
    package func bind(to statement: any ParameterBinder, at index: Int) throws {
        try bytes.bind(to: statement, at: index)
    }
}

extension ResourceID: Bindable {
    package func bind(to statement: any ParameterBinder, at index: Int) throws {
        try withUnsafeBytes(of: bytes) { try statement.bind(blob: $0, at: index) }
    }
}

extension BeaconIdentity: Bindable {
    package func bind(to statement: any ParameterBinder, at index: Int) throws {
        try withUnsafeBytes(of: bytes) { try statement.bind(blob: .init(rebasing: $0.prefix(20)), at: index) }
    }
}
