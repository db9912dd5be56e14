/// What a station heard in one quarter of an hour of UTC.
///
/// All numbers are within their ranges: a number outside its range becomes the nearest one within it.
public struct CoverageQuarter: Hashable, Sendable {
    /// A quarter of an hour.
    public static let length = Duration.seconds(900)
    /// The number of quarters in a day.
    public static let perDay = 96

    // The permitted values of the fields.
    static let listenedRange = 0...900
    static let countRange = 0...1 << 53
    static let deviceRange = 0...65_535
    static let restartRange = 0...65_535
    static let listAgeRange = 0...1 << 31

    /// The start, a multiple of 15 minutes in UTC.
    public private(set) var begins: Timestamp
    /// Seconds in which the radio demonstrably worked, 0…900: from one advertisement to the next, if less than a
    /// minute passed between them.
    public private(set) var listened: Int
    /// Advertisements heard, of any device.
    public private(set) var adverts: Int
    /// Different addresses heard, 0…65,535. Phones change their address every few minutes and then count again.
    public private(set) var devices: Int
    /// Steps to recover a radio, 0…65,535.
    public private(set) var restarts: Int
    /// The largest age of the missing list in use, in seconds since the registry last confirmed it; absent if there was
    /// no list, or its age was unknown.
    public private(set) var listAge: Int?

    /// - Parameter begins: any time in the quarter.
    public init(
        begins: Timestamp, listened: Int = 0, adverts: Int = 0, devices: Int = 0, restarts: Int = 0,
        listAge: Int? = nil
    ) {
        self.begins = Self.start(of: begins)
        self.listened = Self.listenedRange.nearest(to: listened)
        self.adverts = Self.countRange.nearest(to: adverts)
        self.devices = Self.deviceRange.nearest(to: devices)
        self.restarts = Self.restartRange.nearest(to: restarts)
        self.listAge = listAge.map { Self.listAgeRange.nearest(to: $0) }
    }

    public var ends: Timestamp { begins.advanced(by: Self.length) }

    /// The quarter's number in its day in UTC, 0…95.
    public var numberInDay: Int {
        Self.count(from: CalendarDate(begins).start, to: begins)
    }

    /// The start of the quarter that contains a time.
    public static func start(of time: Timestamp) -> Timestamp {
        let quarter = length.components.seconds * 1000
        return Timestamp(milliseconds: Timestamp.floorDivide(time.milliseconds, quarter) * quarter)
    }

    /// The number of quarters from the one that contains a time to the one that contains another; negative if that is
    /// earlier.
    public static func count(from start: Timestamp, to end: Timestamp) -> Int {
        let quarter = length.components.seconds * 1000
        return Int(
            Timestamp.floorDivide(end.milliseconds, quarter) - Timestamp.floorDivide(start.milliseconds, quarter))
    }

    /// This quarter together with what the same station heard in another part of it, before it was restarted. Addresses
    /// are not kept over a restart, so the number of devices is the larger of the two.
    public func joined(with other: CoverageQuarter) -> CoverageQuarter {
        CoverageQuarter(
            begins: begins, listened: listened + other.listened, adverts: adverts + other.adverts,
            devices: max(devices, other.devices), restarts: restarts + other.restarts,
            listAge: listAge.flatMap { age in other.listAge.map { max(age, $0) } }
        )
    }
}

extension CoverageQuarter: Codable {
    private enum CodingKeys: String, CodingKey {
        case begins, listened, adverts, devices, restarts, listAge
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            begins: try container.decode(Timestamp.self, forKey: .begins),
            listened: try container.decode(Int.self, forKey: .listened),
            adverts: try container.decode(Int.self, forKey: .adverts),
            devices: try container.decode(Int.self, forKey: .devices),
            restarts: try container.decode(Int.self, forKey: .restarts),
            listAge: try container.decodeIfPresent(Int.self, forKey: .listAge)
        )
    }
}

extension CoverageQuarter: WireObject {
    public static let blank = CoverageQuarter(begins: Timestamp(milliseconds: 0))

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("begins", &begins, .timestamp)
        fields.required("listened", &listened, .integer(Self.listenedRange))
        fields.required("adverts", &adverts, .integer(Self.countRange))
        fields.required("devices", &devices, .integer(Self.deviceRange))
        fields.required("restarts", &restarts, .integer(Self.restartRange))
        fields.optional("listAge", &listAge, .integer(Self.listAgeRange))
        if begins != Self.start(of: begins) {
            fields.refuse("begins", "must be the start of a quarter of an hour in UTC, as in 2026-11-21T06:15:00Z")
        }
    }
}

extension ClosedRange<Int> {
    fileprivate func nearest(to number: Int) -> Int { Swift.min(Swift.max(number, lowerBound), upperBound) }
}
