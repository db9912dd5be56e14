import RegistryAPI
import RegistryTestSupport
import Synchronization
import Testing

@testable import Registry

@Suite("Numbers of senders")
struct FindSendersTests {
    private final class Kept: Sendable {
        let text = Mutex<String?>(nil)

        var place: FindSenders.Place {
            FindSenders.Place(
                read: { self.text.withLock { $0 } }, write: { secret in self.text.withLock { $0 = secret } },
                remove: { self.text.withLock { $0 = nil } })
        }
    }

    private let clock = HandClock()
    private let network: [UInt8] = [192, 0, 2, 1]

    @Test("a restart keeps the numbers of the day, and the next day has others")
    func restart() {
        let kept = Kept()
        let first = FindSenders(keptIn: kept.place).sender(in: network, at: clock.now)
        let restarted = FindSenders(keptIn: kept.place)
        #expect(restarted.sender(in: network, at: clock.now) == first)
        #expect(FindSenders().sender(in: network, at: clock.now) != first)
        let before = kept.text.withLock { $0 }
        clock.advance(by: .seconds(86_400))
        #expect(restarted.sender(in: network, at: clock.now) != first)
        #expect(kept.text.withLock { $0 } != before)
    }

    @Test("the secret goes with the day, even if nobody writes")
    func forgotten() {
        let kept = Kept()
        _ = FindSenders(keptIn: kept.place).sender(in: network, at: clock.now)
        let restarted = FindSenders(keptIn: kept.place)
        restarted.forgetOthers(than: clock.now)
        #expect(kept.text.withLock { $0 } != nil)
        clock.advance(by: .seconds(86_400))
        restarted.forgetOthers(than: clock.now)
        #expect(kept.text.withLock { $0 } == nil)
    }

    @Test("a damaged secret is replaced", arguments: ["", "2026-11-21", "2026-11-21 AAAA", "x y z"])
    func damaged(text: String) {
        let kept = Kept()
        kept.text.withLock { $0 = text }
        let number = FindSenders(keptIn: kept.place).sender(in: network, at: clock.now)
        #expect(FindSenders(keptIn: kept.place).sender(in: network, at: clock.now) == number)
    }
}
