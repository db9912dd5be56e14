/// What a merge patch (RFC 7396) says of one field.
public enum Change<Value> {
    /// The field is absent: it stays as it is.
    case keep
    /// The field is null.
    case remove
    case set(Value)

    /// The field after the change.
    public func applied(to value: Value?) -> Value? {
        switch self {
        case .keep: value
        case .remove: nil
        case .set(let new): new
        }
    }

    /// Whether the field is named at all.
    public var isChange: Bool { if case .keep = self { false } else { true } }
}

extension Change: Sendable where Value: Sendable {}
extension Change: Equatable where Value: Equatable {}
extension Change: Hashable where Value: Hashable {}

extension KeyedEncodingContainer {
    /// Encodes a change as a merge patch writes it.
    mutating func encode<Value: Encodable>(_ change: Change<Value>, forKey key: Key) throws {
        switch change {
        case .keep: break
        case .remove: try encodeNil(forKey: key)
        case .set(let value): try encode(value, forKey: key)
        }
    }
}
