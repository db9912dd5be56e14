/// Waits for what nothing announces, such as what another program does, and looks again until it has happened.
///
/// For what this program does, await an event instead, for example with ``Tally``.
///
/// - Parameters:
///   - event: what should happen, for the failure.
///   - limit: the longest wait. A pause between two looks counts only with the length that it should have, so a busy
///     machine, on which it takes longer, also gets longer.
/// - Throws: ``Overdue``; also the error of the check.
public func eventually(
    _ event: String, within limit: Duration = .seconds(120), _ hasHappened: () async throws -> Bool
) async throws {
    let pause = Duration.milliseconds(20)
    var left = limit
    while true {
        let began = ContinuousClock.now
        if try await hasHappened() { return }
        left -= began.duration(to: .now) + pause
        guard left > .zero else { throw Overdue(description: "after \(limit) still not: \(event)") }
        try await Task.sleep(for: pause)
    }
}

/// Waits like ``eventually(_:within:_:)`` for what a peer does. If the peer's task ends first, this fails with its error.
public func eventually<Result: Sendable>(
    _ event: String, by peer: Task<Result, any Error>, _ hasHappened: () async throws -> Bool
) async throws {
    let ended = Tally()
    let watch = Task {
        _ = await peer.result
        ended.add()
    }
    defer { watch.cancel() }
    try await eventually(event) {
        if try await hasHappened() { return true }
        guard ended.count > 0 else { return false }
        throw Overdue(description: "the peer has ended before: \(event); with \(try await peer.value)")
    }
}

/// Something that should have happened by now.
public struct Overdue: Error, CustomStringConvertible {
    public let description: String
}
