/// Wakes the reporter when there is something to report. Several calls before it wakes count once.
public struct ReportSignal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    public init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    public func send() {
        continuation.yield()
    }

    /// Returns at the next signal, at once if one is waiting, or when the task is cancelled. One waiter at a time.
    func wait() async {
        for await _ in stream { return }
    }
}
