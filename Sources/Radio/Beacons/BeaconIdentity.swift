import Syntax

/// The identity of a beacon: proximity UUID, major and minor together.
///
/// It is never the radio address, which may rotate, and never the minor alone.
public struct BeaconIdentity: Hashable, Sendable, Codable {
    public let uuid: ProximityUUID
    public let major: UInt16
    public let minor: UInt16

    public init(uuid: ProximityUUID, major: UInt16, minor: UInt16) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
    }

    /// Parses `UUID:major:minor` with decimal numbers, the format of ``description``.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(at: ":", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let uuid = ProximityUUID(parts[0]),
            let major = Self.number(parts[1]),
            let minor = Self.number(parts[2])
        else { return nil }
        self.init(uuid: uuid, major: major, minor: minor)
    }

    /// Accepts digits only: the standard library's parser also accepts a sign.
    private static func number(_ digits: some StringProtocol) -> UInt16? {
        digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? UInt16(digits) : nil
    }
}

extension BeaconIdentity: CustomStringConvertible {
    public var description: String { "\(uuid):\(major):\(minor)" }
}

extension BeaconIdentity: Comparable {
    /// Orders by the 20 transmitted bytes.
    public static func < (left: Self, right: Self) -> Bool {
        (left.uuid, left.major, left.minor) < (right.uuid, right.major, right.minor)
    }
}
