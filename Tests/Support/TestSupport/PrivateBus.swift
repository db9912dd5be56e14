/// A private message bus: dbus-daemon on a socket in a temporary folder.
public final class PrivateBus: Sendable {
    /// `unix:path=…`
    public let address: String
    private let folder: TemporaryFolder
    private let daemon: Peer

    public init() throws {
        folder = try TemporaryFolder()
        let socket = folder.file("bus")
        address = "unix:path=\(socket)"
        let configuration = try folder.write(Self.configuration(socket), to: "bus.conf")
        daemon = try Peer(
            "/usr/bin/dbus-daemon",
            ["--config-file=\(configuration)", "--nofork", "--nopidfile", "--print-address"],
            showsErrors: false, remedy: "install the Debian package dbus-daemon"
        )
    }

    /// Starts a Python script with Debian's interpreter on this bus, and waits until it prints that it is ready.
    public func python(_ script: String, _ arguments: [String] = []) throws -> Peer {
        try peer("/usr/bin/python3", [script] + arguments, package: "python3-dbus and python3-gi")
    }

    /// Starts a program on this bus, and waits for its first line.
    public func peer(_ program: String, _ arguments: [String], package: String) throws -> Peer {
        try Peer(program, arguments, environment: environment, remedy: "install the Debian packages \(package)")
    }

    /// Runs a program on this bus to completion and returns its output.
    public func run(_ program: String, _ arguments: [String], package: String) async throws -> String {
        try await Peer.run(
            program, arguments, environment: environment, remedy: "install the Debian packages \(package)")
    }

    /// Kills the bus, as a crash would.
    public func kill() { daemon.kill() }

    private var environment: [String: String] {
        ["DBUS_SYSTEM_BUS_ADDRESS": address, "DBUS_SESSION_BUS_ADDRESS": address]
    }

    private static func configuration(_ socket: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(socket)</listen>
          <auth>EXTERNAL</auth>
          <limit name="max_replies_per_connection">50000</limit>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
        </busconfig>
        """
    }
}
