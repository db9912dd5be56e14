extension ProgramSettings {
    private static let prefix = "FINDMYBIKE_"

    /// The environment variable of a key: `station.tokenFile` is `FINDMYBIKE_STATION_TOKEN_FILE`, and `publicURL`
    /// `FINDMYBIKE_PUBLIC_URL`.
    static func environmentVariable(forKey key: String) -> String {
        var name = prefix
        var before: Character = "."
        for character in key {
            // Capitals in a row are one word.
            if character.isUppercase, !before.isUppercase, before != "." { name.append("_") }
            name.append(contentsOf: character == "." ? "_" : character.uppercased())
            before = character
        }
        return name
    }

    /// The texts of the settings that the environment holds, by key.
    static func texts(of known: [any SettingDefinition], in environment: [String: String]) -> [String: String] {
        var texts: [String: String] = [:]
        for setting in known { texts[setting.key] = environment[environmentVariable(forKey: setting.key)] }
        return texts
    }

    /// Warnings about variables that look like settings and are none.
    static func strangers(in environment: [String: String], known: [any SettingDefinition]) -> [String] {
        let names = known.map { environmentVariable(forKey: $0.key) }
        return environment.keys.filter { $0.hasPrefix(prefix) && !names.contains($0) }.sorted().map { name in
            let suggestion = Spelling.nearest(to: name, among: names).map { ": did you mean \($0)?" } ?? ""
            return "the environment variable \(name) is no setting of this program and is ignored\(suggestion)"
        }
    }
}
