private import Glibc

extension Scenario {
    /// The maximum size of a file: 1 MiB.
    public static let maximumFileSize = 1 << 20

    /// Reads a scenario file.
    ///
    /// - Throws: ``ScenarioError`` if the file cannot be read, is too large, is not UTF-8, or is not a valid scenario.
    public init(path: String) throws(ScenarioError) {
        var bytes = try Self.contents(of: path)
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

    private static func contents(of path: String) throws(ScenarioError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure(path, errno) }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= maximumFileSize else {
                throw ScenarioError(source: path, problem: "larger than 1 MiB: a scenario file is a few kilobytes")
            }
        }
    }

    private static func failure(_ path: String, _ code: Int32) -> ScenarioError {
        ScenarioError(source: path, problem: "cannot be read: \(String(cString: strerror(code)))", isUnreadable: true)
    }
}
