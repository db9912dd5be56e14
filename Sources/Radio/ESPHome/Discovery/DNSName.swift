import Syntax

/// A domain name as its labels, compared without regard to ASCII case (RFC 6762, section 16).
struct DNSName: Hashable, Sendable {
    /// 1 to 63 bytes each, and 255 in all with their lengths (RFC 1035, section 2.3.4).
    let labels: [String]

    init(_ labels: [String]) {
        self.labels = labels
    }

    /// A name without dots in its labels: `_esphomelib._tcp.local`.
    init(_ text: String) {
        labels = text.split(at: ".").map(String.init)
    }

    /// The name as people write it.
    var text: String { labels.joined(separator: ".") }

    /// The name as it is sent: each label after its length, and a zero.
    var bytes: [UInt8] { labels.flatMap { [UInt8(truncatingIfNeeded: $0.utf8.count)] + $0.utf8 } + [0] }

    /// What names are compared by.
    private var key: [String] { labels.map { $0.lowercased() } }

    static func == (left: Self, right: Self) -> Bool { left.key == right.key }

    func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
