public import RegistryRules
import Synchronization
import TestSupport

extension Entropy {
    /// Entropy that yields the same numbers for the same seed. All copies share one sequence.
    public static func seeded(_ seed: UInt64) -> Entropy {
        let shared = SharedGenerator(seed: seed)
        return Entropy { shared.next() }
    }
}

private final class SharedGenerator: Sendable {
    private let generator: Mutex<SeededGenerator>

    init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

    func next() -> UInt64 { generator.withLock { $0.next() } }
}
