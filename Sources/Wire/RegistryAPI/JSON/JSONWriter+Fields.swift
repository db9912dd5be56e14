// The fields of a resource, in the order of their names.
extension JSONWriter: FieldCoder {
    /// Writes a resource by its description.
    mutating func object<Value: WireObject>(_ value: Value) {
        var value = value
        let first = fields.count
        open("{")
        value.describe(&self)
        sort(from: first)
        fields.removeLast(fields.count - first)
        close("}")
    }

    /// Sorts members, which were written in the order of their description, by name.
    private mutating func sort(from first: Int) {
        var isSorted = true
        for index in fields.indices.dropFirst(first + 1) {
            var place = index
            while place > first, Self.precedes(fields[place].name, fields[place - 1].name) {
                fields.swapAt(place, place - 1)
                place -= 1
                isSorted = false
            }
        }
        guard !isSorted, let start = fields[first...].lazy.map(\.bytes.lowerBound).min() else { return }
        let written = Array(bytes[start...])
        bytes.removeLast(written.count)
        for field in fields[first...] {
            if bytes.count > start { append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: written[(field.bytes.lowerBound - start)..<(field.bytes.upperBound - start)])
        }
    }

    /// Whether a name comes first in the order of bytes.
    private static func precedes(_ left: StaticString, _ right: StaticString) -> Bool {
        let (leftCount, rightCount) = (left.utf8CodeUnitCount, right.utf8CodeUnitCount)
        for index in 0..<min(leftCount, rightCount) where left.utf8Start[index] != right.utf8Start[index] {
            return left.utf8Start[index] < right.utf8Start[index]
        }
        return leftCount < rightCount
    }

    /// A fixed time, because writing checks no bounds.
    public var now: Timestamp { .specimen }

    public var isSound: Bool { false }

    public mutating func field<Rule: ValueRule>(
        _ name: StaticString, _ value: Rule.Value?, _ rule: Rule, _ presence: FieldPresence
    ) -> Rule.Value? {
        guard let value else { return nil }
        separate()
        let start = bytes.count
        member(name) { rule.write(value, to: &$0) }
        fields.append(Field(name: name, bytes: start..<bytes.count))
        return value
    }

    public mutating func refuse(_ name: StaticString, _ detail: StaticString) {}
}

/// A value that writes itself in the same form as `JSONEncoder` with sorted keys.
public protocol JSONWritable: Encodable {
    func write(to json: inout JSONWriter)
}

extension JSONWritable where Self: WireObject {
    public func write(to json: inout JSONWriter) { json.object(self) }
}
