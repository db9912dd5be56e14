private import Beacons
import Syntax

/// The version of one state of the missing list.
///
/// The mark is random. A registry that was restored from a backup reuses numbers, but its versions have other marks:
/// two versions are the same only if both number and mark are equal.
public struct ListVersion: Hashable, Sendable {
    /// The number, which increases with every change.
    public let number: UInt64
    /// The mark: 64 random bits.
    public let mark: UInt64

    public init(number: UInt64, mark: UInt64) {
        self.number = number
        self.mark = mark
    }

    /// Parses exactly the format of ``description``; nil for anything else.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(at: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = UInt64(parts[0]), let mark = UInt64(parts[1], radix: 16) else {
            return nil
        }
        self.init(number: number, mark: mark)
        guard description == text else { return nil }
    }
}

extension ListVersion: CustomStringConvertible {
    /// The number in decimal, a hyphen, and the mark in 16 hexadecimal digits, such as `42-9f86d081884c7d65`.
    public var description: String { "\(number)-\(mark.hexadecimal())" }
}

extension ListVersion: Comparable {
    /// Orders by number, and then by mark, which has no meaning in time.
    public static func < (left: Self, right: Self) -> Bool { (left.number, left.mark) < (right.number, right.mark) }
}
