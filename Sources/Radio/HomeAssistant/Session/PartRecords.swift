import Beacons
import Scanning
import Synchronization

/// The health of Home Assistant's radios by their names as receivers, written by the session and readable at any time.
final class PartRecords: Sendable {
    private let records: Mutex<[String: RadioHealth]>

    /// - Parameter expected: the names that the settings give.
    init(expected: some Sequence<String>) {
        records = Mutex(
            Dictionary(expected.map { ($0, RadioHealth(adapter: $0)) }, uniquingKeysWith: { first, _ in first }))
    }

    /// The health of each radio, in the order of the names.
    var current: [RadioHealth] { records.withLock { $0.values.sorted { $0.adapter < $1.adapter } } }

    /// Notes which radios Home Assistant has now; one that is gone stays known, with the reason.
    ///
    /// - Parameter isHearing: whether anything was heard since the connection was made. Until then nothing proves that a
    ///   radio is listened to.
    func note(present names: Set<String>, isHearing: Bool) {
        records.withLock { records in
            for name in names where records[name] == nil { records[name] = RadioHealth(adapter: name) }
            for name in records.keys {
                let isPresent = names.contains(name)
                records[name]?.isPresent = isPresent
                if !isPresent {
                    records[name]?.fail("Home Assistant does not have this adapter or proxy now")
                } else if isHearing {
                    // Home Assistant passes on only the best hearing of an address, so silence proves nothing here.
                    records[name]?.state = .scanning
                } else if records[name]?.state != .failed {
                    records[name]?.state = .starting
                }
            }
        }
    }

    /// Counts the reports of a batch.
    func note(_ batch: AdvertisementBatch, of name: String) {
        records.withLock { records in
            guard records[name] != nil || records.count < SourceNames.maximum else { return }
            records[name, default: RadioHealth(adapter: name)].reports += batch.advertisements.count
            records[name]?.lastReport = batch.time
            records[name]?.state = .scanning
        }
    }

    /// Notes that none of them can be listened to.
    func fail(_ reason: String) {
        records.withLock { records in
            for name in records.keys { records[name]?.fail(reason) }
        }
    }

    /// Notes that the session no longer listens.
    func end() {
        records.withLock { records in
            for name in records.keys { records[name]?.state = .idle }
        }
    }
}
