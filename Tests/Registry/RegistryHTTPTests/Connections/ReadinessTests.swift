import RegistrySQL
import TestSupport
import Testing

@testable import RegistryHTTP

@Suite("Readiness")
struct ReadinessTests {
    private struct Broken: Error {}

    @Test("the store’s answer is passed on")
    func answers() async {
        guard case .ready = await Readiness(patience: .seconds(600), check: {}).outcome() else {
            Issue.record("a store that answers is ready")
            return
        }
        guard case .failed(is Broken) = await Readiness(patience: .seconds(600), check: { throw Broken() }).outcome()
        else {
            Issue.record("a store that fails is not ready")
            return
        }
    }

    @Test("a store that hangs is reported without waiting for it, is asked once, and is ready when it goes on")
    func hanging() async throws {
        let asked = Tally()
        let (goesOn, gate) = AsyncStream.makeStream(of: Void.self)
        let readiness = Readiness(
            patience: .seconds(600), sleep: { _ in },
            check: {
                asked.add()
                for await _ in goesOn {}
            })
        for _ in 0..<3 {
            guard case .late = await readiness.outcome() else {
                Issue.record("nothing has answered")
                return
            }
        }
        try await asked.reach(1)
        #expect(asked.count == 1)
        gate.finish()
        while true { if case .ready = await readiness.outcome() { return } }
    }
}
