public import Beacons

/// Reads advertising reports out of HCI events (Core Specification 5.4, volume 4, part E, sections 7.7.65.2 and .13).
///
/// It reads LE Advertising Report (subevent 0x02) and LE Extended Advertising Report (0x0D); every other event is
/// passed over. An event that lies about its lengths counts as malformed, once: it is shorter or longer than its
/// header says, breaks off within a report, announces no report, or has bytes left over. Whole reports before the
/// damage are kept. What the advertising data says inside is for its readers to judge, not for this parser.
///
/// Three values that the specification reserves are read leniently, so that no bike is missed for them: an unknown
/// address type is taken as random, an unknown legacy event type has no properties, and a signal strength outside
/// −127…20 dBm is unknown, as 127 is.
public struct HCIEventParser: Sendable {
    /// Extended reports that lost their end: the controller cut them, or a fragment never came. Most are delivered as
    /// far as they came.
    public private(set) var truncatedReports = 0

    private var fragments = FragmentAssembly()

    public init() {}

    /// Appends the reports of one event to a batch.
    ///
    /// - Parameters:
    ///   - event: event code, parameter length and parameters; no H4 packet type.
    ///   - time: when the event was received.
    ///   - controller: which radio sent it: fragments of different radios must not be mixed.
    ///   - batch: where whole reports go, and the count of malformed events.
    public mutating func parse(
        _ event: RawSpan,
        at time: ScanInstant,
        controller: UInt16 = 0,
        into batch: inout AdvertisementBatch
    ) {
        guard event.byteCount > 2 else {
            if event.byteCount < 2 || event[byte: 0] == HCIEventCode.leMeta { batch.malformed += 1 }
            return
        }
        guard event[byte: 0] == HCIEventCode.leMeta else { return }
        let length = Int(event[byte: 1])
        // What is there may be less than the header says, or more.
        let parameters = event.extracting(droppingFirst: 2).extracting(first: length)
        let isSound: Bool
        switch parameters.byteCount > 0 ? parameters[byte: 0] : nil {
        case HCIEventCode.advertisingReport:
            isSound = parseLegacy(parameters, at: time, into: &batch)
        case HCIEventCode.extendedAdvertisingReport:
            isSound = parseExtended(parameters, at: time, controller: controller, into: &batch)
        case .some: return
        case nil: isSound = false
        }
        if !isSound || event.byteCount != 2 + length { batch.malformed += 1 }
    }

    /// Delivers the reports whose last fragments have not come, as far as they did. For the end of a stream.
    public mutating func finish(into batch: inout AdvertisementBatch) {
        truncatedReports += fragments.removeAll(into: &batch)
    }
}

extension HCIEventParser {
    /// Reports follow each other whole: type (1), address type (1), address (6), length (1), data, RSSI (1).
    ///
    /// The specification's notation `Event_Type[i]` means this order (section 5.2), and controllers send it.
    private func parseLegacy(_ parameters: RawSpan, at time: ScanInstant, into batch: inout AdvertisementBatch) -> Bool
    {
        guard parameters.byteCount >= 2 else { return false }
        let count = parameters[byte: 1]
        var rest = parameters.extracting(droppingFirst: 2)
        for _ in 0..<count {
            let header = AdvertisingReport.legacyHeaderLength
            guard rest.byteCount >= header else { return false }
            let end = header + Int(rest[byte: 8])
            guard rest.byteCount > end else { return false }
            batch.append(
                time: time,
                address: rest.bluetoothAddress(2),
                addressKind: rest.addressKind(1),
                rssi: rest.rssi(end),
                event: Advertisement.Event(legacyType: rest[byte: 0]),
                data: rest.extracting(header..<end)
            )
            rest = rest.extracting(droppingFirst: end + 1)
        }
        return count > 0 && rest.byteCount == 0
    }

    private mutating func parseExtended(
        _ parameters: RawSpan,
        at time: ScanInstant,
        controller: UInt16,
        into batch: inout AdvertisementBatch
    ) -> Bool {
        guard parameters.byteCount >= 2 else { return false }
        let count = parameters[byte: 1]
        var rest = parameters.extracting(droppingFirst: 2)
        for _ in 0..<count {
            let header = AdvertisingReport.extendedHeaderLength
            guard rest.byteCount >= header else { return false }
            let end = header + Int(rest[byte: 23])
            guard rest.byteCount >= end else { return false }
            deliver(rest.extracting(first: end), at: time, controller: controller, into: &batch)
            rest = rest.extracting(droppingFirst: end)
        }
        return count > 0 && rest.byteCount == 0
    }

    /// Delivers one extended report, or keeps it until its other fragments have come.
    private mutating func deliver(
        _ report: RawSpan,
        at time: ScanInstant,
        controller: UInt16,
        into batch: inout AdvertisementBatch
    ) {
        let type = report.littleEndian(0, as: UInt16.self)
        let event = Advertisement.Event(extendedType: type)
        let status = event.contains(.legacy) ? .complete : AdvertisingReport.DataStatus(type: type)
        let fragment = FragmentAssembly.Fragment(
            source: FragmentAssembly.Source(
                address: report.bluetoothAddress(3),
                addressKind: report.addressKind(2),
                set: report[byte: 11],
                controller: controller
            ),
            time: time,
            rssi: report.rssi(13),
            event: event,
            status: status
        )
        let data = report.extracting(droppingFirst: AdvertisingReport.extendedHeaderLength)
        truncatedReports += fragments.add(fragment, data: data, into: &batch)
    }
}
