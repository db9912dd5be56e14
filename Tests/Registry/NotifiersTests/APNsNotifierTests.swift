import Crypto
import Foundation
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import TestSupport
import Testing

@testable import Notifiers

@Suite("Apple’s push service")
struct APNsNotifierTests {
    private let clock = HandClock()
    private let service: JudgingPeer
    private let notifier: APNsNotifier

    init() throws {
        let key = P256.Signing.PrivateKey()
        let folder = try TemporaryFolder()
        try Data(key.publicKey.pemRepresentation.utf8).write(to: URL(fileURLWithPath: folder.file("key.pem")))
        service = try JudgingPeer("apns", [folder.file("key.pem")])
        var hosts = APNsNotifier.Hosts()
        hosts.production = "https://localhost:\(service.peer.port)"
        hosts.sandbox = "https://127.0.0.1:\(service.peer.port)"
        hosts.certificateAuthorityFile = service.authority
        notifier = try APNsNotifier(
            key: try APNsKey(
                pem: key.pemRepresentation, keyID: "KEY1234567", teamID: "TEAM123456", clock: clock.wallClock
            ),
            topic: "org.example.FindMyBike", hosts: hosts
        )
    }

    private struct Shown: Decodable {
        struct Request: Decodable {
            struct Body: Decodable {
                struct APS: Decodable {
                    struct Alert: Decodable {
                        let title: String
                        let body: String
                    }
                    let alert: Alert
                }
                let aps: APS
            }
            struct Claims: Decodable {
                let iss: String
                let iat: Int64
            }
            let device: String
            let token: String
            let environment: String
            let size: Int
            let body: Body
            let headers: [String: String]
            let key: [String: String]
            let claims: Claims
        }
        let requests: [Request]
        let connections: Int
    }

    private func shown() async throws -> Shown { try await service.shown("/", tls: true) }

    /// A device whose token is its name in hexadecimal digits.
    private func alert(_ device: String, _ environment: PushEnvironment? = nil) -> ClaimedAlert {
        let token = device.utf8.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
        return .sample(.apns, token, settings: ChannelSettings(environment: environment), created: clock.now)
    }

    @Test("a device gets the alert with all the fields that Apple requires, and a token that names the sender")
    func delivered() async throws {
        let alert = alert("production device", .production)
        #expect(await notifier.deliver(alert) == .delivered)
        let request = try #require(try await shown().requests.first)
        #expect(request.environment == "production" && request.device == alert.channel.address)
        #expect(request.headers["apns-topic"] == "org.example.FindMyBike")
        #expect(request.headers["apns-push-type"] == "alert")
        #expect(request.headers["apns-priority"] == "10")
        #expect(request.headers["apns-collapse-id"] == alert.collapse)
        #expect(request.headers["apns-id"] == alert.id.description)
        #expect(request.headers["apns-expiration"] == "\(alert.expires.milliseconds / 1000)")
        #expect(request.key == ["alg": "ES256", "kid": "KEY1234567"])
        #expect(request.claims.iss == "TEAM123456" && request.claims.iat == clock.now.milliseconds / 1000)
        #expect(request.body.aps.alert.title == alert.text.title)
        #expect(request.body.aps.alert.body.contains(alert.text.paragraphs[0]))
    }

    @Test("an alert that is not urgent may wait for the device")
    func priority() async throws {
        var alert = alert("production device", .production)
        alert.isUrgent = false
        #expect(await notifier.deliver(alert) == .delivered)
        #expect(try await shown().requests.first?.headers["apns-priority"] == "5")
    }

    @Test("a long text is truncated to Apple's limit")
    func long() async throws {
        var alert = alert("production device", .production)
        let notice = OwnerNotice(
            .beaconFound, bike: Samples.bikeSummary, subject: String(repeating: "ä“ ", count: 3000))
        alert.content = .notice(notice)
        #expect(await notifier.deliver(alert) == .delivered)
        let request = try #require(try await shown().requests.first)
        #expect((3800...4096).contains(request.size) && request.body.aps.alert.body.hasSuffix("…"))
    }

    @Test(
        "a device of the other service is found there, and the channel remembers it",
        arguments: [nil, PushEnvironment.production])
    func otherEnvironment(known: PushEnvironment?) async throws {
        #expect(await notifier.deliver(alert("sandbox device", known)) == .deliveredBy(.sandbox))
        #expect(try await shown().requests.map(\.environment) == ["production", "sandbox"])
        #expect(await notifier.deliver(alert("sandbox device", .sandbox)) == .delivered)
        #expect(try await shown().requests.map(\.environment) == ["production", "sandbox", "sandbox"])
    }

    @Test("a device that neither service knows is given up after one attempt with each")
    func unknown() async throws {
        let result = await notifier.deliver(alert("BadDeviceToken"))
        #expect(result == .giveUp(reason: "neither of Apple’s services knows the device’s token"))
        #expect(try await shown().requests.map(\.environment) == ["production", "sandbox"])
    }

    @Test("a device that is gone is reported as gone", arguments: ["Unregistered", "ExpiredToken"])
    func gone(reason: String) async {
        #expect(
            await notifier.deliver(alert(reason, .production)) == .gone(reason: "the device no longer accepts alerts"))
    }

    @Test(
        "an error that a retry cannot fix is permanent",
        arguments: [
            "BadCollapseId", "BadExpirationDate", "BadMessageId", "BadPriority", "DuplicateHeaders", "InvalidPushType",
            "MissingDeviceToken", "PayloadEmpty", "PayloadTooLarge", "BadPath", "MethodNotAllowed", "IdleTimeout",
        ])
    func permanent(reason: String) async {
        #expect(await notifier.deliver(alert(reason, .production)) == .giveUp(reason: "Apple answered \(reason)"))
    }

    @Test(
        "an error that the operator can fix is retried",
        arguments: [
            "BadTopic", "MissingTopic", "TopicDisallowed", "DeviceTokenNotForTopic", "BadCertificate",
            "BadCertificateEnvironment", "Forbidden", "InvalidProviderToken", "MissingProviderToken",
        ])
    func operatorsError(reason: String) async {
        let words = "Apple answered \(reason): the registry’s operator must fix its Apple settings"
        #expect(await notifier.deliver(alert(reason, .production)) == .retry(after: nil, reason: words))
    }

    @Test(
        "a transient error is retried, but not before the time that Apple states",
        arguments: [
            ("TooManyRequests", 77), ("ServiceUnavailable", 77), ("InternalServerError", nil), ("Shutdown", nil),
            ("TooManyProviderTokenUpdates", 1200),
        ] as [(String, Int?)])
    func passing(reason: String, seconds: Int?) async {
        let result = await notifier.deliver(alert(reason, .production))
        #expect(result == .retry(after: seconds.map { .seconds($0) }, reason: "Apple answered \(reason)"))
    }

    @Test("error texts that Apple does not document are not repeated")
    func foreignWords() async {
        let result = await notifier.deliver(alert("secret", .production))
        #expect(result == .giveUp(reason: "Apple answered with status 418"))
    }

    @Test("a token is used for 40 minutes, and there are never two within 20 minutes")
    func tokens() async throws {
        for minutes in [0, 39, 1, 39, 1] {
            clock.advance(by: .seconds(minutes * 60))
            #expect(await notifier.deliver(alert("production device", .production)) == .delivered)
        }
        let tokens = try await shown().requests.map(\.token)
        #expect(tokens[0] == tokens[1] && tokens[1] != tokens[2] && tokens[2] == tokens[3] && tokens[3] != tokens[4])
    }

    @Test("a token that Apple reports as expired is replaced once, unless it is younger than 20 minutes")
    func expired() async throws {
        #expect(await notifier.deliver(alert("production device", .production)) == .delivered)
        guard case .retry = await notifier.deliver(alert("expired once", .production)) else {
            Issue.record("expected another attempt")
            return
        }
        #expect(try await shown().requests.count == 2)
        clock.advance(by: .seconds(21 * 60))
        #expect(await notifier.deliver(alert("expired once", .production)) == .delivered)
        #expect(Set(try await shown().requests.map(\.token)).count == 2)
    }

    @Test("a hundred alerts at once share two connections")
    func overlapping() async throws {
        let results = await withTaskGroup(of: DeliveryResult.self) { group in
            for _ in 0..<100 { group.addTask { await notifier.deliver(alert("production device", .production)) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == Array(repeating: .delivered, count: 100))
        let shown = try await shown()
        // One of the connections is the test's own, to query the peer.
        #expect(shown.requests.count == 100 && shown.connections <= 3)
    }

    @Test("a service with an untrusted certificate gets nothing")
    func untrusted() async throws {
        var hosts = APNsNotifier.Hosts()
        hosts.production = "https://localhost:\(service.peer.port)"
        let key = try APNsKey(pem: P256.Signing.PrivateKey().pemRepresentation, keyID: "K", teamID: "T")
        let result = await (try APNsNotifier(key: key, topic: "t", hosts: hosts)).deliver(alert("x", .production))
        guard case .retry(nil, let reason) = result else {
            Issue.record("expected another attempt")
            return
        }
        #expect(reason.contains("certificate"))
        #expect(try await shown().requests.isEmpty)
    }
}

@Suite("Device tokens")
struct DeviceTokenTests {
    @Test("a token consists of hexadecimal digits", arguments: ["", "0", "xy", "00 11", "0g", "é1"])
    func refused(token: String) throws {
        let key = try APNsKey(pem: P256.Signing.PrivateKey().pemRepresentation, keyID: "K", teamID: "T")
        let notifier = try APNsNotifier(key: key, topic: "org.example.FindMyBike")
        #expect(notifier.refusals(of: ChannelDraft(kind: .apns, address: token)).map(\.pointer) == ["/url"])
        #expect(notifier.refusals(of: ChannelDraft(kind: .apns, address: "00fc13adff78")).isEmpty)
    }
}
