import Beacons
import Yams

/// A value of a scenario file, or of another YAML file that is read as strictly, with its path for errors.
public struct ScenarioField {
    let node: Node
    /// The path, such as `beacons[2].interval`; empty for the whole file.
    public let key: String
    let source: String

    /// An error at this value.
    public func error(_ problem: String) -> ScenarioError {
        ScenarioError(source: source, line: node.mark?.line, key: key.isEmpty ? nil : key, problem: problem)
    }

    /// An error that shows the invalid text, shortened.
    private func refusal(_ text: String, _ remedy: String) -> ScenarioError {
        let shown = text.count > 40 ? text.prefix(40) + "…" : text[...]
        return error("‘\(shown)’ is invalid: \(remedy)")
    }

    /// The text of a value that is neither a list nor a mapping.
    private func scalar(_ remedy: String) throws(ScenarioError) -> String {
        guard case .scalar(let scalar) = node, !scalar.string.isEmpty else {
            throw error("a single value is needed: \(remedy)")
        }
        return scalar.string
    }

    /// Text of 1 to `limit` characters.
    public func text(limit: Int) throws(ScenarioError) -> String {
        let remedy = "write 1 to \(limit) characters"
        let text = try scalar(remedy)
        guard text.utf8.count <= 4 * limit, text.count <= limit else { throw refusal(text, remedy) }
        return text
    }

    /// `true` or `false`.
    public func bool() throws(ScenarioError) -> Bool {
        let remedy = "write true or false"
        switch try scalar(remedy) {
        case "true": return true
        case "false": return false
        case let other: throw refusal(other, remedy)
        }
    }

    /// A whole decimal number.
    public func integer<Value: FixedWidthInteger>(in bounds: ClosedRange<Value>) throws(ScenarioError) -> Value {
        let remedy = "write a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
        let text = try scalar(remedy)
        guard let value = Value(text), bounds.contains(value) else { throw refusal(text, remedy) }
        return value
    }

    /// A decimal number, with an optional exponent; never infinite or hexadecimal.
    public func number(in bounds: ClosedRange<Double>, unit: String) throws(ScenarioError) -> Double {
        let remedy = "write a number from \(short(bounds.lowerBound)) to \(short(bounds.upperBound))\(unit)"
        let text = try scalar(remedy)
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
            let value = Double(text), bounds.contains(value)
        else { throw refusal(text, remedy) }
        return value
    }

    /// A duration in the form of ``DurationText``.
    public func duration(in bounds: ClosedRange<Duration>) throws(ScenarioError) -> Duration {
        let remedy = """
            write a time from \(DurationText.format(bounds.lowerBound)) to \(DurationText.format(bounds.upperBound)), \
            as in 350ms, 90s, 1.5m or 1h30m
            """
        let text = try scalar(remedy)
        guard let value = DurationText.parse(text), bounds.contains(value) else { throw refusal(text, remedy) }
        return value
    }

    /// An identity, `UUID:major:minor`.
    func identity() throws(ScenarioError) -> BeaconIdentity {
        let remedy = "write UUID:major:minor, as in 7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:20815"
        let text = try scalar(remedy)
        guard let value = BeaconIdentity(text) else { throw refusal(text, remedy) }
        return value
    }

    /// A number without a needless fraction.
    private func short(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }
}

extension ScenarioField {
    /// The whole of a YAML text.
    ///
    /// - Parameter source: its name in errors.
    public init(yaml: String, source: String) throws(ScenarioError) {
        do {
            guard let root = try Yams.compose(yaml: yaml) else {
                throw ScenarioError(source: source, problem: "the file is empty")
            }
            self.init(node: root, key: "", source: source)
        } catch let error as YamlError {
            throw ScenarioError(error, source: source)
        } catch let error as ScenarioError {
            throw error
        } catch {
            throw ScenarioError(source: source, problem: "not YAML: \(error)")
        }
    }

    /// A list of `1…limit` values.
    public func list(limit: Int) throws(ScenarioError) -> [ScenarioField] {
        guard case .sequence(let nodes) = node, (1...limit).contains(nodes.count) else {
            throw error("a list of 1 to \(limit) entries is needed: begin each with “- ”")
        }
        return nodes.enumerated().map { index, node in
            ScenarioField(node: node, key: "\(key)[\(index)]", source: source)
        }
    }

    /// A mapping that contains only the given keys.
    public func object(allowing keys: [String]) throws(ScenarioError) -> ScenarioObject {
        guard case .mapping(let mapping) = node else {
            throw error("keys with values are needed: \(keys.joined(separator: ", "))")
        }
        var fields: [String: ScenarioField] = [:]
        for (name, value) in mapping {
            let text = name.scalar?.string ?? "?"
            let path = key.isEmpty ? text : "\(key).\(text)"
            guard keys.contains(text) else {
                let field = ScenarioField(node: name, key: path, source: source)
                throw field.error("unknown key: remove it, or use one of \(keys.joined(separator: ", "))")
            }
            fields[text] = ScenarioField(node: value, key: path, source: source)
        }
        return ScenarioObject(field: self, fields: fields)
    }
}

/// A mapping whose keys are all known.
public struct ScenarioObject {
    /// The mapping itself, for errors about all of it.
    public let field: ScenarioField
    fileprivate let fields: [String: ScenarioField]

    fileprivate init(field: ScenarioField, fields: [String: ScenarioField]) {
        self.field = field
        self.fields = fields
    }

    /// The value of a key; nil if there is none.
    public subscript(_ key: String) -> ScenarioField? { fields[key] }

    /// The value of a key.
    ///
    /// - Throws: ``ScenarioError`` if there is none.
    public func required(_ key: String) throws(ScenarioError) -> ScenarioField {
        guard let value = fields[key] else { throw field.error("‘\(key)’ is missing: add it") }
        return value
    }
}
