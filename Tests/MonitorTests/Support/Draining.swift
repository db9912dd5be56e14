@testable import Monitor

extension Reporter {
    /// Runs until an outbox has at most so many visits to report.
    ///
    /// - Parameter body: what happens meanwhile.
    func drain(_ outbox: Outbox, to depth: Int = 0, _ body: () async throws -> Void = {}) async throws {
        // Every answer is an event, sent once it is noted.
        var events = venue.events.stream().makeAsyncIterator()
        let task = Task { try await run() }
        try await body()
        while try await outbox.depth() > depth, await events.next() != nil {}
        task.cancel()
        try await task.value
    }
}
