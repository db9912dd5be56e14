import RegistryAPI
import RegistryTestSupport
import Synchronization
import Testing

@testable import RegistryRules

@Suite("Numbers of senders")
struct FindSendersTests {
    /// A place that several processes share.
    private final class Kept: Sendable {
        let keys = Mutex<FindSenders.Keys>([:])

        var place: FindSenders.Place {
            FindSenders.Place { proposed in
                self.keys.withLock { kept in
                    kept = proposed.merging(kept.filter { proposed[$0.key] != nil }) { $1 }
                    return kept
                }
            }
        }
    }

    private let clock = HandClock()
    private let network: [UInt8] = [192, 0, 2, 1]

    private func senders(_ kept: Kept) async -> FindSenders {
        let senders = FindSenders(keptIn: kept.place)
        await senders.prepare(at: clock.now)
        return senders
    }

    @Test("a restart keeps the numbers of the day, and the next day has others")
    func restart() async {
        let kept = Kept()
        let first = await senders(kept).sender(in: network, at: clock.now)
        let restarted = await senders(kept)
        #expect(restarted.sender(in: network, at: clock.now) == first)
        #expect(FindSenders().sender(in: network, at: clock.now) != first)
        let before = kept.keys.withLock { $0 }
        clock.advance(by: .days(1))
        await restarted.prepare(at: clock.now)
        #expect(restarted.sender(in: network, at: clock.now) != first)
        #expect(kept.keys.withLock { Set($0.keys) }.isDisjoint(with: before.keys))
    }

    @Test("processes agree on the next day’s key before the day begins")
    func nextDay() async {
        let kept = Kept()
        let (one, other) = (await senders(kept), await senders(kept))
        let midnight = CalendarDate(clock.now).advanced(byDays: 1).start
        for time in [midnight.advanced(by: .seconds(-3601)), midnight.advanced(by: .seconds(-600))] {
            await one.prepare(at: time)
            await other.prepare(at: time)
        }
        #expect(one.sender(in: network, at: midnight) == other.sender(in: network, at: midnight))
    }

    @Test("if the place has lost its keys, it gets those that are in use")
    func lost() async {
        let kept = Kept()
        let running = await senders(kept)
        kept.keys.withLock { $0 = [:] }
        await running.prepare(at: clock.now)
        let started = await senders(kept)
        #expect(started.sender(in: network, at: clock.now) == running.sender(in: network, at: clock.now))
    }

    @Test("a key of a wrong length is not used")
    func damaged() async {
        let senders = FindSenders(keptIn: FindSenders.Place { $0.mapValues { _ in [] } })
        await senders.prepare(at: clock.now)
        let other = FindSenders(keptIn: FindSenders.Place { $0.mapValues { _ in [] } })
        await other.prepare(at: clock.now)
        #expect(senders.sender(in: network, at: clock.now) != other.sender(in: network, at: clock.now))
    }
}
