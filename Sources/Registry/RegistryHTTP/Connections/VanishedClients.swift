import Glibc
import NIOCore

/// Finds clients that disappeared without closing their connection, such as a station that lost power. While it waited
/// for the missing list, it would keep its place for up to 15 minutes otherwise.
enum VanishedClients {
    /// Seconds without a packet before the first probe, seconds between probes, and the number of probes (tcp(7)). The
    /// kernel closes a connection after two minutes of silence.
    private static let options = [(TCP_KEEPIDLE, 60), (TCP_KEEPINTVL, 15), (TCP_KEEPCNT, 4)]

    /// Sets TCP keep-alive on a listening socket; accepted connections inherit it. Options that the system refuses are
    /// skipped.
    static func detect(on listener: any Channel) async {
        try? await listener.setOption(.socketOption(.so_keepalive), value: 1).get()
        for (option, value) in options {
            try? await listener.setOption(.tcpOption(.init(rawValue: option)), value: value).get()
        }
    }
}
