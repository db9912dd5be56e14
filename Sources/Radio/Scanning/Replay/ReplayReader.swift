import Beacons

/// Reads a capture as batches, by its recorded time alone, so that a capture gives the same batches at every pacing.
///
/// - The first batch is empty and marks the beginning of the capture; the time of the last batch is its end.
/// - A batch spans at most 100 ms and 256 reports.
/// - There is at least one batch a second: silence gives empty batches.
/// - A gap of more than an hour is skipped in one step, with one empty batch at its end: either a clock was set, or
///   nothing was recorded.
struct ReplayReader {
    /// A batch, and whether more than an hour of recorded time was skipped before it.
    struct Step {
        let batch: AdvertisementBatch
        var isJump = false
    }

    /// The longest time from the first to the last report of a batch.
    static let maximumSpan = Duration.milliseconds(100)
    /// The longest time between two batches.
    static let maximumSilence = Duration.seconds(1)
    /// The longest gap that is played.
    static let maximumGap = Duration.seconds(3600)
    /// The maximum number of reports in a batch.
    static let maximumReports = 256
    /// An HCI event has at most 255 bytes of parameters, so at most 25 reports.
    private static let maximumReportsPerEvent = 25

    private(set) var summary = ReplaySummary()
    private let reader: CaptureReader
    private var parser = HCIEventParser()
    private var time = RecordedTime()
    /// A record that has been read but is not in a batch yet.
    private var ahead: (record: BTSnoopRecord, time: ScanInstant)?
    private var batch = AdvertisementBatch(time: ScanInstant(nanoseconds: .min))
    /// The time of the first report in ``batch``.
    private var opened = ScanInstant(nanoseconds: .min)
    /// The time of the last returned batch.
    private var delivered: ScanInstant?

    init(path: String) throws(CaptureError) {
        reader = try CaptureReader(path: path)
    }

    /// The next batch, or nil at the end; then the summary is complete. An error is thrown after all batches before it.
    mutating func next() throws(CaptureError) -> Step? {
        do throws(CaptureError) {
            return try nextStep()
        } catch {
            guard batch.isEmpty else { return close() }
            throw error
        }
    }

    /// The next batch; when reading fails, the reports before the failure are still in ``batch``.
    private mutating func nextStep() throws(CaptureError) -> Step? {
        while let (record, time) = try nextRecord() {
            let due = batch.isEmpty ? passSilence(until: time) : closeIfDue(before: time)
            if let due { return due }
            ahead = nil
            addRecord(record, at: time)
            if batch.advertisements.count > Self.maximumReports - Self.maximumReportsPerEvent { return close() }
        }
        return finish()
    }

    /// The next record and its time, which stay the next until they are in a batch; nil at the end.
    private mutating func nextRecord() throws(CaptureError) -> (record: BTSnoopRecord, time: ScanInstant)? {
        if ahead == nil, let record = try reader.next() {
            ahead = (record, time.advance(to: record.time))
            summary.records += 1
        }
        return ahead
    }

    /// Adds the reports of a record to the batch.
    private mutating func addRecord(_ record: BTSnoopRecord, at time: ScanInstant) {
        let wasEmpty = batch.isEmpty
        batch.time = time
        reader.withEvent(of: record) { parser.parse($0, at: time, controller: record.controller, into: &batch) }
        if wasEmpty { opened = time }
    }

    /// Closes the batch if a record at `time` no longer belongs to it.
    private mutating func closeIfDue(before time: ScanInstant) -> Step? {
        let span = opened.duration(to: time)
        let silence = (delivered ?? opened).duration(to: time)
        guard span > Self.maximumSpan || silence > Self.maximumSilence else { return nil }
        return close()
    }

    /// The empty batch that must come before a record at `time`, if any.
    private mutating func passSilence(until time: ScanInstant) -> Step? {
        guard let last = delivered else { return closeEmpty(at: time) }
        let gap = last.duration(to: time)
        guard gap <= Self.maximumGap else {
            var step = closeEmpty(at: time)
            step.isJump = true
            return step
        }
        return gap > Self.maximumSilence ? closeEmpty(at: last.advanced(by: Self.maximumSilence)) : nil
    }

    /// Returns the batch with another time; it is empty, except at the end of a capture.
    private mutating func closeEmpty(at time: ScanInstant) -> Step {
        batch.time = time
        return close()
    }

    /// Returns the batch, and begins another.
    private mutating func close() -> Step {
        defer { batch = AdvertisementBatch(time: batch.time) }
        delivered = batch.time
        summary.reports += batch.advertisements.count
        summary.malformed += batch.malformed
        return Step(batch: batch)
    }

    /// Returns what is left at the end of the capture; nil once nothing is.
    private mutating func finish() -> Step? {
        guard batch.isEmpty else { return close() }
        parser.finish(into: &batch)
        if let end = time.now, !batch.isEmpty || delivered != end { return closeEmpty(at: end) }
        summary.truncatedReports = parser.truncatedReports
        summary.truncation = reader.truncation
        return nil
    }
}

/// The results of a complete replay of a capture.
public struct ReplaySummary: Hashable, Sendable {
    /// Records of any kind.
    public internal(set) var records = 0
    /// Advertising reports delivered.
    public internal(set) var reports = 0
    /// Events with wrong lengths; see ``HCIEventParser``.
    public internal(set) var malformed = 0
    /// Extended reports whose end was lost; most are delivered incomplete.
    public internal(set) var truncatedReports = 0
    /// The position at which the file is truncated; nil if it ends with a complete record.
    public internal(set) var truncation: CaptureTruncation?

    init() {}
}
