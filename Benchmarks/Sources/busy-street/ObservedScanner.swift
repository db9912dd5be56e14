import Beacons
import Scanning

/// A scanner that has each batch seen by a memory log on its way.
struct ObservedScanner<Source: Scanner>: Scanner {
    let source: Source
    let memory: MemoryLog

    func batches() throws -> Batches {
        Batches(source: try source.batches(), memory: memory)
    }

    struct Batches: AsyncSequence {
        let source: Source.Batches
        let memory: MemoryLog

        func makeAsyncIterator() -> Iterator {
            Iterator(source: source.makeAsyncIterator(), memory: memory)
        }
    }

    struct Iterator: AsyncIteratorProtocol {
        var source: Source.Batches.AsyncIterator
        let memory: MemoryLog

        mutating func next() async throws -> AdvertisementBatch? {
            guard let batch = try await source.next() else { return nil }
            memory.observe(batch)
            return batch
        }
    }
}
