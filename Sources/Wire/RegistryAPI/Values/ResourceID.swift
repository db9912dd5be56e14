import Beacons

/// The 128-bit identifier of a resource, a UUID of version 7 (RFC 9562, section 5.7): time-ordered, so that stores stay
/// compact, and random enough that it cannot be guessed.
///
/// The type parameter prevents a bike's identifier from being used as a station's.
public struct ResourceID<Resource>: Hashable, Sendable {
    /// The first 64 bits: the time in milliseconds, the version and 12 random bits.
    public let high: UInt64
    /// The last 64 bits: the variant and 62 random bits.
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates an identifier for the given time; 74 bits come from the generator.
    public init(at time: Timestamp, using generator: inout some RandomNumberGenerator) {
        let milliseconds = UInt64(clamping: time.milliseconds) & 0xFFFF_FFFF_FFFF
        self.init(
            high: milliseconds << 16 | 0x7000 | generator.next() & 0x0FFF,
            low: 0x8000_0000_0000_0000 | generator.next() >> 2
        )
    }
}

// The type parameters, which have no values.

public enum OwnerResource {}
public enum BikeResource {}
public enum ReportResource {}
public enum StationResource {}
public enum VisitResource {}
public enum StayResource {}
public enum ChannelResource {}
public enum InvitationResource {}
public enum AlertResource {}
public enum TokenResource {}
public enum OperatorResource {}
public enum PasskeyResource {}
public enum PhotoResource {}
public enum ShareResource {}
public enum MemberResource {}
public enum ConversationResource {}
public enum DisplayResource {}
public enum SafetyRequestResource {}
public enum DeskSessionResource {}
public enum PartnerResource {}

public typealias OwnerID = ResourceID<OwnerResource>
public typealias BikeID = ResourceID<BikeResource>
public typealias ReportID = ResourceID<ReportResource>
public typealias StationID = ResourceID<StationResource>
/// Created by the station; identifies one visit at the station and in the registry.
public typealias VisitID = ResourceID<VisitResource>
/// Created by the station; shared by the visits into which one very long stay is split.
public typealias StayID = ResourceID<StayResource>
public typealias ChannelID = ResourceID<ChannelResource>
public typealias InvitationID = ResourceID<InvitationResource>
public typealias AlertID = ResourceID<AlertResource>
public typealias TokenID = ResourceID<TokenResource>
public typealias OperatorID = ResourceID<OperatorResource>
public typealias PasskeyID = ResourceID<PasskeyResource>
public typealias PhotoID = ResourceID<PhotoResource>
public typealias ShareID = ResourceID<ShareResource>
public typealias MemberID = ResourceID<MemberResource>
public typealias ConversationID = ResourceID<ConversationResource>
public typealias DisplayID = ResourceID<DisplayResource>
public typealias SafetyRequestID = ResourceID<SafetyRequestResource>
public typealias DeskSessionID = ResourceID<DeskSessionResource>
public typealias PartnerID = ResourceID<PartnerResource>

extension ResourceID: CustomStringConvertible, LosslessStringConvertible {
    /// Lower case, grouped 8-4-4-4-12 (RFC 9562, section 4).
    public var description: String {
        String(unsafeUninitializedCapacity: 36) { text in
            write(to: text)
            return 36
        }
    }

    /// The 36 bytes of the description.
    public func appendText(to text: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { buffer in
            write(to: buffer)
            text.append(contentsOf: buffer)
        }
    }

    private func write(to text: UnsafeMutableBufferPointer<UInt8>) {
        UUIDText.write(UInt128(high) << 64 | UInt128(low), uppercase: false, to: text)
    }

    /// Parses 36 characters in either case, grouped 8-4-4-4-12; nil for anything else.
    public init?(_ text: String) { self.init(bits: text.utf8.count == 36 ? UUIDText.value(of: text.utf8) : nil) }

    /// Parses bytes in the same way. They have one type, because the compiler specialises nothing that is generic in the
    /// resource, too.
    init?(ascii text: ArraySlice<UInt8>) { self.init(bits: text.count == 36 ? UUIDText.value(of: text) : nil) }

    private init?(bits: UInt128?) {
        guard let bits else { return nil }
        self.init(high: UInt64(truncatingIfNeeded: bits >> 64), low: UInt64(truncatingIfNeeded: bits))
    }
}

extension ResourceID: Comparable {
    public static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

extension ResourceID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = ResourceID(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "‘\(text)’ is not an identifier")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
