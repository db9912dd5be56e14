import Beacons

/// Durations in the form that people write: numbers with units, such as `350ms`, `90s`, `1.5m`, `1h30m` or `2d`.
public enum DurationText {
    private static let units: [(name: String, nanoseconds: Int64)] = [
        ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000),
        ("ms", 1_000_000),
    ]
    /// A century: far above every bound, far below overflow.
    private static let longest: Int64 = 36_525 * 86_400_000_000_000

    /// Parses a duration whose units are in descending order, each at most once. Exact to the nanosecond; nil for
    /// anything else.
    public static func parse(_ text: String) -> Duration? {
        var rest = text.utf8[...]
        var total: Int64 = 0
        var remaining = units[...]
        while !rest.isEmpty {
            let number = rest.prefix { $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest[number.endIndex...]
            let name = rest.prefix { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest[name.endIndex...]
            guard let unit = remaining.firstIndex(where: { $0.name.utf8.elementsEqual(name) }),
                let part = nanoseconds(number, unit: units[unit].nanoseconds)
            else { return nil }
            remaining = units[(unit + 1)...]
            total += part
            guard total <= longest else { return nil }
        }
        return text.isEmpty ? nil : .nanoseconds(total)
    }

    /// The duration with the largest units first, in the form that `parse` accepts; less than a millisecond is dropped.
    public static func format(_ duration: Duration) -> String {
        var rest = duration.wholeNanoseconds
        var text = ""
        for unit in units where rest >= unit.nanoseconds {
            text += "\(rest / unit.nanoseconds)\(unit.name)"
            rest %= unit.nanoseconds
        }
        return text.isEmpty ? "0s" : text
    }

    /// The nanoseconds of a decimal number of units, with at most nine digits on either side of the point.
    private static func nanoseconds(_ number: Substring.UTF8View, unit: Int64) -> Int64? {
        let parts = number.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, (1...9).contains(whole.count),
            let units = Int64(Substring(whole)),
            case let (value, overflow) = units.multipliedReportingOverflow(by: unit), !overflow, value <= longest
        else { return nil }
        guard parts.count == 2 else { return value }
        guard (1...9).contains(parts[1].count), let digits = Int64(Substring(parts[1])) else { return nil }
        let scale = (0..<parts[1].count).reduce(Int64(1)) { scale, _ in scale * 10 }
        // Split, so that nine digits of a day do not overflow.
        return value + unit / scale * digits + unit % scale * digits / scale
    }
}
