/// A Python program that plays the other end of a connection: it prints its listening port as its first line. It can
/// import `peer`, which is next to this file.
public final class PythonPeer: Sendable {
    public let port: Int
    private let peer: Peer

    /// - Parameters:
    ///   - script: the path of the Python file.
    ///   - arguments: its arguments.
    ///   - interpreter: the Python that runs it; the default has only the standard library.
    ///   - remedy: what to do if it does not start.
    public init(
        _ script: String, _ arguments: [String] = [], interpreter: String = "/usr/bin/python3",
        remedy: String = "install the Debian package python3"
    ) throws {
        peer = try Peer(
            interpreter, [script] + arguments,
            environment: [
                "PYTHONPATH": Repository.path("Tests/Support/TestSupport/Python"), "PYTHONDONTWRITEBYTECODE": "1",
            ], remedy: remedy)
        guard let port = Int(peer.firstLine) else {
            throw Peer.Failure(description: "\(script) said “\(peer.firstLine)” instead of its port: \(remedy)")
        }
        self.port = port
    }

    public func kill() { peer.kill() }
}
