import Crypto
import Foundation
import HTTPClient
import Logging
import Notifiers
import Registry
import RegistryAPI
import RegistrySQLite
import ServiceLifecycle

/// Drains queued alerts over HTTP/2 to one local server in the place of Apple's, and sends as many requests without a
/// queue. Arguments: the server's URL, the authority of its certificate, a folder for the database, and how many.
@main
struct AlertDrain {
    let url: String
    let authority: String
    let count: Int

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let count = Int(arguments[4]) else {
            print("usage: alert-drain URL AUTHORITY FOLDER COUNT")
            exit(64)
        }
        let drain = AlertDrain(url: arguments[1], authority: arguments[2], count: count)
        let transport = try await drain.transport()
        let queue = try await drain.queue(database: "\(arguments[3])/registry.sqlite")
        print("libcurl alone \(Int(transport)) requests/s")
        print("from the queue \(Int(queue)) alerts/s, \(String(format: "%.2f", queue / transport)) of it")
    }

    /// Requests a second by the same transport, of the same size.
    private func transport() async throws -> Double {
        let transport = try HTTPMultiplexer(
            HTTPConfiguration(certificateAuthorityFile: authority, waitsForStreams: true), concurrency: 500,
            connections: 2
        )
        let request = HTTPRequest(
            .post, url: "\(url)/3/device/00", headers: [("authorization", String(repeating: "x", count: 200))],
            body: Array(repeating: 0x20, count: 600)
        )
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    guard try await transport.send(request).status == 200 else { throw Failure.refused }
                }
            }
            try await group.waitForAll()
        }
        return rate(since: start)
    }

    /// Alerts a second from the database through the dispatcher, each settled durably.
    private func queue(database: String) async throws -> Double {
        let store = try SQLiteRegistryStore(path: database)
        try await fill(store)
        let logger = Logger(label: "alert-drain") { _ in SwiftLogNoOpLogHandler() }
        var hosts = APNsNotifier.Hosts()
        hosts.production = url
        hosts.certificateAuthorityFile = authority
        let key = try APNsKey(pem: P256.Signing.PrivateKey().pemRepresentation, keyID: "K", teamID: "T")
        let notifier = try APNsNotifier(key: key, topic: "org.example.FindMyBike", hosts: hosts)
        let dispatcher = AlertDispatcher(store: store, notifiers: [notifier], signal: AlertSignal(), logger: logger)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [dispatcher], logger: logger)
        )
        let start = ContinuousClock.now
        let running = Task { try await group.run() }
        while try await store.nextAlertDue() != nil { try await Task.sleep(for: .milliseconds(20)) }
        let rate = rate(since: start)
        await group.triggerGracefulShutdown()
        try await running.value
        return rate
    }

    /// An owner with many devices, each of which has to be told of a new token.
    private func fill(_ store: SQLiteRegistryStore) async throws {
        let operations = RegistryOperations(
            store: store, notifiers: [], alertSignal: AlertSignal(),
            logger: Logger(label: "alert-drain") { _ in SwiftLogNoOpLogHandler() }
        )
        let owner = try await operations.createOwner().owner.id
        var entropy = Entropy.system
        for number in 0..<count {
            let now = WallClock.system.now
            let token = String(number + 1 << 32, radix: 16)
            let channel = Channel(
                id: ChannelID(at: now, using: &entropy), kind: .apns, url: token, environment: .production, created: now
            )
            _ = try await store.addChannel(
                channel, ChannelSettings(environment: .production), secret: SigningSecret(using: &entropy), of: owner,
                once: nil, verification: nil
            )
        }
        let act = operations.act(of: owner, recoveryCode: nil)
        _ = try await operations.createToken(TokenDraft(name: "new", scope: .read), by: act, once: nil)
    }

    private func rate(since start: ContinuousClock.Instant) -> Double {
        Double(count) / (start.duration(to: .now) / .seconds(1))
    }

    private enum Failure: Error { case refused }
}
