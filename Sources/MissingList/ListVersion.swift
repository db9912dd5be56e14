private import Beacons

/// Names one state of the missing list.
///
/// The mark is drawn with the number, so that a registry that was restored from a backup, and counts numbers again, is
/// not taken for the one before: two versions are the same only if both agree.
public struct ListVersion: Hashable, Sendable {
    /// Grows with every change.
    public let number: UInt64
    /// 64 random bits.
    public let mark: UInt64

    public init(number: UInt64, mark: UInt64) {
        self.number = number
        self.mark = mark
    }

    /// Parses the form that ``description`` prints, and no other.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = UInt64(parts[0]), let mark = UInt64(parts[1], radix: 16) else {
            return nil
        }
        self.init(number: number, mark: mark)
        guard description == text else { return nil }
    }
}

extension ListVersion: CustomStringConvertible {
    /// The number in decimal, a hyphen, and the mark in 16 hexadecimal digits, as in `42-9f86d081884c7d65`.
    public var description: String { "\(number)-\(mark.hexadecimal())" }
}

extension ListVersion: Comparable {
    /// Orders by number.
    public static func < (left: Self, right: Self) -> Bool { (left.number, left.mark) < (right.number, right.mark) }
}
