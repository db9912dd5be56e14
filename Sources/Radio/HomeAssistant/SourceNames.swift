import Syntax

/// Names the radios of a Home Assistant as receivers: by the settings if they name one, or else by Home Assistant,
/// after the name of the entry, such as `home.kitchen`.
///
/// A radio keeps a name from the settings or from Home Assistant while the monitor runs, and no other radio or receiver
/// gets it. Until Home Assistant has sent the name of a radio, the radio has one from the end of its address. This is
/// provisional: it is not reserved, and can change with each call. The number of names is bounded; the radios beyond it,
/// and those for which no name is free, share the name of the entry.
struct SourceNames {
    /// The most radios that get names.
    static let maximum = HomeAssistantDialogue.maximumSources
    /// The longest name of a receiver that the registry accepts, in characters.
    static let longest = 32

    /// The entry's name.
    let entry: String
    /// The names by the settings, by the addresses of radios in upper case.
    private let given: [String: String]
    /// The names by the settings, of these radios and of other receivers, even of those that are not there now: they must
    /// still be free when these come.
    private let taken: Set<String>
    /// The names that were kept, by the addresses of radios in upper case.
    private var names: [String: String] = [:]
    /// The radios with provisional names, which count towards the bound.
    private var unnamed: Set<String> = []

    init(entry: String, given: [String: String], taken: Set<String> = []) {
        self.entry = entry
        self.taken = taken.union(given.values)
        self.given = given
    }

    /// The name of the radio with an address.
    ///
    /// - Parameter nameInHomeAssistant: if it is known: `kitchen (AA:BB:CC:DD:EE:FF)`.
    mutating func name(of address: String, nameInHomeAssistant: String? = nil) -> String {
        let key = address.uppercased()
        if let name = given[key] ?? names[key] { return name }
        // The radio must not count against itself. It is inserted again below if its name is still provisional.
        unnamed.remove(key)
        guard names.count + unnamed.count < Self.maximum else { return entry }
        let name = freeName(for: address, nameInHomeAssistant ?? "")
        guard let name else { return entry }
        if nameInHomeAssistant == nil { unnamed.insert(key) } else { names[key] = name }
        return name
    }

    /// A name that no other receiver has, from the name in Home Assistant, or else from the end of the address, which
    /// also distinguishes equal names; nil if that is used, too.
    private func freeName(for address: String, _ nameInHomeAssistant: String) -> String? {
        // The last three bytes of the address, with hyphens.
        let addressEnd = Self.plain(String(address.uppercased().unicodeScalars.suffix(8)))
        let withoutAddress = nameInHomeAssistant.dropping(suffix: " (\(address))").map { String($0) }
        let short = withoutAddress ?? nameInHomeAssistant
        // Home Assistant names a radio by its address if it knows nothing better.
        let plain = short.utf8.elementsEqual(address.utf8) ? "" : Self.plain(short)
        let name = Self.cut("\(entry).\(plain.isEmpty ? addressEnd : plain)", to: Self.longest)
        guard isUsed(name) else { return name }
        let longer = Self.cut(name, to: Self.longest - addressEnd.utf8.count - 1) + "-" + addressEnd
        return isUsed(longer) ? nil : longer
    }

    private func isUsed(_ name: String) -> Bool { taken.contains(name) || names.values.contains(name) }

    /// Letters and digits of ASCII, `_` and `-`; everything else becomes one hyphen.
    private static func plain(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        // Home Assistant's name can have any length. Twice the longest name of a receiver is enough, since that is cut.
        for scalar in text.unicodeScalars.prefix(2 * longest) {
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            if isPlain || scalar == "_" {
                result.append(scalar)
            } else if let last = result.last, last != "-" {
                result.append("-")
            }
        }
        return String(String(result).trimming(scalars: { $0 == "-" }))
    }

    /// The first characters (Unicode scalars) of a text.
    private static func cut(_ text: String, to length: Int) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(length)))
    }
}
