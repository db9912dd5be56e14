import Beacons
import RegistryAPI
import Scanning

/// Measures what a station hears in each quarter of an hour. Pure: time and the age of the list are inputs.
struct CoverageMeter: Sendable {
    /// The longest silence during which a radio counts as working. After a longer one, it may be deaf.
    static let longestSilence = Duration.seconds(60)

    /// The quarter in progress; nil before the first batch.
    private var begins: Timestamp?
    /// How long a radio has worked in it.
    private var listened = Duration.zero
    private var adverts = 0
    /// The different addresses heard.
    private var devices: DeviceCount
    /// The largest age so far; nil if it was unknown at any time.
    private var listAge: Duration? = .zero
    /// When the last batch with an advertisement came; nil before the first.
    private var lastHeard: ScanInstant?
    private let salt: @Sendable () -> UInt64

    /// - Parameter salt: a source of random numbers.
    init(salt: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }) {
        self.salt = salt
        devices = DeviceCount(salt: salt())
    }

    /// Processes a batch.
    ///
    /// - Parameters:
    ///   - time: the wall time of the batch.
    ///   - listAge: the time since the registry confirmed the list in use; nil if it is unknown.
    /// - Returns: the quarter that has ended, if any.
    mutating func take(_ batch: AdvertisementBatch, at time: Timestamp, listAge: Duration?) -> CoverageQuarter? {
        let begin = CoverageQuarter.start(of: time)
        let ended = begins == begin ? nil : end()
        begins = begin
        self.listAge = self.listAge.flatMap { age in listAge.map { max(age, $0) } }
        guard !batch.advertisements.isEmpty else { return ended }
        if let silence = lastHeard?.duration(to: batch.time), .zero <= silence, silence <= Self.longestSilence {
            // After the start of a quarter, only the part of the silence that belongs to this quarter counts.
            listened += min(silence, begin.duration(to: time))
        }
        lastHeard = batch.time
        adverts += batch.advertisements.count
        for advertisement in batch.advertisements { devices.insert(advertisement.address, advertisement.addressKind) }
        return ended
    }

    /// Ends the quarter in progress, and begins an empty one.
    mutating func end() -> CoverageQuarter? {
        guard let begins else { return nil }
        let quarter = CoverageQuarter(
            begins: begins, listened: Int(clamping: listened.components.seconds), adverts: adverts,
            devices: devices.estimate, listAge: listAge.map { Int(clamping: $0.components.seconds) }
        )
        self.begins = nil
        listened = .zero
        adverts = 0
        devices = DeviceCount(salt: salt())
        listAge = .zero
        return quarter
    }
}
