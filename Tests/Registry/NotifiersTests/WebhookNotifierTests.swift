import Foundation
import HTTPClient
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import TestSupport
import Testing

@testable import Notifiers

@Suite("Webhooks")
struct WebhookNotifierTests {
    private let clock = HandClock()

    private func receiver() throws -> PythonPeer {
        let script = try #require(Bundle.module.path(forResource: "receiver", ofType: "py", inDirectory: "Fixtures"))
        return try PythonPeer(script)
    }

    private func deliver(_ path: String, to peer: PythonPeer, allowPrivate: Bool = true) async throws -> DeliveryResult
    {
        let notifier = try WebhookNotifier(allowPrivateAddresses: allowPrivate, clock: clock.wallClock)
        let url = "\(allowPrivate ? "http" : "https")://127.0.0.1:\(peer.port)\(path)"
        return await notifier.deliver(Samples.alert(created: clock.now, url: url))
    }

    private struct Received: Decodable {
        let path: String
        let id: String
        let timestamp: String
        let contentType: String
        let body: SightingAlert
        let signed: Bool
    }

    private func received(by peer: PythonPeer) async throws -> [Received] {
        let response = try await HTTPConnection().send(HTTPRequest(.get, url: "http://127.0.0.1:\(peer.port)/"))
        return try JSONDecoder().decode([Received].self, from: Data(response.body))
    }

    @Test("a receiver gets the alert with a signature that it can verify")
    func delivered() async throws {
        let peer = try receiver()
        #expect(try await deliver("/ok", to: peer) == .delivered)
        let message = try #require(try await received(by: peer).first)
        let alert = Samples.alert(created: clock.now)
        #expect(message.signed)
        #expect(message.id == alert.id.description)
        #expect(message.timestamp == "1795262400")
        #expect(message.contentType == "application/json")
        let content = Samples.sightingContent(seen: clock.now)
        #expect(message.body == SightingAlert(content, created: clock.now))
    }

    @Test("a webhook that is not allowed the place gets none", arguments: [true, false])
    func place(isTold: Bool) throws {
        var alert = Samples.alert(created: clock.now)
        alert.channel.coordinates = isTold
        let sightings = [Samples.sighting(seen: clock.now)]
        let digest = ClaimedAlert.DigestContent(
            bike: Samples.bikeSummary, policeReference: nil, report: sightings[0].report, count: 1, sightings: sightings
        )
        for content in [alert.content, .digest(digest)] {
            alert.content = content
            let body = String(decoding: try WebhookMessage.body(of: alert), as: UTF8.self)
            #expect(body.contains("51.5") == isTold && body.contains("latitude") == isTold)
            #expect(body.contains("Café Sprocket"))
        }
    }

    @Test("a webhook without places gets everything else")
    func placeless() {
        let sighting = Samples.sighting(seen: clock.now)
        let fields = Mirror(reflecting: PlacelessSighting(sighting)).children.compactMap(\.label)
        let all = Mirror(reflecting: sighting).children.compactMap(\.label)
        #expect(fields == all.filter { !["place", "claimedPlace", "receiver"].contains($0) })
    }

    @Test("a redirect is not followed")
    func redirect() async throws {
        let peer = try receiver()
        guard case .retry(nil, let reason) = try await deliver("/redirect", to: peer) else {
            Issue.record("expected another attempt")
            return
        }
        #expect(reason.contains("redirects"))
        #expect(try await received(by: peer).map(\.path) == ["/redirect"])
    }

    @Test("a busy receiver is not retried before the time that it asks for, and its text is never repeated")
    func busy() async throws {
        let result = try await deliver("/busy", to: try receiver())
        #expect(result == .retry(after: .seconds(120), reason: "the receiver answered with status 503"))
    }

    @Test("a receiver that is gone is given up")
    func gone() async throws {
        #expect(try await deliver("/gone", to: try receiver()) == .giveUp(reason: "the receiver is gone (status 410)"))
    }

    @Test("every other failure is retried", arguments: ["/refused", "/large", "/broken"])
    func failures(path: String) async throws {
        guard case .retry(nil, let reason) = try await deliver(path, to: try receiver()) else {
            Issue.record("expected another attempt")
            return
        }
        #expect(!reason.contains("secret"))
    }

    @Test("an address that is not public is refused on the connected socket")
    func privateAddress() async throws {
        let peer = try receiver()
        let result = try await deliver("/ok", to: peer, allowPrivate: false)
        #expect(result == .giveUp(reason: "the URL leads to an address that is not public"))
        #expect(try await received(by: peer).isEmpty)
    }

    @Test("a refused connection is retried, with this program's own error text")
    func refusedConnection() async throws {
        let notifier = try WebhookNotifier(allowPrivateAddresses: true)
        let alert = Samples.alert(created: clock.now, url: "http://127.0.0.1:1/")
        #expect(await notifier.deliver(alert) == .retry(after: nil, reason: "the receiver refused the connection"))
    }

    @Test("deliveries run concurrently: a slow receiver does not delay the alerts of others")
    func overlapping() async throws {
        let peer = try receiver()
        let notifier = try WebhookNotifier(allowPrivateAddresses: true)
        let results = await withTaskGroup(of: DeliveryResult.self) { group in
            for number in 1...8 as ClosedRange<UInt64> {
                group.addTask {
                    let url = "http://127.0.0.1:\(peer.port)/ok"
                    return await notifier.deliver(Samples.alert(number, created: clock.now, url: url))
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == Array(repeating: .delivered, count: 8))
        #expect(Set(try await received(by: peer).map(\.id)).count == 8)
    }
}
