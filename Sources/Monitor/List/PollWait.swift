import HTTPClient
import RegistryClient

/// How long the registry may wait before it answers a station's question for the missing list: as configured, or shorter
/// where something on the way, such as a proxy with a short timeout, cuts quiet connections.
struct PollWait: Hashable, Sendable {
    /// What the next question asks for.
    private(set) var duration: Duration
    /// Quiet questions that were cut since the last one that was answered.
    private var cuts = 0

    /// A question that is cut sooner did not fail for its quietness. Never asked for less.
    static let shortest = Duration.seconds(10)
    /// One cut may be a restart of the registry.
    private static let patience = 2

    init(_ configured: Duration) { duration = configured }

    mutating func succeeded() { cuts = 0 }

    /// Takes a failed question into account.
    ///
    /// - Parameter elapsed: from the question to the failure.
    /// - Returns: whether the next questions ask for a shorter wait.
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

    /// The connection ended without an answer, or a proxy lost its patience.
    private static func isCut(_ error: RegistryError) -> Bool {
        switch error {
        case .unexpectedStatus(let status, _): status == 502 || status == 504 || status == 408
        case .unreachable(.transfer(let code, _)): cutCodes.contains(code)
        default: false
        }
    }

    // CURLE_HTTP2, CURLE_PARTIAL_FILE, CURLE_OPERATION_TIMEDOUT, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_HTTP2_STREAM
    // (libcurl-errors(3)).
    private static let cutCodes: Set<UInt32> = [16, 18, 28, 52, 56, 92]
}
