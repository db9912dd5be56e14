extension ProgramSettings {
    /// The environment variable of a key: `station.tokenFile` is `FINDMYBIKE_STATION_TOKEN_FILE`.
    static func environmentVariable(forKey key: String) -> String {
        var name = "FINDMYBIKE_"
        for character in key {
            if character == "." {
                name.append("_")
            } else {
                if character.isUppercase { name.append("_") }
                name.append(contentsOf: character.uppercased())
            }
        }
        return name
    }
}
