import Foundation
import TestSupport
import Testing

@testable import MQTT

/// Brokers and publishers that do what they should not.
///
/// Anyone who can publish to a topic that the monitor reads can send a large message, and can leave it at the broker. A
/// station must not end of that, and end again at each start.
@Suite("Hostile brokers and messages", .timeLimit(.minutes(5)))
struct HostileBrokerTests {
    private func open(_ port: Int, patience: Duration = .seconds(60)) async throws -> MQTTConnection {
        var configuration = try #require(BrokerConfiguration(url: "mqtt://127.0.0.1:\(port)", clientID: "limit"))
        configuration.patience = patience
        // On a busy machine, a broker that does not answer must not be noticed by this.
        configuration.keepAlive = 3600
        return try await MQTTConnection.open(configuration)
    }

    /// Publishes a message of this many bytes.
    private func publish(
        _ length: Int, _ topic: String, _ broker: MosquittoBroker, _ arguments: [String] = []
    ) async throws {
        let file = try broker.folder.write(String(repeating: "x", count: length), to: "message")
        let result = try await BuiltProgram(path: "/usr/bin/mosquitto_pub")
            .run(["-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-t", topic, "-f", file] + arguments)
        try #require(result.status == 0, "\(result.errors)")
    }

    @Test(
        "a broker does not deliver what is far too long, retained or not",
        arguments: ["home/bar/BTtoMQTT/x", "findmybike/garage/answer"])
    func undelivered(topic: String) async throws {
        let broker = try await MosquittoBroker()
        let running = try await broker.start()
        try await publish(4 << 20, topic, broker, ["-r"])
        let connection = try await open(broker.port)
        try await connection.subscribe(topic)
        try await publish(4 << 20, topic, broker)
        try await broker.publish(topic, "seen")
        var messages = connection.messages.makeAsyncIterator()
        #expect(await messages.next() == MQTTMessage(topic, "seen"))
        await connection.close()
        withExtendedLifetime(running) {}
    }

    @Test("of a message that is too long, no more is kept than shows that it is")
    func cut() async throws {
        let broker = try await MosquittoBroker()
        let running = try await broker.start()
        let connection = try await open(broker.port)
        try await connection.subscribe("home/bar/BTtoMQTT/x")
        try await publish(6000, "home/bar/BTtoMQTT/x", broker)
        var messages = connection.messages.makeAsyncIterator()
        let message = try #require(await messages.next())
        #expect(message.payload.count == GatewayMessage.maximumLength + 1)
        #expect(GatewayMessage(message.payload) == nil)
        await connection.close()
        withExtendedLifetime(running) {}
    }

    @Test("a message without an end ends the connection, with the reason")
    func endless() async throws {
        let broker = try PythonPeer(try fixture(), ["endless"])
        let connection = try await open(broker.port)
        for await _ in connection.messages {}
        #expect(await connection.loss == .undelivered)
    }

    @Test("messages that are kept until the broker releases them end the connection, with the reason")
    func kept() async throws {
        let broker = try PythonPeer(try fixture(), ["kept"])
        let connection = try await open(broker.port)
        var delivered = 0
        for await _ in connection.messages { delivered += 1 }
        #expect(await connection.loss == .undelivered)
        // The messages between them do not make room for others.
        #expect((1..<400).contains(delivered))
    }

    @Test("a broker that reads nothing loses the connection, with the reason, before the answers to it fill the memory")
    func deaf() async throws {
        let broker = try PythonPeer(try fixture(), ["deaf"])
        let connection = try await open(broker.port, patience: .seconds(20))
        for await _ in connection.messages {}
        #expect(await connection.loss == .blocked)
    }

    @Test("a broker that keeps to the protocol is never cut off, however long the connection lasts")
    func honest() {
        let start = ContinuousClock.now
        var bytes = UndeliveredBytes(at: start)
        var encrypted = UndeliveredBytes(at: start)
        encrypted.allowance = UndeliveredBytes.encryption
        var (plainRead, encryptedRead) = (6000, 6000)
        for half in 1...200_000 {
            // A ping's answer, a message and an acknowledgement.
            let message = UndeliveredBytes.message(topic: 20, payload: 300, isAcknowledged: true)
            plainRead += 2 + message + 4
            encryptedRead += 2 + message + 4 + 3 * 85
            bytes.deliver(message)
            bytes.deliver(4)
            encrypted.deliver(message)
            encrypted.deliver(4)
            let now = start + .seconds(half * 30)
            bytes.note(read: plainRead, at: now)
            encrypted.note(read: encryptedRead, at: now)
        }
        #expect(bytes.isTolerable && encrypted.isTolerable)
    }

    @Test(
        "the size of a message is that of its packet",
        arguments: [
            (1, 0, false, 5), (1, 124, false, 129), (1, 125, false, 131), (5, 200, true, 212),
            (1, 20_000, true, 20_009),
        ])
    func sizes(topic: Int, payload: Int, isAcknowledged: Bool, size: Int) {
        #expect(UndeliveredBytes.message(topic: topic, payload: payload, isAcknowledged: isAcknowledged) == size)
    }

    @Test("a broker that acknowledges nothing loses the connection, with the reason", arguments: [true, false])
    func mute(subscribes: Bool) async throws {
        let broker = try PythonPeer(try fixture(), ["mute"])
        let connection = try await open(broker.port, patience: .seconds(20))
        await #expect(throws: MQTTError.notAcknowledged) {
            if subscribes {
                try await connection.subscribe("x")
            } else {
                try await connection.publish(MQTTMessage("x", "never acknowledged"))
            }
        }
        #expect(await connection.loss == .notAcknowledged)
    }

    @Test("a broker that only speaks MQTT 3.1.1 is used", arguments: ["refusing", "closing"])
    func older(kind: String) async throws {
        let broker = try PythonPeer(try fixture(), [kind])
        let connection = try await open(broker.port)
        try await connection.publish(MQTTMessage("x", "acknowledged"))
        await connection.close()
    }

    private func fixture() throws -> String {
        try #require(Bundle.module.path(forResource: "Fixtures/broker", ofType: "py"))
    }
}
