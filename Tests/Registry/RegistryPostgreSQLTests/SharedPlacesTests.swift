import Foundation
import OperatingSystem
import Passkeys
import Photos
import PostgreSQL
import RegistryAPI
import RegistrySQL
import RegistryTestSupport
import Synchronization
import TestSupport
import Testing

@testable import RegistryPostgreSQL
@testable import RegistryRules
@testable import RegistryStoreContract

@Suite("What the processes of a registry share besides its rows")
struct SharedPlacesTests {
    private static let today = CalendarDate(Timestamp(milliseconds: 1_795_262_400_000))
    private static let tomorrow = CalendarDate(Timestamp(milliseconds: 1_795_262_400_000 + 86_400_000))

    private static func key(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    @Test("all processes use the same key for the networks of a day’s finders, and forget it afterwards")
    func findSenders() async throws {
        try await TestDatabase.withTwoStores { one, two in
            let places = [one, two].map { $0.findSenders { Issue.record($0) } }
            #expect(await places[0].agree([Self.today: Self.key(1)]) == [Self.today: Self.key(1)])
            #expect(await places[1].agree([Self.today: Self.key(2)]) == [Self.today: Self.key(1)])
            let both = [Self.today: Self.key(1), Self.tomorrow: Self.key(3)]
            #expect(await places[1].agree([Self.today: Self.key(2), Self.tomorrow: Self.key(3)]) == both)
            #expect(await places[0].agree([Self.tomorrow: Self.key(4)]) == [Self.tomorrow: Self.key(3)])
            #expect(await places[1].agree([Self.today: Self.key(5)]) == [Self.today: Self.key(5)])
            let senders = places.map { FindSenders(keptIn: $0) }
            for sender in senders { await sender.prepare(at: HandClock().now) }
            let numbers = Set(senders.map { $0.sender(in: [192, 0, 2, 1], at: HandClock().now) })
            #expect(numbers.count == 1)
        }
    }

    @Test("after a failover has emptied the table, a process that starts gets the key that the others use")
    func keysAfterFailover() async throws {
        try await TestDatabase.withTwoStores { one, two in
            let running = one.findSenders { Issue.record($0) }
            #expect(await running.agree([Self.today: Self.key(1)]) == [Self.today: Self.key(1)])
            _ = try await one.pools.writing.use { try $0.run("DELETE FROM day_secret") }
            let starting = two.findSenders { Issue.record($0) }
            async let agreed = starting.agree([Self.today: Self.key(2)])
            // As each process does every second.
            #expect(await running.agree([Self.today: Self.key(1)]) == [Self.today: Self.key(1)])
            #expect(await agreed == [Self.today: Self.key(1)])
        }
    }

    @Test("if the database does not answer, a process uses a key of its own and says so")
    func unreachable() async throws {
        try await TestDatabase.with { url in
            let store = try await PostgreSQLRegistryStore.open(try TestDatabase.server(url))
            await store.close()
            let notes = Mutex(0)
            let place = store.findSenders { _ in notes.withLock { $0 += 1 } }
            #expect(await place.agree([Self.today: Self.key(1)]) == [Self.today: Self.key(1)])
            #expect(notes.withLock(\.self) == 1)
        }
    }

    @Test("a challenge that one process makes is valid in the other, once")
    func challenges() async throws {
        try await TestDatabase.withTwoStores { one, two in
            let (first, second) = (
                PasskeyChallenges(rememberedIn: one.challengeMemory),
                PasskeyChallenges(rememberedIn: two.challengeMemory)
            )
            var entropy = Entropy.system
            let bytes = try await first.make(.anyone, user: [UInt8](repeating: 7, count: 16), using: &entropy)
            let challenge = try await second.read(bytes, for: .anyone)
            #expect(try await second.use(challenge))
            #expect(try await !first.use(challenge))
            #expect(try await !second.use(challenge))
            await first.release(challenge)
            #expect(try await first.use(challenge))
            // Processes that start together agree on one key.
            let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for memory in [one.challengeMemory, two.challengeMemory] { group.addTask { try await memory.key() } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(keys.count == 1 && keys.first?.count == 32)
        }
    }

    @Test("uses of expired challenges are forgotten")
    func forgotten() async throws {
        try await TestDatabase.withStore { store in
            let clock = HandClock()
            let memory = PostgreSQLChallengeMemory(pool: store.pools.reading, clock: clock.wallClock)
            let deadline = memory.now() + 300
            #expect(try await memory.use(nonce: [1], until: deadline))
            clock.advance(by: .seconds(300))
            #expect(try await !memory.use(nonce: [1], until: deadline))
            clock.advance(by: .seconds(1))
            #expect(try await memory.use(nonce: [2], until: deadline + 300))
            let left = try await store.read { try $0.integer("SELECT count(*) FROM used_challenge", []) }
            #expect(left == 1)
        }
    }

    @Test("a picture that one process stores is served by the other, until it is removed")
    func pictures() async throws {
        try await TestDatabase.withTwoStores { one, two in
            let names = (1...3).map { _ in
                var entropy = Entropy.system
                return PhotoName(using: &entropy)
            }
            let (large, small) = (JPEGSample(16, 8).bytes, JPEGSample(8, 4).bytes)
            let photo = try #require(ConvertedPhoto(large: large, small: small))
            for name in names { try await one.pictures.put(photo, as: name) }
            #expect(try await two.pictures.whole(names[0], .large) == large)
            #expect(try await two.pictures.whole(names[0], .small) == small)
            let other = try #require(ConvertedPhoto(large: small, small: small))
            try await two.pictures.put(other, as: names[0])
            #expect(try await one.pictures.whole(names[0], .large) == small)
            try await two.pictures.remove([names[0]])
            try await two.pictures.remove([])
            #expect(try await one.pictures.whole(names[0], .large) == nil)
            // The other process may still be about to record a new photo in the owner's account.
            #expect(try await Self.all(in: two).isEmpty)
            try await one.write { try $0.run("UPDATE picture SET stored = stored - interval '61 minutes'", []) }
            #expect(try await Self.all(in: two) == Set(names.dropFirst()))
        }
    }

    /// The names that the upkeep of photos examines, one by one.
    private static func all(in store: PostgreSQLRegistryStore) async throws -> Set<PhotoName> {
        let found = Mutex<Set<PhotoName>>([])
        try await store.pictures.eachNames(atMost: 1) { names in
            #expect(names.count == 1)
            found.withLock { $0.formUnion(names) }
        }
        return found.withLock(\.self)
    }
}
