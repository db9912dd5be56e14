import HTTPClient
import RegistryAPI
import RegistryClient
import TestSupport
import Testing

@testable import Monitor

/// A registry that refuses must be asked again in a way that helps, and never lose a visit.
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
        "each refusal has its name and its wait",
        arguments: [
            (401, ReportPause.tokenRefused, 300), (403, .notAllowed, 300), (429, .slowDown, 0),
            (503, .registryFailing, 0), (404, .notUnderstood, 0), (413, .tooLarge, 0),
        ])
    mutating func reasons(status: Int, reason: ReportPause, atLeast seconds: Int) {
        let reaction = fail(status, visits: visits)
        #expect(reaction.reason == reason)
        #expect(reaction.wait >= .seconds(seconds))
        #expect(reaction.wait <= .seconds(300))
        #expect(reaction.passedOver == nil)
    }

    @Test("what the registry refuses is split; what is no registry, such as a hotel's page, is not")
    mutating func strangers() {
        let problem = ProblemDetails(type: "about:blank", title: "Bad", status: 400, detail: "no")
        let refused = pace.failed(
            RegistryError.refused(problem, retryAfter: nil), visits: visits, using: &generator)
        #expect(refused.reason == .batchRefused)
        #expect(pace.batchSize == 250)
        for _ in 0..<10 { _ = fail(404, visits: Array(visits.prefix(250))) }
        #expect(pace.batchSize == 250)
    }

    @Test("Retry-After is kept to")
    mutating func retryAfter() {
        let waits = [(429, 77), (503, 99)].map { status, seconds in
            fail(status, retryAfter: .seconds(seconds), visits: visits).wait
        }
        #expect(waits == [.seconds(77), .seconds(99)])
    }

    @Test("what is too large is halved at once, down to one, and grows again with success")
    mutating func halving() {
        var count = 500
        while count > 1 {
            let reaction = fail(413, visits: Array(visits.prefix(count)))
            #expect(pace.batchSize == count / 2)
            if pace.batchSize > 1 { #expect(reaction.wait == .zero) }
            count = pace.batchSize
        }
        let alone = fail(413, visits: [visits[0]])
        #expect(alone.passedOver == visits[0])
        for _ in 0..<9 { pace.succeeded() }
        #expect(pace.batchSize == 500)
    }

    @Test("a registry with a fault is asked with the same visits first, and with fewer after three faults")
    mutating func faults() {
        for expected in [500, 500, 250, 250, 250, 125] {
            _ = fail(500, visits: Array(visits.prefix(pace.batchSize)))
            #expect(pace.batchSize == expected)
        }
    }

    @Test("what cannot be reached is not split: the next network takes all")
    mutating func unreachable() {
        for _ in 0..<10 {
            let error = RegistryError.unreachable(.transfer(code: 7, message: "refused"))
            let reaction = pace.failed(error, visits: visits, using: &generator)
            #expect(reaction.reason == .unreachable)
            #expect(reaction.wait <= .seconds(60))
        }
        #expect(pace.batchSize == 500)
    }

    @Test("a failing disk is the station's own trouble")
    mutating func disk() {
        struct Failure: Error {}
        let reaction = pace.failed(Failure(), visits: [], using: &generator)
        #expect(reaction.reason == .outboxFailing)
    }
}
