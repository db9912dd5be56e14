import Syntax

/// Names the radios of a Home Assistant as receivers: by the settings if they name one, or else by Home Assistant,
/// after the name of the entry, such as `home.kitchen`.
///
/// A radio keeps its name while the monitor runs, and no other receiver has it. The number of names is bounded; the
/// radios beyond it have the name of the entry.
struct SourceNames {
    static let maximum = HomeAssistantDialogue.maximumSources
    /// The longest name of a receiver.
    static let longest = 32

    /// The entry's name.
    let entry: String
    /// The names by the settings, by the addresses of radios in upper case.
    private let given: [String: String]
    /// The names by the settings, of these radios and of other receivers.
    private let taken: Set<String>
    private var names: [String: String] = [:]
    /// The radios whose names Home Assistant has not sent yet.
    private var unnamed: Set<String> = []

    init(entry: String, given: [String: String], taken: Set<String> = []) {
        self.entry = entry
        self.taken = taken.union(given.values)
        self.given = given
    }

    /// The name of the radio with an address.
    ///
    /// - Parameter told: the name in Home Assistant, if it is known: `kitchen (AA:BB:CC:DD:EE:FF)`.
    mutating func name(of address: String, told: String? = nil) -> String {
        let key = address.uppercased()
        if let name = given[key] ?? names[key] { return name }
        unnamed.remove(key)
        guard names.count + unnamed.count < Self.maximum else { return entry }
        let short = told.map { $0.dropping(suffix: " (\(address))").map(String.init) ?? $0 } ?? ""
        let end = Self.plain(String(key.unicodeScalars.suffix(8)))
        let plain = short.utf8.elementsEqual(address.utf8) ? "" : Self.plain(short)
        var name = Self.cut("\(entry).\(plain.isEmpty ? end : plain)", to: Self.longest)
        func isUsed(_ name: String) -> Bool { taken.contains(name) || names.values.contains(name) }
        if isUsed(name) { name = Self.cut(name, to: Self.longest - end.utf8.count - 1) + "-" + end }
        guard !isUsed(name) else { return entry }
        if told == nil { unnamed.insert(key) } else { names[key] = name }
        return name
    }

    /// Letters and digits of ASCII, `_` and `-`; everything else becomes one hyphen.
    private static func plain(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(64) {
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            if isPlain || scalar == "_" {
                result.append(scalar)
            } else if let last = result.last, last != "-" {
                result.append("-")
            }
        }
        return String(String(result).trimming(scalars: { $0 == "-" }))
    }

    private static func cut(_ text: String, to length: Int) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(length)))
    }
}
