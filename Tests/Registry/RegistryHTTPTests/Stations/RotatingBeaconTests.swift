import Beacons
import FoundationEssentials
import HTTPTypes
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistrySQLite
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistryHTTP

@Suite("Rotating beacons over HTTP")
struct RotatingBeaconTests {
    private let registry: Harness

    init() throws {
        let vault = try #require(BeaconVault(keys: [[UInt8](repeating: 3, count: BeaconVault.keyLength)]))
        registry = try Harness(vault: vault)
    }

    private static var draft: BikeDraft {
        var draft = Samples.bike
        draft.rotating = true
        return draft
    }

    private static func key(_ bike: Bike) throws -> RotatingBeaconKey {
        let text = try #require(bike.rotation?.key)
        return try #require(RotatingBeaconKey(hexadecimal: text))
    }

    /// The identity that a beacon with this lag sends now.
    private func sent(_ key: RotatingBeaconKey, lag: Int64 = 0) throws -> BeaconIdentity {
        let seconds = registry.clock.now.milliseconds / 1000
        let slot = try #require(RotatingSlot(seconds / 1024 - lag))
        return key.identity(at: slot)
    }

    @Test("the key is shown once, also as a QR code, and again only if the same call is repeated")
    func key() async throws {
        let owner = try await registry.newOwner()
        let answer = try await registry.post("/v1/bikes", token: owner, Self.draft, key: "first-call-0001")
        let bike: Bike = try answer.value()
        #expect(answer.status == 201 && bike.rotation?.key?.count == 32)
        #expect(bike.rotation?.keyCode?.hasPrefix("<svg ") == true)
        let seen = try await registry.call(.get, "/v1/bikes/\(bike.id)", token: owner)
        let rotation = try #require(try seen.value(Bike.self).rotation)
        #expect(rotation.key == nil && rotation.keyCode == nil && rotation.lag == 0)
        #expect(seen.headers[.eTag] == answer.headers[.eTag], "the tag can be used for the first change")
        let again = try await registry.post("/v1/bikes", token: owner, Self.draft, key: "first-call-0001")
        #expect(try again.value(Bike.self).rotation?.key == bike.rotation?.key)
        let other: Bike = try await registry.post("/v1/bikes", token: owner, Self.draft).value()
        #expect(other.rotation?.key != bike.rotation?.key)
    }

    @Test("without a key file, or with an identity, no rotating beacon is registered")
    func refused() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let answer = try await registry.post("/v1/bikes", token: owner, Self.draft)
        #expect(answer.status == 409 && answer.problem == "rotation-unavailable")
        var draft = Self.draft
        draft.identity = Samples.identity(1)
        #expect(try await registry.post("/v1/bikes", token: owner, draft).pointers == ["/rotating"])
    }

    @Test("the key of a beacon that the bike got later is not shown if the registration is repeated")
    func repeated() async throws {
        let owner = try await registry.newOwner()
        func register() async throws -> Bike {
            try await registry.post("/v1/bikes", token: owner, Self.draft, key: "first-call-0001").value()
        }
        func change(_ bike: Bike, _ body: String) async throws -> Bike {
            let path = "/v1/bikes/\(bike.id)"
            return try await registry.call(
                .post, "\(path)/beacon", token: owner, body: body,
                headers: try await registry.tag(path, token: owner)
            ).value()
        }
        let bike = try await register()
        let other: Bike = try await registry.post("/v1/bikes", token: owner, Self.draft).value()
        // An exchange shows no key, and after it the bike has another one's.
        let exchanged = try await change(bike, #"{"exchangedWith":"\#(other.id)"}"#)
        #expect(exchanged.rotation != nil && exchanged.rotation?.key == nil)
        #expect(try await register().rotation?.key == nil)
        _ = try await change(bike, #"{"exchangedWith":"\#(other.id)"}"#)
        #expect(try await register().rotation?.key == bike.rotation?.key)
        let later = try await change(bike, #"{"rotating":true}"#)
        #expect(later.rotation?.key != nil && later.rotation?.key != bike.rotation?.key)
        let again = try await register()
        #expect(again.rotation != nil && again.rotation?.key == nil && again.rotation?.keyCode == nil)
    }

    @Test("a bike whose beacon’s key cannot be read is reported missing all the same, and its owner learns of it")
    func unreadable() async throws {
        let owner = try await registry.newOwner()
        let principal = try #require(try await registry.operations.credential(token: owner)?.principal.owner)
        let lost = try #require(BeaconVault(keys: [[UInt8](repeating: 9, count: BeaconVault.keyLength)]))
        let name = Samples.identity(7)
        var generator = SystemRandomNumberGenerator()
        let bike = try await registry.operations.store.registerBike(
            NewBike(
                id: BikeID(at: registry.clock.now, using: &generator), owner: principal, details: Samples.bike,
                identity: .rotating(name, sealed: try lost.seal(.random(), of: name)),
                created: registry.clock.now),
            once: nil)
        let path = "/v1/bikes/\(bike.id)"
        let opened = try await registry.post("\(path)/reports", token: owner, MissingReportDraft())
        #expect(opened.status == 201)
        let report: MissingReport = try opened.value()
        #expect(report.unheard == true)
        let seen: Bike = try await registry.call(.get, path, token: owner).value()
        #expect(seen.openReport == report.id && seen.rotation?.unreadable == true)
        let stored: MissingReport = try await registry.call(.get, "\(path)/reports/\(report.id)", token: owner).value()
        #expect(stored.unheard == true)
        let check = BeaconCheck(identities: [Samples.identity(1)])
        let refused = try await registry.post("\(path)/beacon/check", token: owner, check)
        #expect(refused.status == 409 && refused.problem == "beacon-key-unreadable")
        #expect(try await registry.store.missingList().concealed.isEmpty)
        #expect(try await registry.operations.statistics().unreadableBeacons == 1)
    }

    @Test("a report lists the identities before it is answered; stations' JSON has none of them")
    func visits() async throws {
        let owner = try await registry.newOwner()
        let bike: Bike = try await registry.post("/v1/bikes", token: owner, Self.draft).value()
        let key = try Self.key(bike)
        let report = try await registry.newReport(on: bike.id, of: owner)
        #expect(try await registry.store.missingList().concealed.contains(try sent(key)))
        let station = try await registry.newStation().token
        let list = try await registry.call(.get, "/v1/missing", token: station)
        #expect(try list.value(MissingListDocument.self).identities == [])
        var visits: [Visit] = []
        for number in 1...3 as ClosedRange<UInt64> {
            visits.append(Samples.visit(number, of: try sent(key), from: registry.clock.now))
            registry.clock.advance(by: .seconds(1024))
        }
        visits[1].lastSeen = visits[1].firstSeen.advanced(by: .seconds(900))
        visits[0].lastSeen = visits[0].firstSeen.advanced(by: .seconds(900))
        let results = try await registry.report(visits, as: station)
        #expect(results.map(\.result) == [.stored, .stored, .stored])
        #expect(results.map(\.continues) == [nil, visits[0].stay, visits[0].stay])
        #expect(try await registry.report(visits, as: station).map(\.continues) == results.map(\.continues))
        let sightings = try await registry.sightings(of: report, by: owner)
        #expect(sightings.map(\.level) == [.corroborated, .corroborated, .corroborated])
        _ = try await registry.post(
            "/v1/bikes/\(bike.id)/reports/\(report.id)/closure", token: owner, ReportClosure(outcome: .recovered))
        #expect(try await registry.store.missingList().concealed.isEmpty)
        // Once the bike is not missing, the station learns nothing more.
        let late = try await registry.report(visits, as: station)
        #expect(late.allSatisfy { $0.result == .ignored && $0.continues == nil })
    }

    @Test("a visit of a station whose clock is wrong is dated by its slot")
    func dating() async throws {
        let owner = try await registry.newOwner()
        let bike: Bike = try await registry.post("/v1/bikes", token: owner, Self.draft).value()
        let report = try await registry.newReport(on: bike.id, of: owner)
        let station = try await registry.newStation().token
        let identity = try sent(try Self.key(bike))
        let heard = registry.clock.now
        registry.clock.advance(by: .seconds(6 * 3600))
        let wrong = Samples.visit(1, of: identity, from: Timestamp(milliseconds: 86_400_000))
        let unknown = Samples.visit(2, of: Samples.identity(1), from: Timestamp(milliseconds: 86_400_000))
        let results = try await registry.report([wrong, unknown], as: station)
        #expect(results.map(\.result) == [.stored, .invalid])
        let sighting = try #require(try await registry.sightings(of: report, by: owner).first)
        #expect(sighting.timeUncertain && sighting.reasons.isEmpty)
        #expect(abs(heard.duration(to: sighting.lastSeen) / .seconds(1)) <= 1024)
    }

    @Test("a replay that a station without a clock reports is not dated back to when it was true")
    func replayWithoutClock() async throws {
        let owner = try await registry.newOwner()
        let bike: Bike = try await registry.post("/v1/bikes", token: owner, Self.draft).value()
        let key = try Self.key(bike)
        let report = try await registry.newReport(on: bike.id, of: owner)
        let station = try await registry.newStation().token
        let recorded = try sent(key)
        registry.clock.advance(by: .seconds(2 * 3600))
        let later = Samples.visit(1, of: try sent(key), from: registry.clock.now)
        _ = try await registry.report([later], as: station)
        registry.clock.advance(by: .seconds(4 * 3600))
        var replay = Samples.visit(2, of: recorded, from: Timestamp(milliseconds: 86_400_000))
        replay.secondsAgo = 10
        #expect(try await registry.report([replay], as: station).map(\.result) == [.stored])
        let sightings = try await registry.sightings(of: report, by: owner)
        #expect(sightings.map(\.reasons) == [[.beaconProved], [.replayed]])
        #expect(sightings[1].lastSeen == registry.clock.now.advanced(by: .seconds(-10)))
    }

    @Test("a check near the bike finds the lag among other beacons; nothing of them is kept")
    func check() async throws {
        let owner = try await registry.newOwner()
        let bike: Bike = try await registry.post("/v1/bikes", token: owner, Self.draft).value()
        let key = try Self.key(bike)
        for lag in [0, 30, 25_000, -50] as [Int64] {
            let heard = BeaconCheck(identities: [Samples.identity(1), try sent(key, lag: lag)])
            let checked: Bike = try await registry.post(
                "/v1/bikes/\(bike.id)/beacon/check", token: owner, heard
            ).value()
            #expect(checked.rotation == BeaconRotation(lag: lag, checked: registry.clock.now))
        }
        let path = "/v1/bikes/\(bike.id)/beacon/check"
        let others = BeaconCheck(identities: [Samples.identity(1)])
        #expect(try await registry.post(path, token: owner, others).pointers == ["/identities"])
        #expect(try await registry.post(path, token: owner, BeaconCheck(identities: [])).status == 422)
        let fixed = try await registry.newBike(of: owner)
        let refused = try await registry.post("/v1/bikes/\(fixed.id)/beacon/check", token: owner, others)
        #expect(refused.problem == "beacon-not-rotating")
        #expect(try await registry.post(path, token: try await registry.newOwner(), others).status == 404)
    }

    @Test("a bike with a fixed beacon gets a rotating one, whose key only this answer shows")
    func change() async throws {
        let owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        let answer = try await registry.call(
            .post, "/v1/bikes/\(bike.id)/beacon", token: owner, body: #"{"rotating":true}"#,
            headers: try await registry.tag("/v1/bikes/\(bike.id)", token: owner))
        #expect(try answer.value(Bike.self).rotation?.key?.count == 32)
        let history = try await registry.call(.get, "/v1/bikes/\(bike.id)/history", token: owner)
        #expect(try history.value(Page<BikeEvent>.self).items.last?.event == .beaconRetired)
    }

    @Test("a bike that a member reports missing is listed at once, too")
    func member() async throws {
        let owner = try await registry.newOwner()
        let bike: Bike = try await registry.post("/v1/bikes", token: owner, Self.draft).value()
        let member = try await registry.newMember(of: bike.id, owner: owner, .report)
        _ = try await registry.newReport(on: bike.id, of: member)
        #expect(try await registry.store.missingList().concealed.count == 190)
    }
}
