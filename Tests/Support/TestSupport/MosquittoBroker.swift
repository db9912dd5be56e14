import Foundation
import Glibc

/// Debian's mosquitto on a port of the loopback interface, with its own client as an independent observer.
public final class MosquittoBroker: Sendable {
    public let port: Int
    public let folder: TemporaryFolder
    private let configuration: String

    /// - Parameters:
    ///   - settings: lines of mosquitto.conf(5) in addition to the listener.
    ///   - users: the permitted users with their passwords; anyone may connect if empty.
    public init(settings: String = "", users: [String: String] = [:]) async throws {
        folder = try TemporaryFolder()
        port = try ReservedPort().number
        var text = "listener \(port) 127.0.0.1\npersistence false\n"
        text += "log_dest stderr\nlog_type all\nallow_anonymous \(users.isEmpty)\n"
        // As root, mosquitto would switch to a user that cannot read the test's files.
        if getuid() == 0 { text += "user root\n" }
        if !users.isEmpty {
            let file = folder.file("passwords")
            for (index, user) in users.sorted(by: { $0.key < $1.key }).enumerated() {
                let create = index == 0 ? ["-c"] : []
                let result = try await BuiltProgram(path: "/usr/bin/mosquitto_passwd")
                    .run(create + ["-b", file, user.key, user.value])
                guard result.status == 0 else { throw Peer.Failure(description: result.errors) }
            }
            text += "password_file \(file)\n"
        }
        configuration = try folder.write(text + settings + "\n", to: "mosquitto.conf")
    }

    /// Starts the broker, which stops with the last reference to the returned program. It can be started repeatedly.
    public func start() async throws -> StartedProgram {
        let program = BuiltProgram(path: "/usr/sbin/mosquitto")
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw Peer.Failure(description: "mosquitto is missing: install the Debian package mosquitto")
        }
        let broker = try StartedProgram(program, ["-c", configuration])
        guard await broker.line(containing: "running") != nil else {
            throw Peer.Failure(description: "mosquitto did not start: \(await broker.end().output)")
        }
        return broker
    }

    /// Starts mosquitto_sub with these topics, with output `topic retained payload`; returns once it listens.
    public func listen(to topics: [String], _ arguments: [String] = []) async throws -> StartedProgram {
        // Line-buffered, although the output is not a terminal.
        let listener = try StartedProgram(
            BuiltProgram(path: "/usr/bin/stdbuf"),
            ["-oL", "/usr/bin/mosquitto_sub", "-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-F", "%t %r %p", "-d"]
                + topics.flatMap { ["-t", $0] }
                + arguments)
        guard await listener.line(containing: "Subscribed") != nil else {
            throw Peer.Failure(description: "mosquitto_sub did not start: \(await listener.end().output)")
        }
        return listener
    }

    /// Publishes a message with mosquitto_pub.
    public func publish(_ topic: String, _ payload: String, _ arguments: [String] = []) async throws {
        let result = try await BuiltProgram(path: "/usr/bin/mosquitto_pub").run(
            ["-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", topic, "-m", payload] + arguments)
        guard result.status == 0 else { throw Peer.Failure(description: result.errors) }
    }
}
