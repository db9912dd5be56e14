import RegistryAPI
import RegistryRules
import Testing

@testable import RegistryHTTP

@Suite("Waiting callers")
struct WaitingCallersTests {
    private let waiting = WaitingCallers<StationID>()
    private let start = ContinuousClock.now

    private func station(_ number: UInt64) -> StationID { StationID(high: 1, low: number) }

    private func token(_ number: UInt64) -> SecretDigest { SecretDigest(of: "\(number)") }

    /// Starts a wait: the task runs at once until it waits, and then the table contains the station.
    private func begin(_ number: UInt64, seconds: Int = 60) async -> Task<WaitingCallers<StationID>.End, Never> {
        let (count, round) = (waiting.count, waiting.round)
        let task = Task.immediate {
            await waiting.wait(station(number), token: token(number), until: start + .seconds(seconds), since: round)
        }
        #expect(waiting.count == count + 1)
        return task
    }

    @Test("a change wakes all stations, and a station does not wait for a change that has already happened")
    func change() async {
        let round = waiting.round
        let tasks = [await begin(1), await begin(2), await begin(3)]
        waiting.wakeAll()
        for task in tasks { #expect(await task.value == .changed) }
        #expect(waiting.count == 0)
        let late = await waiting.wait(station(4), token: token(4), until: start + .seconds(60), since: round)
        #expect(late == .changed)
    }

    @Test("a wait ends exactly when its time is over")
    func expiry() async {
        let short = await begin(1, seconds: 10)
        let long = await begin(2, seconds: 20)
        waiting.expire(at: start + .seconds(9))
        #expect(waiting.count == 2)
        waiting.expire(at: start + .seconds(10))
        #expect(await short.value == .unchanged)
        waiting.expire(at: start + .seconds(20))
        #expect(await long.value == .unchanged)
    }

    @Test("a station has one wait at most: its next request ends the previous one")
    func displaced() async {
        let first = await begin(1)
        let round = waiting.round
        let second = Task {
            await waiting.wait(station(1), token: token(1), until: start + .seconds(60), since: round)
        }
        #expect(await first.value == .displaced)
        #expect(waiting.count == 1)
        waiting.wakeAll()
        #expect(await second.value == .changed)
    }

    @Test("revoking a token ends only the waits that it began")
    func revoked() async {
        let first = await begin(1)
        let second = await begin(2)
        waiting.revoke([token(1), token(9)])
        #expect(await first.value == .revoked)
        #expect(waiting.tokens == [token(2)])
        waiting.wakeAll()
        #expect(await second.value == .changed)
    }

    @Test("a server that stops ends all waits, and later ones end at once")
    func closed() async {
        let first = await begin(1)
        waiting.close()
        #expect(await first.value == .unchanged)
        let round = waiting.round
        let late = await waiting.wait(station(2), token: token(2), until: start + .seconds(60), since: round)
        #expect(late == .unchanged)
    }

    @Test("a cancelled request leaves the table without removing its successor")
    func cancelled() async {
        let first = await begin(1)
        first.cancel()
        #expect(await first.value == .unchanged)
        #expect(waiting.count == 0)
        let second = await begin(1)
        let round = waiting.round
        let third = Task {
            await waiting.wait(station(1), token: token(1), until: start + .seconds(60), since: round)
        }
        #expect(await second.value == .displaced)
        second.cancel()
        #expect(waiting.count == 1)
        waiting.wakeAll()
        #expect(await third.value == .changed)
    }
}
