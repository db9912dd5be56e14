import CCurl
import QueueExecution

/// Sends requests through one libcurl easy handle, one at a time, and keeps its connections open between them.
///
/// TLS certificates and host names are always verified; redirects are never followed here; only `http` and `https` are
/// spoken. A cancelled task breaks off its transfer within a second.
public actor HTTPConnection {
    private let executor = QueueExecutor(label: "HTTPConnection")
    private let configuration: HTTPConfiguration
    private let handle: EasyHandle

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Throws where libcurl cannot give a handle, that is, without memory.
    public init(_ configuration: HTTPConfiguration = HTTPConfiguration()) throws(HTTPError) {
        self.configuration = configuration
        handle = try EasyHandle()
    }

    /// Sends a request and waits for its answer, whatever the status.
    ///
    /// - Throws: ``HTTPError``, or `CancellationError`.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try perform(request, cancellation)
        } onCancel: {
            cancellation.set()
        }
    }

    private func perform(_ request: HTTPRequest, _ cancellation: CancellationFlag) throws -> HTTPResponse {
        try Task.checkCancellation()
        let transfer = Transfer(
            limit: configuration.responseLimit,
            addresses: configuration.addresses,
            cancellation: cancellation
        )
        let result = try handle.perform(request, configuration, transfer)
        if cancellation.isSet { throw CancellationError() }
        if transfer.isTooLarge { throw HTTPError.responseTooLarge(limit: transfer.limit) }
        guard result.code == CURLE_OK else {
            if let address = transfer.refusedAddress { throw HTTPError.addressRefused(address.description) }
            throw HTTPError.transfer(code: result.code.rawValue, message: result.message)
        }
        return HTTPResponse(
            status: handle.status,
            headers: transfer.headers,
            body: transfer.body,
            redirect: handle.redirect,
            retryAfter: handle.retryAfter
        )
    }
}
