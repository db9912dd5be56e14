import Beacons
import Foundation
import Scanning
import TestSupport
import Testing

@testable import MQTT

@Suite("Messages of gateways")
struct GatewayMessageTests {
    @Test("messages of real gateways are read as the advertisements that they are about")
    func real() throws {
        let file = try #require(Bundle.module.path(forResource: "Fixtures/messages", ofType: "tsv"))
        let rows = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").dropFirst()
        #expect(rows.count == 11)
        for row in rows {
            let cells = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            let message = try #require(GatewayMessage(Array(cells[1].utf8)), "\(row)")
            #expect(message.address.description == cells[2])
            #expect(message.rssi == Int8(cells[3]))
            let beacon = IBeacon(advertisingData: message.data.span.bytes)
            #expect(beacon?.identity == BeaconIdentity(cells[4]), "\(row)")
            #expect(beacon?.measuredPower == Int8(cells[5]), "\(row)")
        }
    }

    @Test(
        "what is no message of a gateway is refused",
        arguments: [
            "", "{}", "[]", "online", #"{"id":5}"#, #"{"rssi":-50}"#, #"{"gatewayid":"a","trackerid":"b"}"#,
            "{\"id\":\"" + String(repeating: "a", count: 4096) + "\"}",
            String(repeating: "[", count: 4000), "\u{0}", "{\"id\":\"a\",\"rssi\":-5,\"\u{316}\u{301}\":1}",
        ])
    func refused(payload: String) {
        #expect(GatewayMessage(Array(payload.utf8)) == nil)
    }

    @Test(
        "what a gateway has not heard is no advertisement",
        arguments: [
            #"{"id":"AA:BB:CC:DD:EE:02","presence":"absent"}"#,
            #"{"id":"AA:BB:CC:DD:EE:02","presence":"absent","unlocked":false}"#,
            #"{"id":"AA:BB:CC:DD:EE:02","presence":"present"}"#, #"{"id":"AA:BB:CC:DD:EE:02","state":"off"}"#,
            #"{"id":"a","rssi":"strong"}"#, #"{"id":"a","rssi":"strong","manufacturerdata":"4c0"}"#,
            #"{"id":"AA:BB:CC:DD:EE:02","presence":"absent","rssi":-50}"#,
            #"{"id":"AA:BB:CC:DD:EE:02","state":"off","rssi":-50,"manufacturerdata":"4c0010050b1c1a2b3c"}"#,
        ])
    func absent(payload: String) throws {
        #expect(try #require(GatewayMessage(Array(payload.utf8))).isAdvertisement == false)
    }

    @Test(
        "a field of an unexpected type does not take the others with it",
        arguments: [
            #""uuid":7"#, #""major":"4711""#, #""major":1e99"#, #""minor":null"#, #""txpower":"-59""#,
            #""id":["AA:BB:CC:DD:EE:01"]"#,
        ])
    func wrongType(field: String) throws {
        let payload = """
            {"mac":"AA:BB:CC:DD:EE:01","rssi":-60,\(field),
            "manufacturerdata":"4c0002157f3a9c521b644e0d8a275d9e60c4b8131267514fc5"}
            """
        let message = try #require(GatewayMessage(Array(payload.utf8)))
        let beacon = IBeacon(advertisingData: message.data.span.bytes)
        #expect(message.isAdvertisement && message.rssi == -60)
        #expect(beacon?.identity == BeaconIdentity("7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:20815"))
    }

    @Test(
        "the data of an advertisement count, whatever is said of its strength and of the device",
        arguments: [
            #""rssi":"-60""#, #""rssi":null"#, #""rssi":{}"#, #""state":1"#, #""presence":"present""#, #""x":1"#,
        ])
    func dataAlone(field: String) throws {
        let payload = """
            {"mac":"AA:BB:CC:DD:EE:01",\(field),
            "manufacturerdata":"4c0002157f3a9c521b644e0d8a275d9e60c4b8131267514fc5"}
            """
        let message = try #require(GatewayMessage(Array(payload.utf8)))
        #expect(message.isAdvertisement && message.rssi == nil)
        #expect(IBeacon(advertisingData: message.data.span.bytes)?.measuredPower == -59)
    }

    @Test(
        "values that cannot be are left out, and never trap",
        arguments: [
            #"{"id":"x","manufacturerdata":"4c0"}"#, #"{"id":"x","manufacturerdata":"zz00"}"#,
            #"{"id":"x","uuid":"1","major":1,"minor":2}"#, #"{"id":"iBeacon:1-2-3"}"#,
            #"{"id":"x","uuid":"7f3a9c521b644e0d8a275d9e60c4b813","major":65536,"minor":2}"#,
            #"{"id":"x","uuid":"7f3a9c521b644e0d8a275d9e60c4b813","major":-32769,"minor":2}"#,
            #"{"id":"iBeacon:7f3a9c52-1b64-4e0d-8a27-5d9e60c4b813-4711-99999"}"#,
            "{\"id\":\"x\",\"manufacturerdata\":\"" + String(repeating: "00", count: 255) + "\"}",
        ])
    func impossible(payload: String) throws {
        let message = try #require(GatewayMessage(Array(payload.utf8)))
        #expect(message.data.isEmpty)
        #expect(message.address == BluetoothAddress(0))
    }

    @Test("a signal strength that cannot be is not known", arguments: ["1e300", "-1e300", "21", "-128", "127"])
    func strength(text: String) throws {
        let message = try #require(GatewayMessage(Array("{\"id\":\"x\",\"rssi\":\(text)}".utf8)))
        #expect(message.rssi == nil)
    }

    @Test(
        "a topic names a gateway",
        arguments: [
            ("home/bar/BTtoMQTT/#", true), ("espresense/devices/+/bar", true), ("home/+/BTtoMQTT/#", true),
            ("#", false),
            ("+/+", false), ("a/#/b", false), ("a+", false), ("", false), ("a/b#", false),
            (String(repeating: "a", count: 256), false),
        ])
    func topics(text: String, isTopic: Bool) {
        #expect(GatewayScanner.isTopic(text) == isTopic)
    }
}

/// Tests with a real broker, Debian's mosquitto, and the real Theengs Gateway.
@Suite("Listening through gateways", .timeLimit(.minutes(10)))
struct GatewayScannerTests {
    private static let identity = "7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:20815"
    private static let data = "4c0002157f3a9c521b644e0d8a275d9e60c4b8131267514fc5"

    private func scanner(
        _ broker: MosquittoBroker, topic: String = "home/bar/BTtoMQTT/#", clock: any ScanClock = BootClock()
    ) throws -> GatewayScanner {
        var configuration = try #require(
            BrokerConfiguration(url: "mqtt://127.0.0.1:\(broker.port)", clientID: "findmybike-test-bar"))
        configuration.patience = .seconds(60)
        return GatewayScanner(name: "bar", topic: topic, broker: configuration, clock: clock, random: { 0.5 })
    }

    private func theengs(_ broker: MosquittoBroker, publishesData: Bool) throws -> StartedProgram {
        let script = try #require(Bundle.module.path(forResource: "Fixtures/theengs", ofType: "py"))
        return try StartedProgram(
            BuiltProgram(path: Repository.path(".build/venv/bin/python")),
            [script, "\(broker.port)", publishesData ? "1" : "0", "4c0010050b1c1a2b3c", Self.data])
    }

    @Test("a beacon that Theengs Gateway hears is heard, with its data or decoded", arguments: [true, false])
    func heard(publishesData: Bool) async throws {
        let broker = try await MosquittoBroker()
        let running = try await broker.start()
        let gateway = try theengs(broker, publishesData: publishesData)
        let scanner = try scanner(broker)
        var found: (report: Advertisement, beacon: IBeacon)?
        for try await batch in scanner.batches() {
            try gateway.requireRunning()
            batch.forEach { report, data in
                if let beacon = IBeacon(advertisingData: data) { found = (report, beacon) }
            }
            if found != nil { break }
        }
        #expect(found?.beacon.identity == BeaconIdentity(Self.identity))
        #expect(found?.beacon.measuredPower == -59)
        #expect(found?.report.rssi == -51)
        #expect(found?.report.address.description == "AA:BB:CC:DD:EE:01")
        let health = scanner.radioHealth
        #expect(health.adapter == "bar")
        #expect(health.reports > 0)
        #expect(health.malformed == 0)
        await scanner.stop()
        #expect(scanner.radioHealth.state == .idle)
        withExtendedLifetime((running, gateway)) {}
    }

    @Test("a flood ends the connection, and the health says so")
    func flood() async throws {
        let broker = try await MosquittoBroker()
        let running = try await broker.start()
        // The scanner's clock stands still, so all of this is in one second.
        let scanner = try scanner(broker, clock: SteppedClock())
        let reading = Task { for try await _ in scanner.batches() {} }
        let lines = Array(repeating: #"{"id":"AA:BB:CC:DD:EE:02","rssi":-50}"#, count: 500).joined(separator: "\n")
        while scanner.radioHealth.state != .failed {
            _ = try await BuiltProgram(path: "/usr/bin/mosquitto_pub")
                .run(
                    ["-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-t", "home/bar/BTtoMQTT/x", "-l"],
                    input: lines)
        }
        #expect(scanner.radioHealth.lastError?.contains("more arrives than a gateway can hear") == true)
        #expect(scanner.radioHealth.reports <= GatewaySession.maximumRate)
        reading.cancel()
        await scanner.stop()
        withExtendedLifetime(running) {}
    }

    @Test("retained messages are old, and what is no message is counted")
    func retained() async throws {
        let broker = try await MosquittoBroker()
        let running = try await broker.start()
        let old = #"{"id":"AA:BB:CC:DD:EE:02","rssi":-50}"#
        try await broker.publish("home/bar/BTtoMQTT/AABBCCDDEE02", old, ["-r"])
        let scanner = try scanner(broker)
        var addresses: [String] = []
        for try await batch in scanner.batches() {
            addresses += batch.advertisements.map(\.address.description)
            if !addresses.isEmpty { break }
            // Until the subscription is there, nobody hears it.
            try await broker.publish("home/bar/BTtoMQTT/x", "offline")
            try await broker.publish("home/bar/BTtoMQTT/AABBCCDDEE03", old.replacing("02", with: "03"))
        }
        #expect(Set(addresses) == ["AA:BB:CC:DD:EE:03"])
        #expect(scanner.radioHealth.malformed > 0)
        await scanner.stop()
        withExtendedLifetime(running) {}
    }

    @Test("a reopened connection continues the same sequence")
    func reopened() async throws {
        let broker = try await MosquittoBroker()
        let running = try await broker.start()
        let gateway = try theengs(broker, publishesData: false)
        let scanner = try scanner(broker)
        var hasReopened = false
        for try await batch in scanner.batches() where !batch.advertisements.isEmpty {
            if hasReopened { break }
            hasReopened = true
            try await scanner.recover(by: .reopen)
        }
        #expect(scanner.radioHealth.recoveries == [.reopen: 1])
        await #expect(throws: MQTTError.notConnected) { try await scanner.recover(by: .reset) }
        await scanner.stop()
        withExtendedLifetime((running, gateway)) {}
    }

    @Test("a gateway that is off is a failure, although the broker is there")
    func silent() async throws {
        let broker = try await MosquittoBroker()
        let running = try await broker.start()
        let clock = SteppedClock()
        let scanner = try scanner(broker, clock: clock)
        let listening = Task { for try await _ in scanner.batches() {} }
        while scanner.radioHealth.state != .failed { await clock.advance(by: .seconds(1), inStepsOf: .seconds(1)) }
        #expect(scanner.radioHealth.lastError?.contains("home/bar/BTtoMQTT/#") == true)
        #expect(scanner.radioHealth.recoveries.isEmpty)
        await scanner.stop()
        _ = await listening.result
        withExtendedLifetime(running) {}
    }

    @Test("a failed gateway that says that a device is absent stays failed, until it hears one")
    func absent() async throws {
        let broker = try await MosquittoBroker()
        let running = try await broker.start()
        let clock = SteppedClock()
        let scanner = try scanner(broker, clock: clock)
        let listening = Task { for try await _ in scanner.batches() {} }
        while scanner.radioHealth.state != .failed { await clock.advance(by: .seconds(1), inStepsOf: .seconds(1)) }
        try await broker.publish("home/bar/BTtoMQTT/AABBCCDDEE02", #"{"id":"AA:BB:CC:DD:EE:02","presence":"absent"}"#)
        try await broker.publish("home/bar/BTtoMQTT/AABBCCDDEE02", #"{"id":"AA:BB:CC:DD:EE:02","state":"off"}"#)
        try await broker.publish("home/bar/BTtoMQTT/x", "a message after them")
        try await eventually("the message after them is counted", by: listening) { scanner.radioHealth.malformed == 1 }
        #expect(scanner.radioHealth.state == .failed)
        #expect(scanner.radioHealth.reports == 0)
        try await broker.publish("home/bar/BTtoMQTT/AABBCCDDEE02", #"{"id":"AA:BB:CC:DD:EE:02","rssi":-50}"#)
        try await eventually("the gateway is heard", by: listening) { scanner.radioHealth.state == .scanning }
        await scanner.stop()
        _ = await listening.result
        withExtendedLifetime(running) {}
    }

    @Test("a gateway that pauses for 66 seconds, as OpenMQTTGateway does, does not fail")
    func pausing() async throws {
        let broker = try await MosquittoBroker()
        let running = try await broker.start()
        let clock = SteppedClock()
        let scanner = try scanner(broker, clock: clock)
        let listening = Task { for try await _ in scanner.batches() {} }
        for _ in 1...3 {
            let before = scanner.radioHealth.reports
            try await eventually("an advertisement is heard", by: listening) {
                try await broker.publish("home/bar/BTtoMQTT/x", #"{"id":"AA:BB:CC:DD:EE:02","rssi":-50}"#)
                return scanner.radioHealth.reports > before
            }
            await clock.advance(by: .seconds(66), inStepsOf: .milliseconds(500))
            #expect(scanner.radioHealth.state == .scanning)
        }
        await scanner.stop()
        _ = await listening.result
        withExtendedLifetime(running) {}
    }

    @Test("a broker that is away is a failure, and the gateway is heard as soon as it is back")
    func away() async throws {
        let broker = try await MosquittoBroker()
        let scanner = try scanner(broker)
        var running: StartedProgram?
        for try await batch in scanner.batches() {
            if running == nil, scanner.radioHealth.state == .failed {
                #expect(scanner.radioHealth.lastError?.isEmpty == false)
                running = try await broker.start()
            }
            if running != nil { try await broker.publish("home/bar/BTtoMQTT/a", #"{"id":"a","rssi":-50}"#) }
            if !batch.advertisements.isEmpty { break }
        }
        #expect(scanner.radioHealth.state != .failed)
        await scanner.stop()
        withExtendedLifetime(running) {}
    }
}
