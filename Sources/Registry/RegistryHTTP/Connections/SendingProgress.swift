import Glibc
import NIOCore

/// Whether the client of a connection with full send buffers is still reading.
///
/// The buffers between a registry and a slow client, the kernel's above all, hold megabytes: on a thin line nothing can
/// be written for a minute, although the client reads steadily. So this counts the bytes that the client has
/// acknowledged.
struct SendingProgress {
    /// The bytes that were acknowledged when there was progress; nil if that is not known.
    private var acknowledged: UInt64?

    /// Begins to count.
    mutating func begin(on channel: any Channel) { acknowledged = Self.acknowledged(on: channel) }

    /// Whether the client has acknowledged ``ConnectionTimeouts/progress`` bytes since the last call; true if that is
    /// not known, but only once.
    mutating func hasMore(on channel: any Channel) -> Bool {
        guard let now = Self.acknowledged(on: channel) else { return false }
        defer { acknowledged = now }
        guard let acknowledged else { return true }
        return now >= acknowledged && now - acknowledged >= ConnectionTimeouts.progress
    }

    /// The bytes that the peer has acknowledged since the connection began; nil if the channel is not a TCP connection.
    /// For use on the channel's event loop.
    private static func acknowledged(on channel: any Channel) -> UInt64? {
        guard let socket = channel as? any SocketOptionProvider else { return nil }
        var acknowledged: UInt64?
        let information: EventLoopFuture<TCPInformation> = socket.unsafeGetSocketOption(
            level: .tcp, name: NIOBSDSocket.Option(rawValue: TCP_INFO))
        // On its event loop, the result is there already.
        information.assumeIsolated().whenSuccess { acknowledged = $0.acknowledged }
        return acknowledged
    }

    /// The beginning of Linux's `struct tcp_info` (linux/tcp.h), up to `tcpi_bytes_acked`, which glibc's struct does
    /// not have. A kernel that knows less leaves the rest zero.
    private struct TCPInformation: Sendable {
        /// Eight bytes, and 24 numbers of 32 bits.
        var beginning: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0)
        var continuation: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)
        var pacingRate: UInt64 = 0
        var maximumPacingRate: UInt64 = 0
        var acknowledged: UInt64 = 0
    }
}
