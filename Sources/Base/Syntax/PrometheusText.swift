/// Writes metrics in Prometheus' text format, version 0.0.4.
public struct PrometheusText: Sendable {
    /// The type of a metric.
    public enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    public typealias Label = (name: String, value: String)

    /// A value of a metric, with its labels.
    public struct Sample: Sendable {
        /// The suffix that a histogram appends to the name: `_bucket`, `_sum`, `_count`.
        let suffix: String
        let labels: [Label]
        let value: Double

        public init(_ value: Double, labels: [Label] = [], suffix: String = "") {
            self.value = value
            self.labels = labels
            self.suffix = suffix
        }
    }

    public static let mediaType = "text/plain; version=0.0.4"

    public private(set) var text = ""

    public init() {}

    /// Writes a metric with all its samples, which must be contiguous; nothing if there are none.
    public mutating func add(_ kind: Kind, _ name: String, _ help: String, _ samples: [Sample]) {
        guard !samples.isEmpty else { return }
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            text += "\(name)\(sample.suffix)\(Self.text(sample.labels)) \(Self.text(sample.value))\n"
        }
    }

    /// Writes a metric with one sample; nothing if the value is nil.
    public mutating func add(_ kind: Kind, _ name: String, _ help: String, _ value: Double?) {
        add(kind, name, help, value.map { [Sample($0)] } ?? [])
    }

    private static func text(_ labels: [Label]) -> String {
        guard !labels.isEmpty else { return "" }
        return "{\(labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ","))}"
    }

    private static func escaped(_ value: String) -> String {
        value.replacing(scalars: ["\\": "\\\\", "\"": "\\\"", "\n": "\\n"])
    }

    /// A number as text: whole numbers without a fraction, others so that they parse as the same number.
    public static func text(_ value: Double) -> String {
        if value == .infinity { return "+Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }
}
