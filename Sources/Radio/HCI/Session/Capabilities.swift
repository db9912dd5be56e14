import Glibc
import Syntax

/// The effective capabilities of the process, in addition to its user's rights (capabilities(7)).
struct Capabilities: Hashable, Sendable {
    private let bits: UInt64

    /// - Parameter status: the text of `/proc/self/status`.
    init(status: String) {
        let digits = status.split(at: "\n").lazy.compactMap { $0.dropping(prefix: "CapEff:") }.first
        bits = digits.flatMap { UInt64($0.trimming(scalars: \.isBlank), radix: 16) } ?? 0
    }

    /// The current capabilities of this process.
    static var current: Capabilities {
        guard let file = fopen("/proc/self/status", "re") else { return Capabilities(status: "") }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = fread(&bytes, 1, bytes.count, file)
        return Capabilities(status: String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    /// CAP_NET_ADMIN, which allows powering and resetting adapters.
    var administersNetworks: Bool { bits >> 12 & 1 == 1 }
}
