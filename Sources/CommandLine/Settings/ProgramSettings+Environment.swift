import Syntax

extension ProgramSettings {
    /// The beginning of the names of all variables that are settings.
    private static let prefix = "FINDMYBIKE_"

    /// The prefix of the monitor's variables for the commands that it runs, which may be these programs.
    private static let alarmPrefix = "FINDMYBIKE_ALARM_"

    /// The environment variable of a key: `station.tokenFile` is `FINDMYBIKE_STATION_TOKEN_FILE`, and `publicURL`
    /// `FINDMYBIKE_PUBLIC_URL`.
    public static func environmentVariable(forKey key: String) -> String {
        var name = prefix
        var previous: Character = "."
        for character in key {
            // Consecutive capitals are one word.
            if character.isUppercase, !previous.isUppercase, previous != "." { name.append("_") }
            name.append(contentsOf: character == "." ? "_" : character.uppercased())
            previous = character
        }
        return name
    }

    /// The texts of the settings that the environment sets, by key.
    static func texts(of known: [any SettingDefinition], in environment: [String: String]) -> [String: String] {
        var texts: [String: String] = [:]
        for setting in known { texts[setting.key] = environment[environmentVariable(forKey: setting.key)] }
        return texts
    }

    /// Warnings about variables that look like settings but are not, each with the setting that was probably meant.
    ///
    /// - Parameter others: settings of the program's other commands, whose variables are also valid.
    public static func warnings(
        in environment: [String: String], known: [any SettingDefinition], others: [any SettingDefinition] = []
    ) -> [String] {
        let names = known.map { environmentVariable(forKey: $0.key) }
        let expected = Set(names + others.map { environmentVariable(forKey: $0.key) })
        let unexpected = environment.keys.filter {
            $0.begins(with: prefix) && !expected.contains($0) && !$0.begins(with: alarmPrefix)
        }
        return unexpected.sorted().map { name in
            // Perhaps the section is missing: `FINDMYBIKE_URL` for `FINDMYBIKE_REGISTRY_URL`.
            let end = "_" + name.dropFirst(prefix.count)
            let meant = Spelling.nearest(to: name, among: names) ?? names.first { $0.ends(with: end) }
            let suggestion = meant.map { ": did you mean \($0)?" } ?? ""
            return "the environment variable \(name) is not a setting of this program; it is ignored\(suggestion)"
        }
    }
}
