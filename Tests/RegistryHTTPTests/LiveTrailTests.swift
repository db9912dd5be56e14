import RegistryAPI
import RegistryClient
import RegistryTestSupport
import Testing

@Suite("The trail, live over TCP", .timeLimit(.minutes(2)))
struct LiveTrailTests {
    @Test("each change comes as it happens, and a stream resumes after the last one that was seen")
    func resume() async throws {
        try await LiveTrail.run { live in
            try await live.tell(1)
            let first = live.follow(after: nil)
            try await first.waitFor(1)
            try await live.tell(2)
            try await first.waitFor(2)
            #expect(first.seen.map(\.id.low) == [1, 2])
            first.cancel()
            try await live.tell(3)
            let second = live.follow(after: first.last)
            try await second.waitFor(1)
            #expect(second.seen.map(\.id.low) == [3])
            try await live.tell(3, lasting: .seconds(300))
            try await second.waitFor(2)
            #expect(second.seen.map(\.lastSeen).last == live.start.advanced(by: .seconds(300)))
            second.cancel()
        }
    }

    @Test("streams end with the token that opened them")
    func revocation() async throws {
        try await LiveTrail.run { live in
            let follower = live.follow(after: nil)
            try await live.tell(1)
            try await follower.waitFor(1)
            try await live.revokeOwner()
            try await follower.waitForEnd()
            await #expect(throws: RegistryError.self) { try await live.follow(after: nil).waitForEnd() }
        }
    }

    @Test("an owner has a few streams at a time, and a closed one makes room")
    func limit() async throws {
        try await LiveTrail.run { live in
            try await live.tell(1)
            let followers = (0..<2).map { _ in live.follow(after: nil) }
            for follower in followers { try await follower.waitFor(1) }
            let error = await #expect(throws: RegistryError.self) { try await live.follow(after: nil).waitForEnd() }
            guard case .refused(let problem, let retryAfter) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(problem.status == 429 && problem.type.hasSuffix("too-many-streams") && retryAfter != nil)
            followers[0].cancel()
            // The server notices with its next sign of life.
            while true {
                let next = live.follow(after: nil)
                if (try? await next.waitFor(1)) != nil { return next.cancel() }
            }
        }
    }

    @Test("a graceful shutdown ends open streams")
    func shutdown() async throws {
        try await LiveTrail.run { live in
            try await live.tell(1)
            let follower = live.follow(after: nil)
            try await follower.waitFor(1)
            await live.shutDown()
            try await follower.waitForEnd()
        }
    }
}
