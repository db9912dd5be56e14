import Dispatch
import Synchronization
import Testing

@testable import ESPHome

@Suite("Moments of reading", .timeLimit(.minutes(10))) struct ReadingMomentsTests {
    @Test("connections are read in the order in which they asked, and one that asks again waits for the next moment")
    func order() async {
        let queue = DispatchQueue(label: "ReadingMomentsTests")
        let moments = ReadingMoments(queue: queue)
        let read = Mutex<[String]>([])
        @Sendable func note(_ name: String) { read.withLock { $0.append(name) } }
        await withCheckedContinuation { done in
            queue.async {
                moments.atNext {
                    note("first")
                    queue.async { note("what came of it") }
                    moments.atNext {
                        note("first again")
                        done.resume()
                    }
                }
                moments.atNext { note("second") }
            }
        }
        #expect(read.withLock(\.self) == ["first", "second", "what came of it", "first again"])
    }
}
