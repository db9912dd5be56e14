/// One advertising report: the advertiser, the time, the signal strength, and the position of its data in the batch.
public struct Advertisement: Hashable, Sendable {
    /// The time at which the report was received, on the scanner's own time line.
    public let time: ScanInstant
    public let address: BluetoothAddress
    public let addressKind: BluetoothAddress.Kind
    /// Received signal strength, −127…20 dBm; nil if the controller did not know it (HCI value 127).
    public let rssi: Int8?
    public let event: Event
    /// The range of the advertising data in ``AdvertisementBatch/bytes``.
    public let data: Range<Int>

    /// Properties of the advertising event; the bits of an extended report's event type
    /// (Core Specification 5.4, volume 4, part E, section 7.7.65.13).
    public struct Event: OptionSet, Hashable, Sendable {
        public let rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        public static let connectable = Event(rawValue: 1 << 0)
        public static let scannable = Event(rawValue: 1 << 1)
        public static let directed = Event(rawValue: 1 << 2)
        public static let scanResponse = Event(rawValue: 1 << 3)
        /// Sent on the primary channels in the format of Bluetooth 4.x; at most 31 bytes of data.
        public static let legacy = Event(rawValue: 1 << 4)
    }
}

extension Advertisement {
    /// The range that a controller can report, in dBm (Core Specification 5.4, volume 4, part E, section 7.7.65.2); 127
    /// means unknown.
    public static let signalStrengths: ClosedRange<Int8> = -127...20

    /// A signal strength in dBm as reported by a radio; nil if it is outside of ``signalStrengths``.
    public static func signalStrength(_ reported: Int) -> Int8? {
        guard let strength = Int8(exactly: reported), signalStrengths.contains(strength) else { return nil }
        return strength
    }
}

/// Advertisements that a scanner delivers together, with all their data in one buffer.
///
/// So a report needs no separate allocation. ``time`` is the current time of the scanner: a batch may be empty, and
/// then only says that time has passed.
public struct AdvertisementBatch: Equatable, Sendable {
    public var time: ScanInstant
    public private(set) var advertisements: [Advertisement]
    /// The advertising data of all reports, one after the other; ``Advertisement/data`` is a range of it.
    public private(set) var bytes: [UInt8]
    /// Reports since the previous batch that could not be parsed.
    public var malformed: Int
    /// The radio that heard all reports; nil if the source does not say.
    public var radio: String?

    public init(time: ScanInstant) {
        self.time = time
        advertisements = []
        bytes = []
        malformed = 0
    }

    /// Whether there are neither reports nor malformed ones: only the time has passed.
    public var isEmpty: Bool { advertisements.isEmpty && malformed == 0 }

    /// Appends a report; `data` is copied. The batch's time never goes back, and an out-of-range `rssi` becomes
    /// unknown.
    public mutating func append(
        time: ScanInstant,
        address: BluetoothAddress,
        addressKind: BluetoothAddress.Kind,
        rssi: Int8?,
        event: Advertisement.Event,
        data: RawSpan
    ) {
        let start = bytes.count
        // Rebound, because an array appends bytes of its own type with one copy, and raw bytes one after the other.
        data.withUnsafeBytes { $0.withMemoryRebound(to: UInt8.self) { bytes.append(contentsOf: $0) } }
        advertisements.append(
            Advertisement(
                time: time,
                address: address,
                addressKind: addressKind,
                rssi: rssi.flatMap { Advertisement.signalStrength(Int($0)) },
                event: event,
                data: start..<bytes.count
            )
        )
        self.time = max(self.time, time)
    }

    /// Empties the batch and keeps its memory for the next.
    public mutating func removeAll() {
        advertisements.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        malformed = 0
    }

    /// Calls `body` with each report and its data, in the order in which they were heard.
    @inlinable
    public func forEach<Failure: Error>(_ body: (Advertisement, RawSpan) throws(Failure) -> Void) throws(Failure) {
        let all = bytes.span.bytes
        for advertisement in advertisements {
            try body(advertisement, all.extracting(advertisement.data))
        }
    }
}
