import Beacons
import Synchronization

/// Reads several radios concurrently and merges their reports.
///
/// A class with a lock, and not an actor, so that a reader takes a batch without waiting for its turn.
final class Merger: Sendable {
    /// The time without a batch after which an empty one is delivered.
    static let longestSilence = Duration.milliseconds(500)

    private struct State {
        var rule = StrongestRadio()
        var lastDelivery: ScanInstant
    }

    let channel = BatchChannel()
    private let clock: any ScanClock
    private let drops: Drops
    private let state: Mutex<State>

    init(clock: any ScanClock, drops: Drops) {
        self.clock = clock
        self.drops = drops
        state = Mutex(State(lastDelivery: clock.now))
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
        defer { state.withLock { $0.rule.remove(index) } }
        do {
            for try await batch in try radio.batches() {
                state.withLock { merge(batch, from: index, radio.adapter, &$0) }
            }
            return nil
        } catch {
            return error
        }
    }

    /// Delivers the reports of a batch that count, because they are from the radio that hears the beacon best.
    private func merge(
        _ batch: AdvertisementBatch, from radio: StrongestRadio.Radio, _ name: String, _ state: inout State
    ) {
        let start = max(state.lastDelivery, batch.advertisements.first?.time ?? batch.time)
        var kept = AdvertisementBatch(time: start)
        kept.malformed = batch.malformed
        kept.radio = batch.radio ?? name
        batch.forEach { report, data in
            guard state.rule.accept(data, rssi: report.rssi, from: radio, at: report.time) else { return }
            kept.append(
                time: max(report.time, state.lastDelivery), address: report.address, addressKind: report.addressKind,
                rssi: report.rssi, event: report.event, data: data
            )
        }
        kept.time = max(kept.time, batch.time)
        guard !kept.isEmpty else { return }
        deliver(kept, &state)
    }

    private func deliver(_ batch: AdvertisementBatch, _ state: inout State) {
        state.lastDelivery = batch.time
        let dropped = channel.send(batch)
        if dropped > 0 { drops.count.withLock { $0 += dropped } }
    }

    private func tickUntilCancelled() async {
        while (try? await clock.sleep(for: Self.longestSilence)) != nil {
            state.withLock { state in
                let now = max(clock.now, state.lastDelivery)
                guard state.lastDelivery.duration(to: now) >= Self.longestSilence else { return }
                deliver(AdvertisementBatch(time: now), &state)
            }
        }
    }
}
