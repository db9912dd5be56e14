import HTTPTypes
import RegistryRules
import Testing

@testable import RegistryHTTP

@Suite("The rate limiter")
struct RateLimitTests {
    private let second: Int64 = 1_000_000_000

    @Test("a bucket allows a burst, then an even rate, and reports the wait until the next request")
    func bucket() {
        let rate = RequestRate(3, per: .seconds(60))
        var bucket = TokenBucket()
        for _ in 0..<3 { #expect(bucket.take(rate, at: 0) == nil) }
        #expect(bucket.take(rate, at: 0) == 20 * second)
        #expect(bucket.take(rate, at: 19 * second) == second)
        #expect(bucket.take(rate, at: 20 * second) == nil)
        #expect(bucket.take(rate, at: 20 * second) == 20 * second)
        // The bucket is full again, and never more than full.
        for _ in 0..<3 { #expect(bucket.take(rate, at: 1000 * second) == nil) }
        #expect(bucket.take(rate, at: 1000 * second) != nil)
    }

    @Test("a refused request does not count against the limit")
    func refusal() {
        let rate = RequestRate(1, per: .seconds(1))
        var bucket = TokenBucket()
        #expect(bucket.take(rate, at: 0) == nil)
        for _ in 0..<100 { #expect(bucket.take(rate, at: second / 2) == second / 2) }
        #expect(bucket.take(rate, at: second) == nil)
    }

    @Test(
        "the wait in a refusal is rounded up, so that a caller who waits for it does not come too early",
        arguments: [(0, "1"), (1000, "1"), (1001, "2"), (60_001, "61")] as [(Int, String)]
    )
    func waits(milliseconds: Int, seconds: String) {
        let wait = Duration.milliseconds(milliseconds)
        #expect(DomainError.tooManyPartnerVisits(retryAfter: wait).problem.headers[.retryAfter] == seconds)
        #expect(wait.rounded(upTo: 60) == (milliseconds > 60_000 ? 2 : 1))
    }

    @Test(
        "a limit is written as a number and a period",
        arguments: [
            ("60/minute", 60, 60), ("1/day", 1, 86_400), ("1000000/second", 1_000_000, 1), ("20/hour", 20, 3600),
        ]
    )
    func text(text: String, count: Int, seconds: Int) {
        #expect(RequestLimit(text) == .rate(RequestRate(count, per: .seconds(seconds))))
        #expect(RequestLimit(text)?.description == text)
    }

    @Test(
        "an invalid limit is refused",
        arguments: ["", "60", "0/minute", "-1/minute", "60/", "60/month", "1/2/second", "OFF", "1000001/second"])
    func noLimit(text: String) { #expect(RequestLimit(text) == nil) }

    @Test("“off” means no limit")
    func off() throws {
        #expect(RequestLimit("off") == .off)
        let limiter = RateLimiter(RateLimits(), proxies: TrustedProxies()) { 0 }
        for _ in 0..<10_000 { try limiter.admit(token: "a") }
    }

    @Test("the table is bounded, and new clients cannot displace a client that is at its limit")
    func table() {
        var table = BucketTable<Int>(capacity: 100)
        let rate = RequestRate(5, per: .seconds(60))
        while table.take(-1, rate, at: 0) == nil {}
        for client in 0..<10_000 {
            #expect(table.take(client, rate, at: 0) == nil)
            #expect(table.count <= 100)
        }
        #expect(table.take(-1, rate, at: 0) != nil)
        // Full buckets can be dropped without any loss.
        for client in 0..<10_000 { #expect(table.take(client, rate, at: 61 * second) == nil) }
        #expect(table.take(-1, rate, at: 61 * second) == nil)
        #expect(table.count <= 100)
    }

    @Test("who is refused because of others loses nothing")
    func together() throws {
        var limits = RateLimits()
        limits[.dailyChecks] = .rate(RequestRate(1, per: .seconds(60)))
        limits[.allChecks] = .rate(RequestRate(2, per: .seconds(60)))
        let clock = HandNanoseconds()
        let limiter = RateLimiter(limits, proxies: TrustedProxies()) { clock.value }
        func wait(_ client: String) throws -> Int? {
            do {
                try limiter.admit(limiter.counts(.dailyChecks, by: client) + limiter.counts(.allChecks, by: "all"))
                return nil
            } catch RequestError.tooManyRequests(let seconds) {
                return seconds
            }
        }
        #expect(try wait("a") == nil)
        // The client’s own limit: nothing is taken from the others.
        #expect(try wait("a") == 60)
        #expect(try wait("b") == nil)
        #expect(try wait("c") == 30)
        clock.advance(by: .seconds(30))
        #expect(try wait("c") == nil)
        #expect(try wait("c") == 60)
    }

    @Test("tokens do not displace addresses, and a limit applies to the token, however the field is written")
    func kinds() throws {
        var limits = RateLimits()
        limits[.token] = .rate(RequestRate(2, per: .seconds(60)))
        let limiter = RateLimiter(limits, proxies: TrustedProxies(), capacity: 4) { 0 }
        for _ in 0..<2 { try limiter.admit(token: "a") }
        #expect(throws: RequestError.self) { try limiter.admit(token: "a") }
        for number in 0..<100 { try limiter.admit(token: "b\(number)") }
        #expect(throws: RequestError.self) { try limiter.admit(token: "a") }
        limiter.forget(token: "a")
        try limiter.admit(token: "a")
    }
}
