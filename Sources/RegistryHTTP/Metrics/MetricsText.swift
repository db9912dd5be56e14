import FoundationEssentials

/// Writes metrics in Prometheus' text format, version 0.0.4.
struct MetricsText {
    enum Kind: String {
        case counter, gauge, histogram
    }

    struct Sample {
        /// What a histogram appends to the name: `_bucket`, `_sum`, `_count`.
        var suffix = ""
        var labels: [(name: String, value: String)] = []
        let value: Double
    }

    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    /// A metric with all its samples, which must stand together.
    mutating func add(_ kind: Kind, _ name: String, _ help: String, _ samples: [Sample]) {
        guard !samples.isEmpty else { return }
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples { text += "\(name)\(sample.suffix)\(Self.labels(sample)) \(Self.number(sample.value))\n" }
    }

    mutating func add(_ kind: Kind, _ name: String, _ help: String, _ value: Double) {
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
    static func number(_ value: Double) -> String {
        if value == .infinity { return "+Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }
}
