import Syntax

/// A client's preference in `Accept`, `Accept-Encoding` or a similar field: a name in lower case with its quality, 0 to
/// 1 (RFC 9110, section 12.4.2).
struct Preference {
    /// A media type, a coding, or `*`.
    let name: Substring
    /// Zero means not acceptable.
    let quality: Double

    /// The preferences in all fields of a name, in their order; a quality that cannot be parsed is zero.
    static func all(in fields: [String]) -> [Preference] {
        fields.flatMap { $0.lowercased().split(at: ",") }.compactMap { part in
            let parts = part.split(at: ";").map { $0.trimming(scalars: \.isBlank) }
            guard let name = parts.first else { return nil }
            let weight = parts.dropFirst().lazy.compactMap { $0.dropping(prefix: "q=") }.first
            // Without a weight, the quality is 1.
            let quality = Double(weight ?? "1") ?? 0
            return Preference(name: name, quality: min(max(quality, 0), 1))
        }
    }
}
