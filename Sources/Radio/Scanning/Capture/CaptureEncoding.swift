import Beacons

extension BTSnoop {
    /// The header of a capture.
    static func header(of datalink: Datalink) -> [UInt8] {
        var header = magic
        header.append(bigEndian: version)
        header.append(bigEndian: datalink.rawValue)
        return header
    }
}

extension [UInt8] {
    /// Appends one report as a record with a legacy event, or with extended events if a legacy event cannot hold it.
    mutating func append(report: Advertisement, data: RawSpan, timestamp: Int64) {
        if data.byteCount <= AdvertisingReport.maximumLegacyDataLength, report.addressKind != .anonymous,
            let type = report.event.legacyType
        {
            append(recordAt: timestamp) { $0.append(legacy: report, type: type, data: data) }
            return
        }
        var rest = data
        repeat {
            let fragment = rest.extracting(first: AdvertisingReport.maximumFragmentLength)
            rest = rest.extracting(droppingFirst: fragment.byteCount)
            let type = report.event.extendedType(
                dataLength: data.byteCount,
                status: rest.byteCount > 0 ? .moreToCome : .complete
            )
            append(recordAt: timestamp) { $0.append(extended: report, type: type, data: fragment) }
        } while rest.byteCount > 0
    }

    /// Appends a record of one H4 event; `parameters` appends the event's parameters.
    private mutating func append(recordAt timestamp: Int64, parameters: (inout [UInt8]) -> Void) {
        let start = count
        append(contentsOf: repeatElement(0, count: BTSnoop.recordHeaderLength))
        append(contentsOf: [BTSnoop.h4Event, HCIEventCode.leMeta, 0])
        let first = count
        parameters(&self)
        // The length of the parameters, which is known only now, like that of the record.
        self[first - 1] = UInt8(count - first)
        var header: [UInt8] = []
        let length = UInt32(count - start - BTSnoop.recordHeaderLength)
        header.append(bigEndian: length)
        header.append(bigEndian: length)
        header.append(bigEndian: BTSnoop.receivedEvent)
        header.append(bigEndian: UInt32(0))
        header.append(bigEndian: timestamp)
        replaceSubrange(start..<start + header.count, with: header)
    }

    /// Appends the parameters of an LE Advertising Report.
    private mutating func append(legacy report: Advertisement, type: UInt8, data: RawSpan) {
        append(contentsOf: [HCIEventCode.advertisingReport, 1, type, report.addressKind.rawValue])
        append(report.address)
        append(UInt8(data.byteCount))
        data.withUnsafeBytes { append(contentsOf: $0) }
        append(report.hciRSSI)
    }

    /// Appends the parameters of an LE Extended Advertising Report.
    private mutating func append(extended report: Advertisement, type: UInt16, data: RawSpan) {
        append(contentsOf: [HCIEventCode.extendedAdvertisingReport, 1])
        append(contentsOf: [UInt8(truncatingIfNeeded: type), UInt8(type >> 8), report.addressKind.rawValue])
        append(report.address)
        // Received on LE 1M, on a secondary channel unless legacy; no set, and transmit power unknown.
        append(contentsOf: [0x01, report.event.contains(.legacy) ? 0x00 : 0x01, 0xFF, 127, report.hciRSSI])
        // No periodic advertising (2), no direct address (1 + 6).
        append(contentsOf: repeatElement(0, count: 9))
        append(UInt8(data.byteCount))
        data.withUnsafeBytes { append(contentsOf: $0) }
    }

    /// A device address, least significant octet first.
    private mutating func append(_ address: BluetoothAddress) {
        for shift in stride(from: 0, to: 48, by: 8) {
            append(UInt8(truncatingIfNeeded: address.value >> UInt64(shift)))
        }
    }
}

extension Advertisement {
    /// The signal strength as HCI sends it.
    fileprivate var hciRSSI: UInt8 {
        UInt8(bitPattern: rssi ?? AdvertisingReport.unknownRSSI)
    }
}

extension Advertisement.Event {
    /// The event type of an extended report. A report with more data than a legacy report can hold is not marked as
    /// legacy.
    fileprivate func extendedType(dataLength: Int, status: AdvertisingReport.DataStatus) -> UInt16 {
        let isLegacy = dataLength <= AdvertisingReport.maximumLegacyDataLength
        let properties = isLegacy ? self : subtracting(.legacy)
        return properties.rawValue & 0x1F | status.rawValue << 5
    }
}
