import OperatingSystem

/// Sends requests through one libcurl easy handle, one at a time, and keeps its connections open between them.
///
/// TLS certificates and host names are always verified; redirects are never followed; only `http` and `https` are
/// supported. If the task is cancelled, its transfer is aborted within a second.
public actor HTTPConnection {
    private let executor = QueueExecutor(label: "HTTPConnection")
    private let configuration: HTTPConfiguration
    private let handle: EasyHandle

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Throws: ``HTTPError`` if libcurl cannot create a handle, that is, if memory is exhausted.
    public init(_ configuration: HTTPConfiguration = HTTPConfiguration()) throws(HTTPError) {
        self.configuration = configuration
        handle = try EasyHandle()
    }

    /// Sends a request and waits for its response, whatever the status.
    ///
    /// - Throws: ``HTTPError``, or `CancellationError`.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try perform(request, cancellation, sink: nil)
        } onCancel: {
            cancellation.set()
        }
    }

    /// Sends a request and passes on the body of a successful response as it arrives, without a limit; the returned
    /// response has no body then. The connection is busy until the peer ends the body or the request times out.
    ///
    /// - Parameter sink: called off any actor, in order; must return quickly.
    /// - Throws: ``HTTPError``, or `CancellationError`.
    public func receive(
        _ request: HTTPRequest, into sink: @escaping @Sendable ([UInt8]) -> Void
    ) async throws -> HTTPResponse {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try perform(request, cancellation, sink: sink)
        } onCancel: {
            cancellation.set()
        }
    }

    private func perform(
        _ request: HTTPRequest, _ cancellation: CancellationFlag, sink: (([UInt8]) -> Void)?
    ) throws -> HTTPResponse {
        try Task.checkCancellation()
        let transfer = Transfer(
            limit: request.responseLimit ?? configuration.responseLimit,
            addresses: configuration.addresses,
            cancellation: cancellation
        )
        transfer.sink = sink
        let result = try handle.perform(request, configuration, transfer)
        return try handle.response(to: transfer, after: result.code).get()
    }
}
