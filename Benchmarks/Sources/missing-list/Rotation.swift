import Beacons
import Foundation
import Logging
import MissingList
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistrySQLite
import Synchronization

/// Measures the list of rotating missing bikes: its bytes, a refresh of all windows from the database to the delta, and
/// the recording of visits.
struct Rotation {
    struct Result: Encodable {
        var bikes = 0
        var entries = 0
        var openMilliseconds = 0.0
        var fullBytes = 0
        /// The deltas of four refreshes.
        var dayBytes = 0
        var deriveMilliseconds = 0.0
        /// The commit that moves the windows.
        var moveMilliseconds: [Double] = []
        /// Reading the changes, and hashing and encoding the delta.
        var publishMilliseconds: [Double] = []
        var databaseBytes = 0
        /// One visit in a request of 100, by a beacon that is not missing.
        var visitMicroseconds = 0.0
    }

    private let bikes: Int
    private let store: SQLiteRegistryStore
    private let operations: RegistryOperations
    private let time: Time
    private let path: String

    /// A clock that is set by hand.
    private final class Time: Sendable {
        private let now = Mutex(Timestamp(milliseconds: 1_795_262_400_000))
        var clock: WallClock { WallClock { self.now.withLock { $0 } } }
        func advance(by duration: Duration) { now.withLock { $0 = $0.advanced(by: duration) } }
    }

    init(database: String, bikes: Int) throws {
        self.bikes = bikes
        path = database
        time = Time()
        store = try SQLiteRegistryStore(path: database, quotas: Quotas(bikes: 10_000, openReports: 10_000))
        var operations = RegistryOperations(
            store: store, logger: Logger(label: "missing-list") { _ in SwiftLogNoOpLogHandler() })
        operations.vault = BeaconVault(keys: [[UInt8](repeating: 1, count: 32)])
        operations.clock = time.clock
        self.operations = operations
    }

    func measure() async throws -> Result {
        var result = Result()
        result.bikes = bikes
        var draft = BikeDraft(kind: .bicycle, make: "Brompton", model: "C Line", colours: [.green])
        draft.rotating = true
        let begin = ContinuousClock.now
        for share in stride(from: 0, to: bikes, by: 1000) {
            let owner = try await operations.createOwner().owner.id
            for _ in share..<min(share + 1000, bikes) {
                let bike = try await operations.registerBike(draft, of: owner, once: nil)
                _ = try await operations.openReport(
                    MissingReportDraft(policeReference: "CRIME-7"), on: bike.id, of: owner, once: nil)
            }
        }
        result.openMilliseconds = milliseconds(since: begin)
        await operations.rotation.round()
        var snapshot = try await store.missingList()
        // Among two million identities, some share a hash.
        var published = CountedIdentities(version: snapshot.version, identities: snapshot.concealed)
        result.entries = published.list.count
        result.fullBytes = published.list.encoded.count
        for _ in 1...4 {
            // What is derived ahead is stored in the hours before the refresh.
            let start = ContinuousClock.now
            await operations.rotation.round()
            result.deriveMilliseconds += milliseconds(since: start)
            time.advance(by: .seconds(21 * 1024))
            let move = ContinuousClock.now
            guard try await store.moveWindows(of: nil, at: time.clock.now) == bikes else {
                throw BenchmarkError(description: "not all windows moved")
            }
            result.moveMilliseconds.append(milliseconds(since: move))
            let publish = ContinuousClock.now
            let version = published.list.version
            guard let changes = try await store.missingListChanges(since: version, upTo: nil),
                let next = published.changed(to: changes.to, removing: changes.removed, adding: changes.added)
            else { throw BenchmarkError(description: "the journal is gone") }
            let delta = next.delta.encoded
            result.publishMilliseconds.append(milliseconds(since: publish))
            result.dayBytes += delta.count
            published = next.list
        }
        snapshot = try await store.missingList()
        let rebuilt = MissingIdentities(version: snapshot.version, identities: snapshot.concealed)
        guard published.list.digest == rebuilt.digest else {
            throw BenchmarkError(description: "the deltas do not lead to the list")
        }
        result.databaseBytes =
            (try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
        result.visitMicroseconds = try await visits()
        return result
    }

    /// The time for one of many visits by beacons that are not missing.
    private func visits() async throws -> Double {
        let operatorID = Principal.operator(OperatorID(high: 1, low: 1))
        let place = Place(latitude: 51.5, longitude: -0.12, accuracy: 10)
        let code = try await operations.invite(
            InvitationDraft(name: "station", place: place), by: operatorID, once: nil
        ).code
        let station = try await operations.enrol(EnrolmentRequest(code: code), attempt: nil).station.id
        let rounds = 200
        let begin = ContinuousClock.now
        for _ in 0..<rounds {
            let visits = (0..<100).map { _ in
                Visit(
                    id: VisitID(high: .random(in: 0 ... .max), low: 1), stay: StayID(high: 1, low: 1),
                    identity: BeaconIdentity(
                        uuid: ProximityUUID(high: .random(in: 0 ... .max), low: 1), major: 1, minor: 1),
                    firstSeen: time.clock.now, lastSeen: time.clock.now, count: 1, rssi: nil, measuredPower: -59,
                    proximity: .far, place: nil, ended: true)
            }
            _ = try await store.record(RecordRequest(visits, by: station, at: time.clock.now, using: .system))
        }
        return milliseconds(since: begin) * 1000 / Double(rounds * 100)
    }

    private func milliseconds(since begin: ContinuousClock.Instant) -> Double {
        begin.duration(to: .now) / .milliseconds(1)
    }
}
