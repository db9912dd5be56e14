/// A test of a bike's beacon: for a short time stations listen for it as for a missing bike's, and the owner learns only
/// that one of them has heard it, and when.
///
/// A beacon that must be proved has a different test (``PendingBeacon``).
public struct BeaconTest: Codable, Hashable, Sendable {
    /// The time until which stations listen for the beacon; absent unless a test is running.
    public var ends: Timestamp?
    /// When a station last heard the beacon in a test, at whatever place; absent if none has.
    public var heard: Timestamp?

    /// How long stations listen, unless one hears the beacon earlier.
    public static let length = PendingBeacon.testLength
    /// The time after a successful test in which the beacon cannot be tested again, even by a new owner. So tests give
    /// away at most four moments a day of a person with a planted beacon, and no place.
    public static let rest = Duration.seconds(6 * 3600)

    public init(ends: Timestamp? = nil, heard: Timestamp? = nil) {
        self.ends = ends
        self.heard = heard
    }

    /// The value; nil if there was no test, or none was successful.
    public var ifAny: BeaconTest? { self == BeaconTest() ? nil : self }

    /// How long the beacon cannot be tested; nil if it can be tested now.
    public func wait(at time: Timestamp) -> Duration? {
        guard let heard else { return nil }
        let wait = time.duration(to: heard.advanced(by: Self.rest))
        return wait > .zero ? wait : nil
    }
}

extension BeaconTest: WireObject, JSONWritable {
    public static let blank = BeaconTest()

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.answered("ends", ends, .timestamp)
        fields.answered("heard", heard, .timestamp)
    }
}
