import Dispatch

/// Sends concurrent requests: over HTTP/2 as streams of a few connections, otherwise over one connection each.
///
/// One thread drives all transfers through libcurl's multi interface (libcurl-multi(3)). The rules are those of
/// ``HTTPConnection``: certificates and host names are verified, redirects are not followed, and only `http` and
/// `https` are supported. If a task is cancelled, its transfer is aborted immediately. Requests beyond the concurrency
/// limit are queued, and their timeout starts when they are sent.
public final class HTTPMultiplexer: Sendable {
    private let mailbox: TransferMailbox

    /// - Parameters:
    ///   - concurrency: the maximum number of concurrent requests.
    ///   - connections: the maximum number of connections to one host.
    /// - Throws: ``HTTPError`` if libcurl cannot create a handle, that is, if memory is exhausted.
    public init(
        _ configuration: HTTPConfiguration = HTTPConfiguration(), concurrency: Int = 100, connections: Int = 4
    ) throws(HTTPError) {
        let handle = try MultiHandle(connections: connections, streams: concurrency)
        let mailbox = TransferMailbox(waker: handle.waker)
        self.mailbox = mailbox
        let starter = LoopStarter(loop: MultiLoop(handle, mailbox, configuration, concurrency: concurrency))
        DispatchQueue(label: "HTTPMultiplexer").async { starter.loop.run() }
    }

    /// Aborts running transfers; the thread ends.
    deinit { mailbox.close() }

    /// Sends a request and waits for its response, whatever the status.
    ///
    /// - Throws: ``HTTPError``, or `CancellationError`.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                mailbox.add(TransferOrder(request: request, cancellation: cancellation, continuation: continuation))
            }
        } onCancel: {
            // In this order: the thread looks at the flags once after it was notified, and must find this one set.
            cancellation.set()
            mailbox.noteCancellation()
        }
    }
}

/// Passes the loop to its thread.
///
/// Safe: its creator keeps no reference to the loop, and only the one block that receives the loop uses it.
private struct LoopStarter: @unchecked Sendable {
    let loop: MultiLoop
}
