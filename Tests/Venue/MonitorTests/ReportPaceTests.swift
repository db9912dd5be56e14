import HTTPClient
import RegistryAPI
import RegistryClient
import StationStatus
import TestSupport
import Testing

@testable import Monitor

/// Retries after a refusal must be useful, and never lose a visit.
@Suite("The pace of reports")
struct ReportPaceTests {
    private var pace = ReportPace()
    private var generator = SeededGenerator(seed: 5)
    private let visits: [VisitID] = (1...500).map { VisitID(high: UInt64($0), low: 0) }

    private mutating func fail(_ status: Int, retryAfter: Duration? = nil, visits: [VisitID]) -> ReportPace.Reaction {
        pace.failed(
            RegistryError.unexpectedStatus(status, retryAfter: retryAfter), visits: visits, using: &generator)
    }

    @Test(
        "each refusal has its name and its delay",
        arguments: [
            (401, ReportPause.tokenRefused, 300), (403, .notAllowed, 300), (429, .slowDown, 0),
            (503, .registryFailing, 0), (404, .notUnderstood, 0), (413, .tooLarge, 0),
        ])
    mutating func reasons(status: Int, reason: ReportPause, atLeast seconds: Int) {
        let reaction = fail(status, visits: visits)
        #expect(reaction.reason == reason)
        #expect(reaction.wait >= .seconds(seconds))
        #expect(reaction.wait <= .seconds(300))
        #expect(reaction.atLeast <= .seconds(30))
    }

    @Test("a batch that the registry refuses is split; a response from a captive portal splits nothing")
    mutating func strangers() {
        let problem = ProblemDetails(type: "about:blank", title: "Bad", status: 400, detail: "no")
        let refused = pace.failed(
            RegistryError.refused(problem, retryAfter: nil), visits: visits, using: &generator)
        #expect(refused.reason == .batchRefused)
        #expect(pace.batchSize == 250)
        for _ in 0..<10 { _ = fail(404, visits: Array(visits.prefix(250))) }
        #expect(pace.batchSize == 250)
    }

    @Test("Retry-After is respected, even for new visits")
    mutating func retryAfter() {
        for (status, seconds) in [(429, 77), (503, 99)] {
            let reaction = fail(status, retryAfter: .seconds(seconds), visits: visits)
            #expect(reaction.wait == .seconds(seconds) && reaction.atLeast == .seconds(seconds))
        }
    }

    @Test(
        "no refusal silences a station for more than an hour, whatever Retry-After says",
        arguments: [413, 429, 503], [100_000, 20_000_000_000, Int64.max])
    mutating func endlessRetryAfter(status: Int, seconds: Int64) {
        let reaction = fail(status, retryAfter: .seconds(seconds), visits: visits)
        #expect(reaction.wait == .seconds(3600) && reaction.atLeast == .seconds(3600))
        #expect(pace.batchSize == (status == 413 ? 250 : 500))
    }

    @Test(
        "after an outage, retries come after a second, then at least every half minute, and at once for a new visit")
    mutating func outage() {
        for failures in 1...50 {
            let reaction = fail(502, visits: [visits[0]])
            #expect(reaction.wait >= .milliseconds(500) && reaction.wait <= .seconds(30))
            #expect(reaction.atLeast <= .seconds(1))
            if failures == 1 { #expect(reaction.wait <= .seconds(1)) }
        }
    }

    @Test("a batch that is too large or slow is halved at once, down to one, and grows again with success")
    mutating func halving() {
        let timeout = RegistryError.unreachable(.transfer(code: 28, message: "Timeout was reached"))
        var count = 500
        while count > 1 {
            let visits = Array(visits.prefix(count))
            let reaction =
                count % 2 == 0 ? fail(413, visits: visits) : pace.failed(timeout, visits: visits, using: &generator)
            #expect(pace.batchSize == count / 2)
            #expect(reaction.wait == .zero)
            count = pace.batchSize
        }
        #expect(fail(413, visits: [visits[0]]).wait > .zero)
        for _ in 0..<60 { pace.succeeded([]) }
        #expect(pace.batchSize == 500)
    }

    @Test("a size that has just failed is approached in small steps")
    mutating func slowGrowth() {
        _ = fail(413, visits: visits)
        pace.succeeded([])
        #expect(pace.batchSize == 250 + 31)
        for _ in 0..<3 { _ = fail(502, visits: Array(visits.prefix(pace.batchSize))) }
        #expect(pace.batchSize == 140)
        pace.succeeded([])
        #expect(pace.batchSize == 250)
    }

    @Test("after a server error the same visits are sent first, and fewer after three errors")
    mutating func faults() {
        for expected in [500, 500, 250, 125, 62, 31, 15, 7, 3, 1, 1] {
            _ = fail(500, visits: Array(visits.prefix(pace.batchSize)))
            #expect(pace.batchSize == expected)
        }
    }

    @Test("a visit that fails alone lets others go first, takes turns with similar ones, and is never given up on")
    mutating func suspects() {
        for _ in 0..<3 { _ = fail(500, visits: [visits[0]]) }
        #expect(pace.excluded(from: .unsuspected) == [visits[0]])
        _ = fail(500, visits: [visits[1]])
        #expect(pace.excluded(from: .unsuspected) == [visits[0], visits[1]])
        #expect(pace.excluded(from: .suspects) == [visits[0], visits[1]])
        #expect(pace.excluded(from: .all).isEmpty)
        _ = fail(500, visits: [visits[0]])
        #expect(pace.excluded(from: .suspects) == [visits[0]])
        pace.succeeded([visits[1]])
        #expect(pace.excluded(from: .unsuspected) == [visits[0]])
    }

    @Test("a batch that could not be sent is not split: the next network gets all of it")
    mutating func unreachable() {
        for _ in 0..<10 {
            let error = RegistryError.unreachable(.transfer(code: 7, message: "refused"))
            let reaction = pace.failed(error, visits: visits, using: &generator)
            #expect(reaction.reason == .unreachable)
            #expect(reaction.wait <= .seconds(30))
        }
        #expect(pace.batchSize == 500)
        #expect(pace.excluded(from: .unsuspected).isEmpty)
    }

    @Test("a failing disk counts as the station's error")
    mutating func disk() {
        struct Failure: Error {}
        let reaction = pace.failed(Failure(), visits: [], using: &generator)
        #expect(reaction.reason == .outboxFailing)
    }
}
