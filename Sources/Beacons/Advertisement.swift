/// One advertising report: who was heard, when, how strongly, and where its data lies in the batch that carries it.
public struct Advertisement: Hashable, Sendable {
    /// When the report was received, on the scanner's own time line.
    public let time: ScanInstant
    public let address: BluetoothAddress
    public let addressKind: BluetoothAddress.Kind
    /// Received signal strength, −127…20 dBm; nil where the controller did not know it (HCI value 127).
    public let rssi: Int8?
    public let event: Event
    /// The advertising data's place in ``AdvertisementBatch/bytes``.
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
        /// Sent on the primary channels in the format of Bluetooth 4; at most 31 bytes of data.
        public static let legacy = Event(rawValue: 1 << 4)
    }
}

extension Advertisement {
    /// What a controller can tell, in dBm (Core Specification 5.4, volume 4, part E, section 7.7.65.2); 127 means unknown.
    public static let signalStrengths: ClosedRange<Int8> = -127...20

    /// A signal strength as a radio reports it; nil if it is none.
    public static func signalStrength(_ told: some BinaryInteger) -> Int8? {
        Int8(exactly: told).flatMap { signalStrengths.contains($0) ? $0 : nil }
    }
}

/// Advertisements that a scanner delivers together, with all their data in one buffer.
///
/// So a report costs no allocation of its own. ``time`` is the authority on how far the scanner's time has come: a batch
/// may be empty, and then says only that time has passed.
public struct AdvertisementBatch: Equatable, Sendable {
    public var time: ScanInstant
    public private(set) var advertisements: [Advertisement]
    public private(set) var bytes: [UInt8]
    /// Reports that could not be parsed since the batch before.
    public var malformed: Int

    public init(time: ScanInstant) {
        self.time = time
        advertisements = []
        bytes = []
        malformed = 0
    }

    public var isEmpty: Bool { advertisements.isEmpty && malformed == 0 }

    /// Appends a report; `data` is copied. The batch's time never runs back, and an `rssi` that no controller tells is
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
        data.withUnsafeBytes { bytes.append(contentsOf: $0) }
        advertisements.append(
            Advertisement(
                time: time,
                address: address,
                addressKind: addressKind,
                rssi: rssi.flatMap { Advertisement.signalStrength($0) },
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
