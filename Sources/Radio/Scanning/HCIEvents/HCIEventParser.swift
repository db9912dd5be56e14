public import Beacons

/// Parses advertising reports from HCI events (Core Specification 5.4, volume 4, part E, sections 7.7.65.2 and .13).
///
/// It reads LE Advertising Report (subevent 0x02) and LE Extended Advertising Report (0x0D), and skips every other
/// event. An event with wrong lengths counts as malformed, once: if it is shorter or longer than its header says, ends
/// within a report, contains no report, or has extra bytes. Complete reports before the damage are kept. The
/// advertising data itself is not checked here, but by its readers.
///
/// Three reserved values are accepted, so that no bike is missed because of them: an unknown address type counts as
/// random, an unknown legacy event type has no properties, and a signal strength outside −127…20 dBm is unknown, like
/// 127.
public struct HCIEventParser: Sendable {
    /// Extended reports whose end was lost, because the controller truncated them or a fragment never arrived. Most are
    /// delivered incomplete.
    public private(set) var truncatedReports = 0

    private var fragments = FragmentAssembly()

    public init() {}

    /// Appends the reports of one event to a batch.
    ///
    /// - Parameters:
    ///   - event: the event code, parameter length and parameters, without an H4 packet type.
    ///   - time: the time at which the event was received.
    ///   - controller: the radio that sent it: fragments of different radios must not be mixed.
    ///   - batch: receives the complete reports, and the count of malformed events.
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
        // The parameters may be shorter or longer than the header says.
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

    /// Delivers the reports whose last fragments have not arrived, as far as they are known. Call it at the end of a
    /// stream.
    public mutating func finish(into batch: inout AdvertisementBatch) {
        truncatedReports += fragments.removeAll(into: &batch)
    }
}

extension HCIEventParser {
    /// Each report is contiguous: type (1), address type (1), address (6), length (1), data, RSSI (1).
    ///
    /// The specification's notation `Event_Type[i]` means this order (section 5.2), and controllers use it.
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

    /// Delivers one extended report, or keeps it until its other fragments have arrived.
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
