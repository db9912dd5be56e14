import Foundation
import TestSupport
import Testing

@testable import DBus

/// A bus with a peer that uses another library, and a connection of ours.
struct Stage: Sendable {
    let bus: PrivateBus
    let peer: Peer
    let connection: DBusConnection

    static let peerName = "org.example.Peer"

    init() async throws {
        bus = try PrivateBus()
        let script = try #require(Bundle.module.path(forResource: "peer", ofType: "py", inDirectory: "Fixtures"))
        peer = try bus.python(script)
        connection = try await DBusConnection.open(.address(bus.address))
    }

    static func call(_ member: String, _ arguments: DBusValue...) -> DBusCall {
        DBusCall(
            destination: peerName, path: "/peer", interface: peerName, member: member, arguments: arguments
        )
    }
}

extension DBusConnection {
    /// Takes a well-known name for the lifetime of the connection (D-Bus Specification, RequestName).
    func own(_ name: String) async throws {
        let doNotQueue = DBusValue.uint32(0x4)
        let answer = try await call(.bus("RequestName", .string(name), doNotQueue)).first?.integer
        #expect(answer == 1)
    }
}

/// Long enough for a busy machine; only reached if something is broken.
let patience = Duration.seconds(60)
