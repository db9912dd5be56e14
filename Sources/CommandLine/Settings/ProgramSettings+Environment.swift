import Syntax

extension ProgramSettings {
    private static let prefix = "FINDMYBIKE_"

    /// The environment variable of a key: `station.tokenFile` is `FINDMYBIKE_STATION_TOKEN_FILE`, and `publicURL`
    /// `FINDMYBIKE_PUBLIC_URL`.
    public static func environmentVariable(forKey key: String) -> String {
        var name = prefix
        var before: Character = "."
        for character in key {
            // Consecutive capitals are one word.
            if character.isUppercase, !before.isUppercase, before != "." { name.append("_") }
            name.append(contentsOf: character == "." ? "_" : character.uppercased())
            before = character
        }
        return name
    }

    /// The texts of the settings in the environment, by key.
    static func texts(of known: [any SettingDefinition], in environment: [String: String]) -> [String: String] {
        var texts: [String: String] = [:]
        for setting in known { texts[setting.key] = environment[environmentVariable(forKey: setting.key)] }
        return texts
    }

    /// The prefix of the monitor's variables for the commands that it runs, which may be these programs.
    private static let told = "FINDMYBIKE_ALARM_"

    /// Warnings about variables that look like settings but are not.
    ///
    /// - Parameter others: settings of the program's other commands, whose variables are also valid.
    public static func strangers(
        in environment: [String: String], known: [any SettingDefinition], others: [any SettingDefinition] = []
    ) -> [String] {
        let names = known.map { environmentVariable(forKey: $0.key) }
        let expected = Set(names + others.map { environmentVariable(forKey: $0.key) })
        let strange = environment.keys.filter {
            $0.begins(with: prefix) && !expected.contains($0) && !$0.begins(with: told)
        }
        return strange.sorted().map { name in
            let end = "_" + name.dropFirst(prefix.count)
            let meant = Spelling.nearest(to: name, among: names) ?? names.first { $0.ends(with: end) }
            let suggestion = meant.map { ": did you mean \($0)?" } ?? ""
            return "the environment variable \(name) is not a setting of this program; it is ignored\(suggestion)"
        }
    }
}
