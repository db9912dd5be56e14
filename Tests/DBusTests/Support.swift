import DBus
import Foundation
import TestSupport
import Testing

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

/// Long enough for a busy machine; only reached if something is broken.
let patience = Duration.seconds(60)
