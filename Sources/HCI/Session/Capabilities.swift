import Glibc

/// The effective capabilities of the process, in addition to its user's rights (capabilities(7)).
struct Capabilities: Hashable, Sendable {
    private let bits: UInt64

    /// - Parameter status: the text of `/proc/self/status`.
    init(status: String) {
        let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        let digits = line?.dropFirst("CapEff:".count).drop { $0 == "\t" || $0 == " " }
        bits = digits.flatMap { UInt64($0, radix: 16) } ?? 0
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
