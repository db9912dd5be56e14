/// The reason why bytes are not a missing list, or not a delta of the current list. The remedy is always to request the
/// full list.
public enum ListCodingError: Error, Hashable, Sendable {
    /// The bytes are another kind of file, or empty.
    case notAList
    /// The format, kind or hash length is unknown to this program.
    case unknownFormat
    /// The bytes end too early, or there are more bytes after the end.
    case wrongLength
    /// There are more entries than the limit.
    case tooManyEntries(count: Int, limit: Int)
    /// Values are out of order or out of range.
    case malformed
    /// The delta applies to another version than the current one.
    case otherVersion(ListVersion)
    /// The digest of the resulting list differs from the one in the header.
    case digestMismatch
}

extension ListCodingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAList: "this is not a missing list"
        case .unknownFormat: "the list has an unknown format: update this program"
        case .wrongLength: "the list is cut off or too long"
        case .tooManyEntries(let count, let limit):
            "the list has \(count) entries, and at most \(limit) are accepted: if so many bikes are missing, raise "
                + "list.maximumEntries"
        case .malformed: "the list contains invalid values"
        case .otherVersion(let version): "the change is for version \(version) of the list"
        case .digestMismatch: "the list is damaged: its hash does not match"
        }
    }
}
