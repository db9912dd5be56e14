import Beacons

/// Reassembles the fragments of extended advertising reports.
///
/// Memory is bounded: at most 64 reports wait, each with at most 1,650 bytes (the longest advertising data in
/// the specification). A report that cannot be completed is delivered incomplete, since its AD structures before the
/// cut are valid. This happens if the controller reports the rest as lost, if another kind of report of the same
/// advertising set begins, if it is the oldest of 64, and at the end. But a report is dropped if more than a second has
/// passed since it began, since it would appear to have been heard only now.
struct FragmentAssembly {
    /// The advertiser: fragments with the same source belong to the same report.
    struct Source: Equatable {
        let address: BluetoothAddress
        let addressKind: BluetoothAddress.Kind
        /// The advertising SID; 0xFF if there is none.
        let set: UInt8
        /// The controller that heard it.
        let controller: UInt16
    }

    /// The fields of an extended report, except its data.
    struct Fragment {
        let source: Source
        let time: ScanInstant
        let rssi: Int8?
        let event: Advertisement.Event
        let status: AdvertisingReport.DataStatus
    }

    /// A report whose last fragment has not arrived.
    fileprivate struct Waiting {
        var first: Fragment
        var rssi: Int8?
        var data: [UInt8]
        /// Whether there was more data than advertising data may have.
        var isOverlong = false
    }

    /// The maximum number of reports that wait.
    static let maximumWaiting = 64
    /// The maximum number of bytes of a report's data.
    static let maximumDataLength = 1650
    /// The longest time from a report's first fragment to its delivery.
    static let maximumAge = Duration.seconds(1)

    /// The incomplete reports, oldest first.
    private var waiting: [Waiting] = []

    /// Adds a fragment and delivers the reports that it completes. Returns the number of truncated reports.
    mutating func add(_ fragment: Fragment, data: RawSpan, into batch: inout AdvertisementBatch) -> Int {
        let index = waiting.isEmpty ? nil : waiting.firstIndex { $0.first.source == fragment.source }
        guard let index else { return begin(with: fragment, data: data, into: &batch) }
        guard waiting[index].first.event == fragment.event, !waiting[index].isStale(at: fragment.time) else {
            abandon(waiting.remove(at: index), at: fragment.time, into: &batch)
            return 1 + begin(with: fragment, data: data, into: &batch)
        }
        waiting[index].append(data, rssi: fragment.rssi)
        guard fragment.status != .moreToCome else { return 0 }
        let whole = waiting.remove(at: index)
        deliver(whole, at: fragment.time, into: &batch)
        return fragment.status == .truncated || whole.isOverlong ? 1 : 0
    }

    /// Abandons all incomplete reports, and returns their number.
    mutating func removeAll(into batch: inout AdvertisementBatch) -> Int {
        defer { waiting = [] }
        for report in waiting { abandon(report, at: batch.time, into: &batch) }
        return waiting.count
    }

    /// Delivers a report that has only one fragment, or keeps its first. Returns the number of truncated reports: this
    /// one, or one that had to make room.
    private mutating func begin(with fragment: Fragment, data: RawSpan, into batch: inout AdvertisementBatch) -> Int {
        guard fragment.status == .moreToCome else {
            batch.append(fragment, rssi: fragment.rssi, data: data, at: fragment.time)
            return fragment.status == .truncated ? 1 : 0
        }
        var evicted = 0
        if waiting.count >= Self.maximumWaiting {
            abandon(waiting.removeFirst(), at: fragment.time, into: &batch)
            evicted = 1
        }
        var report = Waiting(first: fragment, rssi: nil, data: [])
        report.append(data, rssi: fragment.rssi)
        waiting.append(report)
        return evicted
    }

    /// Delivers an incomplete report, unless it is too old.
    private func abandon(_ report: Waiting, at time: ScanInstant, into batch: inout AdvertisementBatch) {
        guard !report.isStale(at: time) else { return }
        deliver(report, at: time, into: &batch)
    }

    private func deliver(_ report: Waiting, at time: ScanInstant, into batch: inout AdvertisementBatch) {
        batch.append(report.first, rssi: report.rssi, data: report.data.span.bytes, at: time)
    }
}

extension FragmentAssembly.Waiting {
    fileprivate func isStale(at time: ScanInstant) -> Bool {
        first.time.duration(to: time) > FragmentAssembly.maximumAge
    }

    /// Keeps the latest known signal strength.
    fileprivate mutating func append(_ piece: RawSpan, rssi: Int8?) {
        self.rssi = rssi ?? self.rssi
        let room = FragmentAssembly.maximumDataLength - data.count
        isOverlong = isOverlong || piece.byteCount > room
        piece.extracting(first: room).withUnsafeBytes { data.append(contentsOf: $0) }
    }
}

extension AdvertisementBatch {
    fileprivate mutating func append(
        _ report: FragmentAssembly.Fragment,
        rssi: Int8?,
        data: RawSpan,
        at time: ScanInstant
    ) {
        append(
            time: time,
            address: report.source.address,
            addressKind: report.source.addressKind,
            rssi: rssi,
            event: report.event,
            data: data
        )
    }
}
