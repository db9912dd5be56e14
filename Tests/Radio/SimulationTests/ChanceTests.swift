import Testing

@testable import Simulation

@Suite("Seeded chance")
struct ChanceTests {
    @Test("follows the published SplitMix64, so that runs repeat on every machine")
    func published() {
        var random = SplitMix64(seed: 1_234_567)
        #expect(
            (0..<3).map { _ in random.next() } == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ])
    }

    @Test("named streams differ, by name and by seed")
    func streams() {
        let streams: [(UInt64, String)] = [(1, "a"), (1, "b"), (2, "a"), (1, "")]
        let firsts = streams.map { seed, name in
            var random = SplitMix64(seed: seed, stream: name)
            return random.next()
        }
        #expect(Set(firsts).count == firsts.count)
    }

    /// The mean, the variance and the share above one, of many deviates.
    private func moments(_ deviate: (inout SplitMix64) -> Double) -> (mean: Double, variance: Double, above: Double) {
        var random = SplitMix64(seed: 42)
        let values = (0..<40_000).map { _ in deviate(&random) }
        let mean = values.reduce(0, +) / Double(values.count)
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
        return (mean, variance, Double(values.count { $0 > 1 }) / Double(values.count))
    }

    @Test("deviates have the moments of their distributions")
    func distributions() {
        let uniform = moments { $0.uniform() }
        #expect(abs(uniform.mean - 0.5) < 0.01 && abs(uniform.variance - 1.0 / 12) < 0.003 && uniform.above == 0)
        let normal = moments { $0.normal() }
        #expect(abs(normal.mean) < 0.02 && abs(normal.variance - 1) < 0.03 && abs(normal.above - 0.1587) < 0.01)
        let exponential = moments { $0.exponential() }
        #expect(abs(exponential.mean - 1) < 0.02 && abs(exponential.variance - 1) < 0.05)
        #expect(abs(exponential.above - 0.3679) < 0.01)
    }

    @Test("the heap returns its elements in order")
    func heap() {
        var random = SplitMix64(seed: 3)
        var heap = MinHeap<UInt64>()
        var values = (0..<200).map { _ in random.next(below: 50) }
        for value in values { heap.insert(value) }
        values.sort()
        for _ in 0..<20 {
            let value = random.next(below: 50)
            heap.replaceFirst(with: value)
            values[0] = value
            values.sort()
        }
        #expect(heap.first == values.first)
        #expect((0..<200).compactMap { _ in heap.removeFirst() } == values)
        #expect(heap.removeFirst() == nil && heap.first == nil)
    }
}
