/// Writes metrics in Prometheus' text format, version 0.0.4.
public struct PrometheusText: Sendable {
    /// The type of a metric.
    public enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    /// A label: its name is written as it is, its value is escaped.
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

    /// The media type of an answer with this text.
    public static let mediaType = "text/plain; version=0.0.4"

    /// The metrics so far.
    public private(set) var text = ""

    public init() {}

    /// Writes a metric with all its samples, which must be contiguous; nothing if there are none.
    ///
    /// - Parameters:
    ///   - name: the metric's name with its unit, such as `findmybike_uptime_seconds`; written as it is.
    ///   - help: its meaning in one line without backslashes; written as it is.
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
        let pairs = labels.map { "\($0.name)=\"\(escaped($0.value))\"" }
        return "{" + pairs.joined(separator: ",") + "}"
    }

    /// The value of a label, with the escapes of the format.
    private static func escaped(_ value: String) -> String {
        value.replacing(scalars: ["\\": "\\\\", "\"": "\\\"", "\n": "\\n"])
    }

    /// A number as text: whole numbers without a fraction, others so that they parse as the same number.
    public static func text(_ value: Double) -> String {
        if value == .infinity { return "+Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }
}
