import DBus
import TestSupport
import Testing

@Suite("A lost bus connection", .serialized)
struct LostBusTests {
    private let lost = DBusError.disconnected(reason: "the bus closed it")

    @Test("all waiting tasks get a clear error")
    func everyWaiterFails() async throws {
        let stage = try await Stage()
        let signals = try await stage.connection.signals(matching: DBusMatch(member: "Tick"))
        let owners = try await stage.connection.owners(of: "org.example.Other")
        let calls = (0..<20).map { _ in
            Task { try await stage.connection.call(Stage.call("Never"), timeout: patience) }
        }
        let closed = Task { await stage.connection.closed() }
        try await stage.connection.call(Stage.call("Echo"), timeout: patience)
        stage.bus.kill()
        for call in calls { await #expect(throws: lost) { try await call.value } }
        await #expect(throws: lost) { for try await _ in signals {} }
        await #expect(throws: lost) { for try await _ in owners {} }
        #expect(await closed.value == lost)
        await #expect(throws: lost) { try await stage.connection.call(Stage.call("Echo")) }
        await #expect(throws: lost) { try await stage.connection.export(at: "/x") }
        #expect(await stage.connection.isClosed)
    }

    @Test("closing the connection fails the waiting tasks too")
    func closing() async throws {
        let stage = try await Stage()
        let call = Task { try await stage.connection.call(Stage.call("Never"), timeout: patience) }
        try await stage.connection.call(Stage.call("Echo"), timeout: patience)
        await stage.connection.close()
        await #expect(throws: DBusError.disconnected(reason: "it was closed here")) { try await call.value }
    }

    @Test(
        "an unreachable bus is named with the reason", arguments: ["unix:path=/nowhere/bus", "nonsense", ""])
    func unreachable(address: String) async throws {
        let error = await #expect(throws: DBusError.self) { try await DBusConnection.open(.address(address)) }
        guard case .cannotConnect(address, let reason) = error else {
            Issue.record("expected another error than \(String(describing: error))")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test("reconnection is tried with growing waits, and succeeds when the bus is back")
    func reconnection() async throws {
        let bus = try PrivateBus()
        let clock = ImpatientClock()
        var reconnection = DBusReconnection(
            .address(bus.address), waits: .seconds(1)...(.seconds(4)), clock: clock)
        let first = try await reconnection.next()
        await first.close()
        let second = try await reconnection.next()
        #expect(await second.uniqueName != nil)
        #expect(clock.sleeps == [.seconds(1)])
        bus.kill()
        _ = await second.closed()
        let limited = ImpatientClock(limit: 5)
        var hopeless = DBusReconnection(
            .address(bus.address), waits: .seconds(1)...(.seconds(4)), clock: limited)
        await #expect(throws: CancellationError.self) { try await hopeless.next() }
        #expect(limited.sleeps == [1, 2, 4, 4, 4].map(Duration.seconds))
    }
}
