/// Why bytes are no missing list, or no change of the one at hand. The remedy is always to ask for the full list.
public enum ListCodingError: Error, Hashable, Sendable {
    /// Another kind of file, or an empty one.
    case notAList
    /// A format, kind or length of hash that this program does not know.
    case unknownFormat
    /// The bytes end too early, or go on after the end.
    case wrongLength
    /// More entries than are taken.
    case tooManyEntries(count: Int, limit: Int)
    /// Values out of order or out of range.
    case malformed
    /// A change of another version than the one at hand.
    case otherVersion(ListVersion)
    /// The list that the bytes make is not the one that they announce.
    case digestMismatch
}

extension ListCodingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAList: "this is no missing list"
        case .unknownFormat: "the list is in a format that this program does not know: update it"
        case .wrongLength: "the list is cut off or too long"
        case .tooManyEntries(let count, let limit):
            "the list has \(count) entries and at most \(limit) are taken: if so many bikes are missing, raise "
                + "list.maximumEntries"
        case .malformed: "the list holds values that no list holds"
        case .otherVersion(let version): "the change is for version \(version) of the list"
        case .digestMismatch: "the list is damaged: its hash is not the one that it announces"
        }
    }
}
