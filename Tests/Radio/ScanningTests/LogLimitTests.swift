import Beacons
import Testing

@testable import Scanning

/// What somebody else can repeat a thousand times must not fill a station's card.
@Suite("Limits of the log")
struct LogLimitTests {
    private func instant(_ seconds: Double) -> ScanInstant { ScanInstant(nanoseconds: Int64(seconds * 1e9)) }

    @Test("the first lines of each minute are written, and the others counted once")
    func minute() {
        var limit = LogLimit(3)
        let first = (0..<10).filter { limit.allows(at: instant(Double($0))) }
        let omitted = [59, 60, 60].map { limit.takeOmitted(at: instant($0)) }
        let second = (60..<70).filter { limit.allows(at: instant(Double($0))) }
        #expect(first == [0, 1, 2] && second == [60, 61, 62])
        #expect(omitted == [nil, 7, nil])
    }

    @Test("an outage is logged once, and its end once")
    func outage() {
        var log = OutageLog()
        let before = log.succeeded()
        let failures = (0..<300).filter { log.failed("off", at: instant(Double($0))) }
        let ends = (0..<2).map { _ in log.succeeded() }
        #expect(!before && failures == [0] && ends == [true, false])
    }

    @Test("something that fails and works again each tenth of a second makes two lines a minute")
    func flapping() {
        var log = OutageLog(works: false)
        var lines = log.succeeded() ? 1 : 0
        #expect(lines == 1)
        for tick in 0..<3000 {
            let time = instant(Double(tick) / 10)
            if log.failed("reason \(tick % 7)", at: time) { lines += 1 }
            if log.succeeded() { lines += 1 }
        }
        #expect(lines == 1 + 2 * 5)
    }

    @Test("a failure within the minute of another is logged once that has passed, if it lasts")
    func late() {
        var log = OutageLog()
        let first = log.failed("off", at: instant(0)) && log.succeeded()
        let later = (1..<120).filter { log.failed("off", at: instant(Double($0))) }
        #expect(first && later == [60])
    }
}
