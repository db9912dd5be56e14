import Testing

@testable import RegistryHTTP

@Suite("Limits as values")
struct RateLimitTests {
    private let second: Int64 = 1_000_000_000

    @Test("a bucket gives all at once, then evenly, and says how long the next one takes")
    func bucket() {
        let rate = RequestRate(3, per: .seconds(60))
        var bucket = TokenBucket()
        for _ in 0..<3 { #expect(bucket.take(rate, at: 0) == nil) }
        #expect(bucket.take(rate, at: 0) == 20 * second)
        #expect(bucket.take(rate, at: 19 * second) == second)
        #expect(bucket.take(rate, at: 20 * second) == nil)
        #expect(bucket.take(rate, at: 20 * second) == 20 * second)
        // Full again, and no fuller.
        for _ in 0..<3 { #expect(bucket.take(rate, at: 1000 * second) == nil) }
        #expect(bucket.take(rate, at: 1000 * second) != nil)
    }

    @Test("a refused request costs nothing")
    func refusal() {
        let rate = RequestRate(1, per: .seconds(1))
        var bucket = TokenBucket()
        #expect(bucket.take(rate, at: 0) == nil)
        for _ in 0..<100 { #expect(bucket.take(rate, at: second / 2) == second / 2) }
        #expect(bucket.take(rate, at: second) == nil)
    }

    @Test(
        "limits are written as a number and a time",
        arguments: [
            ("60/minute", 60, 60), ("1/day", 1, 86_400), ("1000000/second", 1_000_000, 1), ("20/hour", 20, 3600),
        ]
    )
    func text(text: String, count: Int, seconds: Int) {
        #expect(RequestLimit(text) == .rate(RequestRate(count, per: .seconds(seconds))))
        #expect(RequestLimit(text)?.description == text)
    }

    @Test(
        "what is no limit is refused",
        arguments: ["", "60", "0/minute", "-1/minute", "60/", "60/month", "1/2/second", "OFF", "1000001/second"])
    func noLimit(text: String) { #expect(RequestLimit(text) == nil) }

    @Test("off limits nothing")
    func off() throws {
        #expect(RequestLimit("off") == .off)
        let limiter = RateLimiter(RateLimits(), proxies: TrustedProxies()) { 0 }
        for _ in 0..<10_000 { try limiter.admit(token: "a") }
    }

    @Test("the table keeps the clients that came last, and never more than twice as many as it is for")
    func table() {
        var table = RecentTable<Int, Int>(capacity: 100)
        for client in 0..<10_000 {
            table.update(client, default: 0) { $0 = client }
            table.update(-1, default: 0) { $0 += 1 }  // one that keeps coming
            #expect(table.count <= 200)
        }
        #expect(table.update(-1, default: 0) { $0 } == 10_000)
        for client in 9_901..<10_000 { #expect(table.update(client, default: 0) { $0 } == client) }
    }
}
