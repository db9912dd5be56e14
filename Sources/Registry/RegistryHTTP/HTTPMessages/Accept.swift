import Syntax

/// Proactive negotiation of media types by `Accept` (RFC 9110, section 12.5.1).
struct Accept {
    /// A media range, such as `text/*`.
    private struct Range {
        let type: Substring
        let subtype: Substring
        let quality: Double

        /// How precisely the range matches a media type: 2 by name, 1 by its type, 0 by `*/*`;
        /// nil if it does not match.
        func precision(for type: Substring, _ subtype: Substring) -> Int? {
            if self.type == "*" { return 0 }
            guard self.type == type else { return nil }
            if self.subtype == "*" { return 1 }
            return self.subtype == subtype ? 2 : nil
        }
    }

    private let ranges: [Range]

    /// Without a field, everything is accepted; parts that cannot be parsed are ignored.
    ///
    /// - Parameter fields: the values of all `Accept` fields of a request.
    init(_ fields: [String]) {
        if fields.isEmpty {
            ranges = [Range(type: "*", subtype: "*", quality: 1)]
        } else {
            ranges = Preference.all(in: fields).compactMap(Self.range)
        }
    }

    private static func range(_ preference: Preference) -> Range? {
        let names = preference.name.split(at: "/", omittingEmptySubsequences: false)
        guard names.count == 2, !names[0].isEmpty, !names[1].isEmpty, names[0] != "*" || names[1] == "*" else {
            return nil
        }
        return Range(type: names[0], subtype: names[1], quality: preference.quality)
    }

    /// The quality that the caller gives a media type, 0 to 1: the most precise match counts; zero means not
    /// acceptable.
    ///
    /// - Parameter mediaType: without parameters, as in `text/html`.
    func quality(of mediaType: String) -> Double {
        let names = mediaType.split(at: "/")
        let fitting = ranges.compactMap { range in
            range.precision(for: names[0], names[1]).map { (precision: $0, quality: range.quality) }
        }
        guard let highest = fitting.map(\.precision).max() else { return 0 }
        return fitting.filter { $0.precision == highest }.map(\.quality).max() ?? 0
    }

    /// The offer with the highest quality, the first one among equals; nil if the caller accepts none.
    func best(of offered: [String]) -> String? {
        var best: (mediaType: String, quality: Double)?
        for mediaType in offered {
            let quality = quality(of: mediaType)
            if quality > best?.quality ?? 0 { best = (mediaType, quality) }
        }
        return best?.mediaType
    }
}
