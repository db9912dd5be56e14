/// A case of an enumeration, or a word that this version does not know, since the monitor may be newer than the program
/// that reads its status.
public struct StatusWord<Case>: RawRepresentable, CodingKeyRepresentable, Codable, Hashable, Sendable
where Case: RawRepresentable<String> {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public init(_ known: Case) {
        rawValue = known.rawValue
    }

    /// The case; nil if this version does not know the word.
    public var known: Case? { Case(rawValue: rawValue) }
}

extension StatusWord: Comparable {
    /// Orders by text.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension StatusWord: CustomStringConvertible {
    public var description: String { rawValue }
}

extension Dictionary {
    /// Counts by case, for a status.
    public init<Case>(counts: [Case: Value]) where Key == StatusWord<Case> {
        self.init(uniqueKeysWithValues: counts.map { (StatusWord($0.key), $0.value) })
    }
}
