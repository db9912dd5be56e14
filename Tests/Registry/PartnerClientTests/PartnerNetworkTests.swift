import Foundation
import HTTPClient
import RegistryAPI
import RegistryClient
import RegistryRules
import TestSupport
import Testing

@testable import PartnerClient

@Suite("Calls to partner registries", .timeLimit(.minutes(10)))
struct PartnerNetworkTests {
    @Test("partners that never answer take no threads from the rest of the registry")
    func mute() async throws {
        let count = 90
        let script = try #require(Bundle.module.path(forResource: "mute", ofType: "py", inDirectory: "Fixtures"))
        let peer = try PythonPeer(script, ["\(count)"])
        // None of them ends before all wait.
        let network = try HTTPPartnerNetwork(allowPrivateAddresses: true, patience: .seconds(600))
        let partners = try (1...count).map { number in
            try network.connect(to: "http://127.0.0.\(number):\(peer.port)", token: "secret", mostListed: 10)
        }
        let calls = Task {
            await withTaskGroup(of: Void.self) { group in
                for partner in partners {
                    group.addTask { _ = try? await partner.list(after: nil, wait: .seconds(600)) }
                    group.addTask { _ = try? await partner.send(ForwardedBatch(visits: [])) }
                    group.addTask { _ = try? await partner.numbers() }
                }
            }
        }
        // Dispatch has 255 threads. With one for each request, fewer would wait at the same time.
        let observer = try HTTPConnection()
        let url = "http://127.0.0.200:\(peer.port)/"
        try await eventually("all requests wait at the same time") {
            try await observer.send(HTTPRequest(.get, url: url)).body == Array("\(3 * count)".utf8)
        }
        calls.cancel()
        await calls.value
        peer.kill()
    }

    @Test("a partner at an address that is not public is called only if the operator allows it")
    func addresses() async throws {
        let network = try HTTPPartnerNetwork(allowPrivateAddresses: false)
        func isRefusal(_ error: any Error) -> Bool {
            ["127.0.0.1", "partners.allowPrivateAddresses"].allSatisfy { "\(error)".contains($0) }
        }
        let partner = try network.connect(to: "https://127.0.0.1:1", token: "secret", mostListed: 10)
        await #expect { try await partner.numbers() } throws: { isRefusal($0) }
        let offer = PartnerOffer(
            code: "code", url: "https://registry.example", token: "secret", publicKey: "key", proof: "proof")
        await #expect { try await network.accept(offer, at: "https://127.0.0.1:1") } throws: { isRefusal($0) }
    }

    @Test(
        "a partner that refuses visits because of a signing key: the reason names the command that accepts the key",
        arguments: ["signature", "statement"])
    func keys(field: String) async {
        let error = FieldError(pointer: "/visits/0/\(field)", detail: "is refused")
        let problem = ProblemDetails(name: "invalid-fields", title: "", status: 422, detail: "", errors: [error])
        let refuse: @Sendable () async throws -> Int = { throw RegistryError.refused(problem, retryAfter: nil) }
        await #expect {
            try await HTTPPartnerConnection.describingErrors(refuse)
        } throws: {
            // The end is not cut off.
            "\($0)".hasSuffix("‘findmybike partner change … --key’")
        }
    }
}
