import Beacons
import Synchronization

/// Reads several radios concurrently and merges their reports.
actor Merger {
    static let beat = Duration.milliseconds(500)

    nonisolated let channel = BatchChannel()
    private let clock: any ScanClock
    private let drops: Drops
    private var rule = StrongestRadio()
    private var lastDelivery: ScanInstant

    init(clock: any ScanClock, drops: Drops) {
        self.clock = clock
        self.drops = drops
        lastDelivery = clock.now
    }

    /// Reads until all radios have ended and no more can join, or until the task is cancelled.
    func run(_ radios: RadioSet) async {
        async let _: Void = tickUntilCancelled()
        let failure = await withTaskGroup { group in
            var index = 0
            for await radio in radios.arrivals() {
                group.addTask { [index] in await self.read(radio, as: index) }
                index += 1
            }
            var last: (any Error)?
            for await failure in group { last = failure ?? last }
            return last
        }
        channel.finish(throwing: failure)
    }

    /// Reads one radio; returns its error, or nil if it ended.
    private func read(_ radio: some RadioScanner, as index: StrongestRadio.Radio) async -> (any Error)? {
        defer { rule.remove(index) }
        do {
            for try await batch in try radio.batches() { take(batch, from: index, radio.adapter) }
            return nil
        } catch {
            return error
        }
    }

    private func take(_ batch: AdvertisementBatch, from radio: StrongestRadio.Radio, _ name: String) {
        let start = max(lastDelivery, batch.advertisements.first?.time ?? batch.time)
        var kept = AdvertisementBatch(time: start)
        kept.malformed = batch.malformed
        kept.radio = batch.radio ?? name
        batch.forEach { report, data in
            guard rule.accept(data, rssi: report.rssi, from: radio, at: report.time) else { return }
            kept.append(
                time: max(report.time, lastDelivery), address: report.address, addressKind: report.addressKind,
                rssi: report.rssi, event: report.event, data: data
            )
        }
        kept.time = max(kept.time, batch.time)
        guard !kept.isEmpty else { return }
        deliver(kept)
    }

    private func deliver(_ batch: AdvertisementBatch) {
        lastDelivery = batch.time
        let dropped = channel.send(batch)
        if dropped > 0 { drops.count.withLock { $0 += dropped } }
    }

    private func tickUntilCancelled() async {
        while (try? await clock.sleep(for: Self.beat)) != nil {
            let now = max(clock.now, lastDelivery)
            if lastDelivery.duration(to: now) >= Self.beat { deliver(AdvertisementBatch(time: now)) }
        }
    }
}
