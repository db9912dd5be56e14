import TestSupport

extension TemporaryFolder {
    /// Writes the settings of a monitor whose registry does not answer, and its token.
    ///
    /// - Parameters:
    ///   - more: further settings.
    ///   - place: further lines of `station`.
    func monitorSettings(_ more: String, place: String = "") throws -> String {
        let token = try write("secret\n", to: "token")
        return try write(
            """
            registry:
              url: http://127.0.0.1:1
            station:
              tokenFile: \(token)
            \(place)state: \(path)
            \(more)
            """, to: "monitor.yaml")
    }
}
