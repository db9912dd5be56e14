import TestSupport

extension TemporaryFolder {
    /// Writes the settings of a monitor whose registry does not answer, and its token.
    func monitorSettings(_ more: String) throws -> String {
        let token = try write("secret\n", to: "token")
        return try write(
            """
            registry:
              url: http://127.0.0.1:1
            station:
              tokenFile: \(token)
            state: \(path)
            \(more)
            """, to: "monitor.yaml")
    }
}
