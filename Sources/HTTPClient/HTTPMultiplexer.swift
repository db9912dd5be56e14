import CCurl
import Dispatch

/// Sends requests that overlap: over HTTP/2 as streams of few connections, otherwise over a connection each.
///
/// One thread drives all transfers by libcurl's multi interface (libcurl-multi(3)). The rules are those of
/// ``HTTPConnection``: certificates and host names are verified, redirects are not followed, only `http` and `https` are
/// spoken. A cancelled task breaks off its transfer at once. At most so many requests are under way; further ones wait
/// their turn, and their time counts from it.
public final class HTTPMultiplexer: Sendable {
    private let mailbox: TransferMailbox

    /// - Parameters:
    ///   - concurrency: requests under way.
    ///   - connections: to one host.
    /// - Throws: where libcurl cannot give a handle, that is, without memory.
    public init(
        _ configuration: HTTPConfiguration = HTTPConfiguration(), concurrency: Int = 100, connections: Int = 4
    ) throws(HTTPError) {
        let handle = try MultiHandle(connections: connections, streams: concurrency)
        let mailbox = TransferMailbox(waker: handle.waker)
        self.mailbox = mailbox
        let starter = LoopStarter(loop: MultiLoop(handle, mailbox, configuration, concurrency: concurrency))
        DispatchQueue(label: "HTTPMultiplexer").async { starter.loop.run() }
    }

    /// Breaks off what is under way; the thread ends.
    deinit { mailbox.close() }

    /// Sends a request and waits for its answer, whatever the status.
    ///
    /// - Throws: ``HTTPError``, or `CancellationError`.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                mailbox.add(TransferOrder(request: request, cancellation: cancellation, continuation: continuation))
            }
        } onCancel: {
            cancellation.set()
            mailbox.noteCancellation()
        }
    }
}

/// Carries the loop to its thread.
///
/// Safe: whoever makes it keeps no reference to the loop, and only the one block that gets it touches it.
private struct LoopStarter: @unchecked Sendable {
    let loop: MultiLoop
}
