import Beacons
import Foundation
import Logging
import OperatingSystem
import RegistryAPI
import Scanning
import StationStatus
import Synchronization
import TestSupport
import Testing

@testable import MQTT

/// Tests with a real broker, Debian's mosquitto, and its own client as the observer.
@Suite("The connection to a venue's broker", .timeLimit(.minutes(20)))
struct VenueBrokerTests {
    private let source = ScriptedVenue()
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private let bike = MissingBikeHere(
        visit: "0199f0de", kind: .motorbike, make: "Honda", model: "CB500X", colours: [.red], proximity: .near,
        firstSeen: nil)

    private func link(
        _ broker: MosquittoBroker, user: String? = nil, password: String? = nil, authority: String? = nil,
        host: String = "127.0.0.1", takesAnswers: Bool = true, clock: any ScanClock = BootClock(),
        onConnected: @escaping @Sendable () -> Void = {}
    ) throws -> VenueBroker {
        let scheme = authority == nil ? "mqtt" : "mqtts"
        var configuration = try #require(
            BrokerConfiguration(url: "\(scheme)://\(host):\(broker.port)", clientID: "findmybike-garage"))
        configuration.user = user
        configuration.password = password
        configuration.certificateAuthority = authority
        configuration.patience = .seconds(60)
        return VenueBroker(
            configuration, topics: VenueTopics(prefix: "findmybike", node: "garage", advice: "Do not confront."),
            discovery: HomeAssistantDiscovery(
                prefix: "homeassistant", node: "garage", version: "1", takesAnswers: takesAnswers),
            takesAnswers: takesAnswers, source: source,
            waits: .milliseconds(10) ... .milliseconds(50), clock: clock, logger: logger,
            onConnected: onConnected)
    }

    /// Runs a link until the body ends, then disconnects it cleanly.
    private func running(_ link: VenueBroker, _ body: () async throws -> Void) async throws {
        let task = Task { try await link.run() }
        do {
            try await body()
        } catch {
            task.cancel()
            try await task.value
            throw error
        }
        task.cancel()
        try await task.value
    }

    private func failed(_ link: VenueBroker) async throws {
        try await eventually("the link has failed") { link.state.lastError != nil }
    }

    private func connected(_ link: VenueBroker, _ isConnected: Bool = true) async throws {
        try await eventually("the link is connected: \(isConnected)") { link.state.isConnected == isConnected }
    }

    @Test("a late subscriber finds the entities, the station online and no bike missing; after the end it is offline")
    func discovery() async throws {
        let broker = try await MosquittoBroker()
        let daemon = try await broker.start()
        let link = try link(broker)
        try await running(link) {
            try await connected(link)
            let listener = try await broker.listen(to: ["#"])
            var messages = ""
            // An adapter's sensor may arrive after the others.
            let expected = [
                "garage/missing_bike/config 1 {", "/alarm/config 1 {", "/list_age/config 1 {", "/adverts_hci0/config",
                "/seen/config 1 {", "availability 1 online", "present 1 OFF",
            ]
            while !expected.allSatisfy(messages.contains), let line = await listener.line(containing: " ") {
                messages += line + "\n"
            }
        }
        let later = try await broker.listen(to: ["findmybike/garage/availability"])
        #expect(await later.line(containing: "availability 1 offline") != nil)
        withExtendedLifetime(daemon) {}
    }

    @Test("an alarm is published once, with what to look for; the bike is present until it leaves")
    func alarm() async throws {
        let broker = try await MosquittoBroker()
        let daemon = try await broker.start()
        let listener = try await broker.listen(to: ["findmybike/garage/alarm", "findmybike/garage/present"])
        let link = try link(broker)
        try await running(link) {
            try await connected(link)
            #expect(await listener.line(containing: "present 0 OFF") != nil)
            try await link.publishAlarm(bike)
            let line = try #require(await listener.line(containing: "garage/alarm 0 {"))
            #expect(line.contains(#""model":"CB500X""#), "\(line)")
            #expect(line.contains(#""event_type":"alarm""#))
            source.set([bike])
            #expect(await listener.line(containing: "present 0 ON") != nil)
            source.set([])
            #expect(await listener.line(containing: "present 0 OFF") != nil)
        }
        listener.interrupt()
        let all = await listener.end().output
        #expect(all.components(separatedBy: "garage/alarm 0 {").count == 2, "\(all)")
        withExtendedLifetime(daemon) {}
    }

    @Test("a broker that starts late or restarts gets everything as soon as it runs")
    func restart() async throws {
        let broker = try await MosquittoBroker()
        let link = try link(broker)
        try await running(link) {
            try await failed(link)
            await #expect(throws: MQTTError.notConnected) { try await link.publishAlarm(bike) }
            for _ in 1...2 {
                let daemon = try await broker.start()
                try await connected(link)
                let listener = try await broker.listen(to: ["findmybike/garage/availability", "homeassistant/#"])
                #expect(await listener.line(containing: "missing_bike/config 1 {") != nil)
                daemon.interrupt()
                _ = await daemon.end()
                try await connected(link, false)
            }
        }
    }

    @Test("a killed station goes offline by its last will")
    func lastWill() async throws {
        let broker = try await MosquittoBroker()
        let daemon = try await broker.start()
        let listener = try await broker.listen(to: ["will"])
        let configuration = try #require(
            BrokerConfiguration(url: "mqtt://127.0.0.1:\(broker.port)", clientID: "killed"))
        do {
            let connection = try await MQTTConnection.open(
                configuration, will: MQTTMessage("will", "offline", isRetained: true))
            try await connection.publish(MQTTMessage("will", "online", isRetained: true))
            #expect(await listener.line(containing: "will 0 online") != nil)
        }
        #expect(await listener.line(containing: "will 0 offline") != nil)
        withExtendedLifetime(daemon) {}
    }

    @Test("a wrong password is reported, and the right one is accepted")
    func password() async throws {
        let broker = try await MosquittoBroker(users: ["garage": "right"])
        let daemon = try await broker.start()
        let refused = try link(broker, user: "garage", password: "wrong")
        try await running(refused) {
            try await failed(refused)
        }
        #expect(refused.state.lastError?.contains("refuses the connection") == true)
        #expect(!refused.state.isConnected)
        let welcome = try link(broker, user: "garage", password: "right")
        try await running(welcome) { try await connected(welcome) }
        withExtendedLifetime(daemon) {}
    }

    @Test("staff's answers are accepted only if the settings allow it", arguments: [true, false])
    func answers(takesAnswers: Bool) async throws {
        let broker = try await MosquittoBroker()
        let daemon = try await broker.start()
        // Retained by the broker from another day, so it must be ignored.
        try await broker.publish("findmybike/garage/answer", "absent", ["-r"])
        let link = try link(broker, takesAnswers: takesAnswers)
        try await running(link) {
            try await connected(link)
            try await broker.publish("findmybike/garage/answer", "nonsense")
            try await broker.publish("findmybike/garage/answer", "seen 0199f0de")
            if takesAnswers {
                await source.answered.wait()
                #expect(source.answers == ["true 0199f0de"])
            } else {
                // The broker has acknowledged a message sent after the answer.
                try await link.publishAlarm(bike)
                #expect(source.answers.isEmpty)
            }
        }
        withExtendedLifetime(daemon) {}
    }

    @Test("a flood of answers is taken only in part and pauses them, and does not end the connection for alarms")
    func flood() async throws {
        let broker = try await MosquittoBroker()
        let daemon = try await broker.start()
        // It stands still, so all of the flood is in one second.
        let clock = SteppedClock()
        let link = try link(broker, clock: clock)
        let flood = Array(repeating: "seen 0199f0de", count: 100).joined(separator: "\n")
        try await running(link) {
            try await connected(link)
            await clock.sleepers(1)
            let result = try await BuiltProgram(path: "/usr/bin/mosquitto_pub").run(
                ["-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-t", "findmybike/garage/answer", "-l"],
                input: flood)
            try #require(result.status == 0, "\(result.errors)")
            // Readings wait for the next time, and answers for the end of their pause.
            await clock.sleepers(2)
            try await link.publishAlarm(bike)
            #expect(source.answers.count == VenueBroker.maximumAnswers)
            // Nobody listens during the pause, and afterwards answers are taken as before.
            clock.advance(by: .seconds(1))
            try await broker.publish("findmybike/garage/answer", "absent 0199f0de")
            try await link.publishAlarm(bike)
            #expect(source.answers.count == VenueBroker.maximumAnswers)
            clock.advance(by: VenueBroker.answerPause)
            try await eventually("an answer is taken again") {
                try await broker.publish("findmybike/garage/answer", "absent 0199f0de")
                return source.answers.contains("false 0199f0de")
            }
            #expect(link.state.isConnected && link.state.lastError == nil)
        }
        withExtendedLifetime(daemon) {}
    }

    @Test("an encrypted broker is trusted only with a certificate from a trusted authority, for its own name")
    func encryption() async throws {
        let certificates = try TemporaryFolder()
        let right = try await TestCertificate.make("right", in: certificates)
        let wrong = try await TestCertificate.make("wrong", in: certificates)
        let broker = try await MosquittoBroker(
            settings: """
                certfile \(right.certificate)
                keyfile \(right.key)
                """)
        let daemon = try await broker.start()
        let trusted = try link(broker, authority: right.certificate, host: "localhost")
        try await running(trusted) {
            try await connected(trusted)
            try await trusted.publishAlarm(bike)
        }
        for (authority, host) in [(wrong, "localhost"), (right, "127.0.0.1")] {
            let distrusted = try link(broker, authority: authority.certificate, host: host)
            try await running(distrusted) {
                try await failed(distrusted)
            }
            #expect(!distrusted.state.isConnected)
            #expect(distrusted.state.lastError?.isEmpty == false)
        }
        withExtendedLifetime(daemon) {}
    }
}

private final class ScriptedVenue: VenueSource {
    private struct State {
        var bikes: [MissingBikeHere] = []
        var answers: [String] = []
        var listeners: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())
    let answered = WakeUp()

    var answers: [String] { state.withLock(\.answers) }

    func set(_ bikes: [MissingBikeHere]) {
        let listeners = state.withLock { state in
            state.bikes = bikes
            return state.listeners
        }
        for listener in listeners { listener.yield() }
    }

    func reading() async throws -> StationReading {
        StationReading(advertsPerSecond: ["hci0": 3], listAge: 12, outboxDepth: 1)
    }

    func bikes() async throws -> [MissingBikeHere] { state.withLock(\.bikes) }

    func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.listeners.append(continuation) }
        return stream
    }

    func answer(isSeen: Bool, visit: String?) async {
        state.withLock { $0.answers.append("\(isSeen) \(visit ?? "-")") }
        answered.wake()
    }
}
