import DBus
import Synchronization
import TestSupport
import Testing

@Suite("D-Bus signals", .serialized)
struct SignalTests {
    private static let ticks = DBusMatch(
        sender: Stage.peerName, pathNamespace: "/peer", interface: Stage.peerName, member: "Tick"
    )

    @Test("signals arrive in order with their arguments")
    func order() async throws {
        let stage = try await Stage()
        let signals = try await stage.connection.signals(matching: Self.ticks)
        try await stage.connection.call(Stage.call("Burst", .uint32(100)), timeout: patience)
        var numbers: [Int] = []
        for try await signal in signals {
            numbers.append(signal.arguments.first?.integer ?? -1)
            #expect(signal.path == "/peer")
            if numbers.count == 100 { break }
        }
        #expect(numbers == Array(0..<100))
        #expect(signals.dropped == 0)
    }

    @Test("a slow reader loses the oldest signals, and the loss is counted")
    func overflow() async throws {
        let stage = try await Stage()
        let signals = try await stage.connection.signals(matching: Self.ticks, limit: 10)
        // The reply arrives after the signals, so all of them are in the buffer or dropped by then.
        try await stage.connection.call(Stage.call("Burst", .uint32(1000)), timeout: patience)
        #expect(signals.dropped == 990)
        var iterator = signals.makeAsyncIterator()
        #expect(try await iterator.next()?.arguments.first?.integer == 990)
    }

    @Test("20,000 signals are all observed in place, even with pauses between reads", arguments: [0, 5])
    func storm(pause: Int) async throws {
        let stage = try await Stage()
        let connection = try await DBusConnection.open(
            .address(stage.bus.address), readingPause: .milliseconds(pause))
        let sum = Tally()
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let subscription = try await connection.observe(Self.ticks) { message in
            let number = message.arguments.uint32 ?? 0
            if sum.add(Int(number)) == 20_000 { end.finish() }
        }
        try await stage.connection.call(Stage.call("Burst", .uint32(20_000)), timeout: patience)
        for await _ in ended {}
        #expect(sum.total == (0..<20_000).reduce(0, +))
        withExtendedLifetime(subscription) {}
    }

    @Test("a signal with a forged sender is not delivered")
    func forgery() async throws {
        let stage = try await Stage()
        let signals = try await stage.connection.signals(matching: Self.ticks)
        let forger = try await DBusConnection.open(.address(stage.bus.address))
        try await forger.emit(
            path: "/peer", interface: Stage.peerName, member: "Tick", arguments: [.uint32(666), .string("forged")])
        // The bus has everything that the forger sent before it replies to the forger's call.
        try await forger.call(Stage.call("Burst", .uint32(1)), timeout: patience)
        var iterator = signals.makeAsyncIterator()
        #expect(try await iterator.next()?.arguments.first?.integer == 0)
    }

    @Test("nothing arrives once the registration is gone")
    func registration() async throws {
        let stage = try await Stage()
        let tally = Tally()
        var subscription: DBusSubscription? = try await stage.connection.observe(Self.ticks) { _ in tally.add(1) }
        try await stage.connection.call(Stage.call("Burst", .uint32(3)), timeout: patience)
        #expect(tally.total == 3)
        withExtendedLifetime(subscription) {}
        subscription = nil
        try await stage.connection.call(Stage.call("Burst", .uint32(3)), timeout: patience)
        #expect(tally.total == 3)
    }

    @Test("the owner of a name is tracked: initially, when lost, and when back")
    func owners() async throws {
        let stage = try await Stage()
        let other = try await DBusConnection.open(.address(stage.bus.address))
        var owners = try await stage.connection.owners(of: "org.example.Other").makeAsyncIterator()
        #expect(try await owners.next() == .some(nil))
        try await other.own("org.example.Other")
        let name = await other.uniqueName
        #expect(try await owners.next() == .some(name))
        await other.close()
        #expect(try await owners.next() == .some(nil))
        #expect(try await stage.connection.owner(of: "org.example.Other") == nil)
    }
}

/// Counts the signals that observers receive.
final class Tally: Sendable {
    private let state = Mutex((count: 0, total: 0))

    var total: Int { state.withLock { $0.total } }

    /// - Returns: the total so far.
    @discardableResult
    func add(_ number: Int) -> Int {
        state.withLock { state in
            state.count += 1
            state.total += number
            return state.count
        }
    }
}
