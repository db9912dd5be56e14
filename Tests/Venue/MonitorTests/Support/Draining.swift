@testable import Monitor

extension Reporter {
    /// Runs until an outbox has at most this number of visits to report.
    ///
    /// - Parameter body: runs meanwhile.
    func drain(_ outbox: Outbox, to depth: Int = 0, _ body: () async throws -> Void = {}) async throws {
        // Every response causes an event, sent once it is recorded.
        var events = venue.events.stream().makeAsyncIterator()
        let task = Task { try await run() }
        try await body()
        while try await outbox.depth() > depth, await events.next() != nil {}
        task.cancel()
        try await task.value
    }
}
