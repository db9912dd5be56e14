extension Scenario {
    /// The maximum size of a file: 1 MiB.
    public static let maximumFileSize = 1 << 20

    /// Reads a scenario file.
    ///
    /// - Throws: ``ScenarioError`` if the file cannot be read, is too large, is not UTF-8, or is not a valid scenario.
    public init(path: String) throws(ScenarioError) {
        var bytes = try OutsideFile.contents(of: path, limit: Self.maximumFileSize)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        guard !bytes.starts(with: Array("btsnoop".utf8)) else {
            throw ScenarioError(source: path, problem: "a capture, not a scenario: play it with --replay")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ScenarioError(
                source: path, problem: "not UTF-8: save the file in that encoding, or play a capture with --replay")
        }
        try self.init(yaml: text, source: path)
    }
}
