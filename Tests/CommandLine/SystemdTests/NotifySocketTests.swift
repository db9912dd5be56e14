import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Systemd

@Suite("Notifying the service manager")
struct NotifySocketTests {
    @Test("messages arrive in one datagram, by path and in the abstract namespace", arguments: [false, true])
    func messages(isAbstract: Bool) throws {
        let folder = try TemporaryFolder()
        let name = isAbstract ? "@findmybike-\(UUID().uuidString)" : folder.file("notify")
        let manager = try ManagerSocket(name)
        let socket = try #require(NotifySocket(environment: manager.environment))
        socket.send(.ready, .status("listening\nwith hci0"))
        #expect(manager.receive() == "READY=1\nSTATUS=listening with hci0")
    }

    @Test("without a manager nothing is sent", arguments: [[:], ["NOTIFY_SOCKET": "relative"]])
    func nobody(environment: [String: String]) {
        #expect(NotifySocket(environment: environment) == nil)
    }

    @Test("a manager that does not read does not block the sender")
    func fullQueue() throws {
        let folder = try TemporaryFolder()
        let manager = try ManagerSocket(folder.file("notify"))
        let socket = try #require(NotifySocket(environment: manager.environment))
        // More than any queue holds (net.unix.max_dgram_qlen).
        for _ in 0..<5000 { socket.send(.watchdog, .status("well")) }
        #expect(manager.receive() == "WATCHDOG=1\nSTATUS=well")
    }

    @Test("a manager that is gone causes no error")
    func gone() throws {
        let socket = try #require(NotifySocket(environment: ["NOTIFY_SOCKET": "/nonexistent/notify"]))
        socket.send(.stopping)
    }

    @Test("watchdog notifications are sent only while there is progress")
    func watchdog() async throws {
        let folder = try TemporaryFolder()
        let manager = try ManagerSocket(folder.file("notify"))
        let environment = manager.environment.merging(["WATCHDOG_USEC": "2000000"]) { $1 }
        let socket = try #require(NotifySocket(environment: environment))
        let answers = Mutex([true, false, true])
        let sleeps = Mutex([Duration]())
        let watchdog = Watchdog(
            socket: socket, environment: environment,
            sleep: { duration in
                sleeps.withLock { $0.append(duration) }
                if answers.withLock(\.isEmpty) { throw CancellationError() }
            },
            isMakingProgress: { answers.withLock { $0.removeFirst() } }
        )
        try await #require(watchdog).run()
        #expect([manager.receive(), manager.receive(), manager.receive()] == ["WATCHDOG=1", "WATCHDOG=1", ""])
        #expect(sleeps.withLock { $0 } == Array(repeating: .seconds(1), count: 3))
    }

    @Test(
        "without a watchdog no notifications are sent", arguments: [[:], ["WATCHDOG_USEC": "5", "WATCHDOG_PID": "1"]])
    func unwatched(environment: [String: String]) throws {
        let socket = try #require(NotifySocket(environment: ["NOTIFY_SOCKET": "/run/notify"]))
        #expect(Watchdog(socket: socket, environment: environment) { true } == nil)
    }
}
