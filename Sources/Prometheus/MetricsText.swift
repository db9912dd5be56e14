import FoundationEssentials

/// Writes metrics in Prometheus' text format, version 0.0.4.
public struct MetricsText: Sendable {
    public enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    public struct Sample: Sendable {
        /// What a histogram appends to the name: `_bucket`, `_sum`, `_count`.
        let suffix: String
        let labels: [(name: String, value: String)]
        let value: Double

        public init(suffix: String = "", labels: [(name: String, value: String)] = [], value: Double) {
            self.suffix = suffix
            self.labels = labels
            self.value = value
        }
    }

    public static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    public private(set) var text = ""

    public init() {}

    /// A metric with all its samples, which must stand together.
    public mutating func add(_ kind: Kind, _ name: String, _ help: String, _ samples: [Sample]) {
        guard !samples.isEmpty else { return }
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples { text += "\(name)\(sample.suffix)\(Self.labels(sample)) \(Self.number(sample.value))\n" }
    }

    public mutating func add(_ kind: Kind, _ name: String, _ help: String, _ value: Double) {
        add(kind, name, help, [Sample(value: value)])
    }

    private static func labels(_ sample: Sample) -> String {
        guard !sample.labels.isEmpty else { return "" }
        let pairs = sample.labels.map { "\($0.name)=\"\(escaped($0.value))\"" }
        return "{\(pairs.joined(separator: ","))}"
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    /// Whole numbers without a fraction; others so that they read back as the same number.
    public static func number(_ value: Double) -> String {
        if value == .infinity { return "+Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }
}
