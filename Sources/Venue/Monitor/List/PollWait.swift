import HTTPClient
import RegistryClient

/// How long the registry may wait before it responds to a station's request for the missing list: the configured time,
/// or less if something on the way, such as a proxy with a short timeout, cuts off idle connections.
struct PollWait: Hashable, Sendable {
    /// The wait of the next request.
    private(set) var duration: Duration
    /// The number of waiting requests that have been cut off since the last response.
    private var cuts = 0

    /// The lower limit. A request that is cut off sooner was not cut off because it was idle.
    static let shortest = Duration.seconds(10)
    /// The first request that is cut off may be due to a restart of the registry.
    private static let patience = 2

    init(_ configured: Duration) { duration = configured }

    /// Notes a response, after which the count begins again.
    mutating func succeeded() { cuts = 0 }

    /// Records a failed request.
    ///
    /// - Parameter elapsed: the time from the request to the failure.
    /// - Returns: whether the next requests use a shorter wait.
    mutating func failed(_ error: RegistryError, after elapsed: Duration) -> Bool {
        guard Self.isCut(error), elapsed >= min(Self.shortest, duration / 2), duration > Self.shortest else {
            return false
        }
        cuts += 1
        guard cuts >= Self.patience else { return false }
        cuts = 0
        duration = max(Self.shortest, min(elapsed, duration) * 0.75)
        return true
    }

    /// Whether the connection ended without a response, or a proxy timed out.
    private static func isCut(_ error: RegistryError) -> Bool {
        switch error {
        case .unexpectedStatus(let status, _): status == 502 || status == 504 || status == 408
        case .unreachable(.transfer(let code, _, _)): cutCodes.contains(code)
        default: false
        }
    }

    // CURLE_HTTP2, CURLE_PARTIAL_FILE, CURLE_OPERATION_TIMEDOUT, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_HTTP2_STREAM
    // (libcurl-errors(3)).
    private static let cutCodes: Set<UInt32> = [16, 18, 28, 52, 56, 92]
}
