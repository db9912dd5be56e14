extension DecodingError {
    /// The failure in words for people, without Swift's.
    var plainWords: String {
        switch self {
        case .keyNotFound(let key, let context): "‘\(Self.path(context.codingPath + [key]))’ is missing"
        case .valueNotFound(_, let context): "‘\(Self.path(context.codingPath))’ is null"
        case .typeMismatch(_, let context) where !context.codingPath.isEmpty,
            .dataCorrupted(let context) where !context.codingPath.isEmpty:
            "‘\(Self.path(context.codingPath))’ has an unexpected value"
        default: "it is not in the expected format"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
