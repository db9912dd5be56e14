import Beacons

/// The frames received at the origin of a scenario, in exact chronological order.
struct SimulatedAir: Sendable {
    /// A source that is due; at equal times the one earlier in the file comes first, ambient traffic last.
    private struct Due: Comparable {
        let time: Int64
        let source: Int

        static func < (left: Due, right: Due) -> Bool {
            (left.time, left.source) < (right.time, right.source)
        }
    }

    private let start: ScanInstant
    private var sources: [BeaconSource]
    private var ambient: AmbientSource?
    private var queue = MinHeap<Due>()

    init(_ scenario: Scenario) {
        start = scenario.start
        sources = scenario.beacons.map {
            BeaconSource($0, environment: scenario.environment, seed: scenario.seed)
        }
        ambient = scenario.ambient.map {
            AmbientSource($0, environment: scenario.environment, seed: scenario.seed)
        }
        for (index, source) in sources.enumerated() {
            if let time = source.next { queue.insert(Due(time: time, source: index)) }
        }
        if let ambient { queue.insert(Due(time: ambient.next, source: sources.count)) }
    }

    /// The time of the next transmission, in nanoseconds since the scenario's start.
    var next: Int64? { queue.first?.time }

    /// Lets the next source transmit; a received frame is appended to the batch.
    mutating func transmit(into batch: inout AdvertisementBatch) {
        guard let due = queue.first else { return }
        let instant = ScanInstant(nanoseconds: start.nanoseconds + due.time)
        let following: Int64?
        if due.source < sources.count {
            transmit(due, at: instant, into: &batch)
            following = sources[due.source].next
        } else {
            ambient?.transmit(into: &batch, at: instant)
            following = ambient?.next
        }
        if let following {
            queue.replaceFirst(with: Due(time: following, source: due.source))
        } else {
            _ = queue.removeFirst()
        }
    }

    private mutating func transmit(_ due: Due, at instant: ScanInstant, into batch: inout AdvertisementBatch) {
        guard let rssi = sources[due.source].transmit(at: due.time) else { return }
        let source = sources[due.source]
        batch.append(
            time: instant,
            address: source.address(at: due.time),
            addressKind: .random,
            rssi: rssi,
            event: .legacy,
            data: source.payload.span.bytes
        )
    }
}
