import Foundation
import PostgreSQL
import PostgreSQLTestSupport
import Synchronization
import Testing

@Suite("Notifications of PostgreSQL")
struct ListenerTests {
    private final class Heard: Sendable {
        let events = Mutex<[Listener.Event]>([])
        func contains(_ event: Listener.Event, times: Int = 1) -> Bool {
            events.withLock { $0.count { $0 == event } >= times }
        }
    }

    @Test("notifications arrive, and a reconnection says that some may have been missed")
    func notifications() async throws {
        let url = try await PostgreSQLCluster.shared().database()
        let heard = Heard()
        let listener = Listener(try ConnectionSettings(url), channels: ["one", "Two\"'s"], deadlines: generous) {
            event in
            heard.events.withLock { $0.append(event) }
        }
        try await onThread {
            try eventually { heard.contains(.mayHaveMissed) }
            let connection = try open(url)
            try connection.run("SELECT pg_notify($1, $2)", [.text("one"), .text("a")])
            try connection.run("SELECT pg_notify($1, $2)", [.text("Two\"'s"), .text("")])
            try connection.run("SELECT pg_notify($1, $2)", [.text("three"), .text("")])
            try eventually { heard.contains(.notification(channel: "Two\"'s", payload: "")) }
            let expected: [Listener.Event] = [
                .mayHaveMissed, .notification(channel: "one", payload: "a"),
                .notification(channel: "Two\"'s", payload: ""),
            ]
            #expect(heard.events.withLock(\.self) == expected)
            try connection.run(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """)
            try eventually { heard.contains(.mayHaveMissed, times: 2) }
            try connection.run("SELECT pg_notify('one', 'b')")
            try eventually { heard.contains(.notification(channel: "one", payload: "b")) }
        }
        await listener.stop()
    }
}
