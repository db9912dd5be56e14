private import Glibc

/// A file that somebody else may have written.
public enum OutsideFile {
    /// The file's bytes. Never buffers more than the limit.
    ///
    /// - Throws: ``ScenarioError`` if the file cannot be read or is larger than the limit.
    public static func contents(of path: String, limit: Int) throws(ScenarioError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure(path, errno) }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= limit else {
                let most = limit >= 1 << 20 ? "\(limit >> 20) MiB" : "\(limit >> 10) KiB"
                throw ScenarioError(source: path, problem: "larger than \(most), the limit for such a file")
            }
            bytes += chunk[..<count]
        }
    }

    private static func failure(_ path: String, _ code: Int32) -> ScenarioError {
        ScenarioError(source: path, problem: "cannot be read: \(String(cString: strerror(code)))", isUnreadable: true)
    }
}
