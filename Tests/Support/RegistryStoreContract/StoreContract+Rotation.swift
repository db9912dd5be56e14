import Beacons
import Logging
import MissingList
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

/// A stage with rotating beacons.
struct RotationStage {
    let stage: Stage
    let vault: BeaconVault
    let upkeep: RotationUpkeep

    init(_ store: any RegistryStore) throws {
        stage = Stage(store)
        vault = try Self.vault(7)
        upkeep = Self.upkeep(vault, stage)
    }

    static func vault(_ keys: UInt8...) throws -> BeaconVault {
        try #require(BeaconVault(keys: keys.map { [UInt8](repeating: $0, count: BeaconVault.keyLength) }))
    }

    /// The upkeep of a registry that has just started with a key file.
    static func upkeep(_ vault: BeaconVault?, _ stage: Stage) -> RotationUpkeep {
        RotationUpkeep(
            store: stage.store, vault: vault, clock: stage.clock.wallClock, entropy: stage.entropy,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// The bikes whose beacons are marked as unreadable.
    func unreadable(_ bikes: [(owner: OwnerID, id: BikeID)]) async throws -> Int {
        var count = 0
        for bike in bikes {
            let bike = try #require(try await store.bike(bike.id, of: bike.owner))
            if bike.rotation?.unreadable == true { count += 1 }
        }
        let numbers = try await store.overviewNumbers(at: now, silentBefore: now)
        #expect(numbers.unreadableBeacons == count)
        #expect(try await store.statistics(silentBefore: now).unreadableBeacons == Int64(count))
        return count
    }

    var store: any RegistryStore { stage.store }
    var now: Timestamp { stage.now }

    /// The number of the present slot.
    var slot: Int64 { now.milliseconds / 1000 / 1024 }

    /// Waits for the middle of the next slot.
    func nextSlot(_ count: Int64 = 1) {
        let middle = (slot + count) * 1024 + 512
        stage.clock.advance(by: now.duration(to: Timestamp(milliseconds: middle * 1000)))
    }

    func bike(
        of owner: OwnerID, sealedBy vault: BeaconVault? = nil
    ) async throws -> (bike: Bike, key: RotatingBeaconKey) {
        var entropy = stage.entropy
        let key = RotatingBeaconKey.random(using: &entropy)
        return (
            try await store.registerBike(
                NewBike(
                    id: stage.newID(), owner: owner, details: Samples.bike,
                    identity: try source(key, sealedBy: vault), created: now),
                once: nil), key
        )
    }

    func source(_ key: RotatingBeaconKey, sealedBy other: BeaconVault? = nil) throws -> IdentitySource {
        var entropy = stage.entropy
        let name = BeaconIdentity(
            uuid: ProximityUUID(high: entropy.next(), low: entropy.next()), major: entropy.next(),
            minor: entropy.next())
        return .rotating(name, sealed: try (other ?? vault).seal(key, of: name))
    }

    func open(_ bike: Bike, of owner: OwnerID) async throws -> MissingReport {
        let report = try await stage.openReport(on: bike.id, of: owner)
        await upkeep.round()
        return report
    }

    func missingBike() async throws -> (
        owner: OwnerID, bike: Bike, key: RotatingBeaconKey, report: MissingReport, station: StationID
    ) {
        let owner = try await stage.owner()
        _ = try await stage.channel(of: owner)
        let (bike, key) = try await bike(of: owner)
        return (owner, bike, key, try await open(bike, of: owner), try await stage.station())
    }

    func concealed() async throws -> Set<BeaconIdentity> { Set(try await store.missingList().concealed) }

    /// The notices since the last call.
    func notices() async throws -> [OwnerNotice.Event] {
        try await stage.deliver().compactMap(\.content.notice?.event)
    }

    func identities(_ key: RotatingBeaconKey, _ slots: ClosedRange<Int64>) throws -> Set<BeaconIdentity> {
        let first = try #require(RotatingSlot(slots.lowerBound))
        return Set(key.identities(in: first...first.advanced(by: slots.count - 1)))
    }

    /// A visit of the present slot, or of an earlier one.
    func visit(
        _ number: UInt64, _ key: RotatingBeaconKey, lag: Int64 = 0, lasting: Duration = .seconds(60)
    ) throws -> Visit {
        let slot = try #require(RotatingSlot(slot - lag))
        return Samples.visit(number, of: key.identity(at: slot), from: now, lasting: lasting)
    }

    /// Checks that an earlier list and the changes since then are the present list.
    func expectChanges(since earlier: MissingListSnapshot) async throws {
        let later = try await store.missingList()
        let changes = try #require(try await store.missingListChanges(since: earlier.version, upTo: nil))
        let (before, after) = (
            Set(earlier.identities + earlier.concealed), Set(later.identities + later.concealed)
        )
        #expect(Set(changes.added) == after.subtracting(before) && Set(changes.removed) == before.subtracting(after))
        #expect(Set(changes.added).count == changes.added.count && Set(changes.removed).count == changes.removed.count)
    }
}

extension StoreContract {
    static let rotation = [
        StoreContract("the coming identities of a missing bike are listed while its report is open") { store, _ in
            let stage = try RotationStage(store)
            let owner = try await stage.stage.owner()
            let (bike, key) = try await stage.bike(of: owner)
            #expect(bike.rotation == BeaconRotation(lag: 0, checked: stage.now))
            let empty = try await store.missingList()
            let report = try await stage.open(bike, of: owner)
            let list = try await store.missingList()
            #expect(list.identities.isEmpty, "JSON shows none of them")
            #expect(Set(list.concealed) == (try stage.identities(key, stage.slot - 84...stage.slot + 105)))
            try await stage.expectChanges(since: empty)
            _ = try await stage.stage.close(report, of: owner)
            #expect(try await stage.concealed().isEmpty)
            try await stage.expectChanges(since: list)
            try await stage.expectChanges(since: empty)
            _ = try await stage.open(bike, of: owner)
            #expect(try await stage.concealed().count == 190)
        },
        StoreContract("all windows move at once, every six hours") { store, _ in
            let stage = try RotationStage(store)
            let owner = try await stage.stage.owner()
            let bikes = try await [stage.bike(of: owner), stage.bike(of: owner)]
            for (bike, _) in bikes { _ = try await stage.open(bike, of: owner) }
            var history = [try await store.missingList()]
            for _ in 1...70 {
                stage.nextSlot()
                await stage.upkeep.round()
                let list = try await store.missingList()
                guard list.version != history.last?.version else { continue }
                #expect(list.version.number == (history.last?.version.number ?? 0) + 1)
                let expected = try bikes.map { try stage.identities($0.key, stage.slot - 84...stage.slot + 105) }
                #expect(Set(list.concealed) == expected[0].union(expected[1]))
                for earlier in history { try await stage.expectChanges(since: earlier) }
                history.append(list)
            }
            #expect((4...5).contains(history.count), "\(history.count)")
        },
        StoreContract("the window of a beacon that was not checked for long is longer; a check moves it") { store, _ in
            let stage = try RotationStage(store)
            let owner = try await stage.stage.owner()
            let (bike, key) = try await stage.bike(of: owner)
            stage.stage.clock.advance(by: .days(181))
            let report = try await stage.open(bike, of: owner)
            #expect(try await stage.concealed() == (try stage.identities(key, stage.slot - 590...stage.slot + 105)))
            _ = try await stage.stage.close(report, of: owner)
            let act = stage.stage.act(of: owner)
            let checked = try await store.checkBeacon(of: bike.id, lag: 5000, by: act)
            #expect(checked.rotation == BeaconRotation(lag: 5000, checked: stage.now))
            _ = try await stage.open(bike, of: owner)
            #expect(
                try await stage.concealed() == (try stage.identities(key, stage.slot - 5084...stage.slot - 4895)))
            let other = try await stage.stage.owner()
            await #expect(throws: DomainError.notFound("bike")) {
                _ = try await store.checkBeacon(of: bike.id, lag: 0, by: stage.stage.act(of: other))
            }
        },
        StoreContract("a station's visits of consecutive slots are one stay with one alert") { store, _ in
            let stage = try RotationStage(store)
            let (owner, _, key, report, station) = try await stage.missingBike()
            var continued: [StayID?] = []
            var told: [[UInt64]] = []
            for number in 1...4 as ClosedRange<UInt64> {
                // The last one comes after a pause.
                stage.nextSlot(number == 4 ? 2 : 1)
                let visit = try stage.visit(number, key, lasting: .seconds(600))
                for _ in 1...2 {
                    guard case .stored(let stored) = try await stage.stage.record(visit, by: station).first else {
                        Issue.record("not stored")
                        return
                    }
                    continued.append(stored.continues)
                }
                told.append(try await stage.stage.newlyTold())
            }
            let first = StayID(high: 2, low: 1)
            #expect(continued == [nil, nil, first, first, first, first, nil, nil])
            #expect(told.prefix(3) == [[1], [], []], "\(told)")
            let sightings = try await stage.stage.sightings(of: report, by: owner)
            #expect(sightings.allSatisfy { $0.reasons == [.beaconProved] && $0.level == .corroborated })
            #expect(sightings.map(\.sameStay) == [nil, true, true, nil])
        },
        StoreContract("an identity that was repeated later is disputed; an unlisted one is ignored") { store, _ in
            let stage = try RotationStage(store)
            let (owner, _, key, report, station) = try await stage.missingBike()
            let thief = try await stage.stage.station("thief", place: Place(latitude: 51.51, longitude: -0.12))
            stage.nextSlot()
            let recorded = try stage.visit(1, key)
            _ = try await stage.stage.record(recorded, by: station)
            stage.nextSlot(4)
            _ = try await stage.stage.record(try stage.visit(2, key), by: station)
            stage.nextSlot()
            let replay = Samples.visit(3, of: recorded.identity, from: stage.now)
            _ = try await stage.stage.record(replay, by: thief)
            let sightings = try await stage.stage.sightings(of: report, by: owner)
            #expect(sightings[0].reasons.contains(.beaconProved) && !sightings[0].reasons.contains(.replayed))
            #expect(sightings[1].reasons.contains(.beaconProved) && !sightings[1].reasons.contains(.replayed))
            #expect(sightings[2].reasons.contains(.replayed) && sightings[2].level == .disputed)
            let unlisted = try #require(RotatingSlot(stage.slot - 5000))
            let unknown = Samples.visit(4, of: key.identity(at: unlisted), from: stage.now)
            #expect(try await stage.stage.record(unknown, by: station) == [.ignored])
        },
        StoreContract("a finder of a missing bike's rotating beacon reaches the owner") { store, _ in
            let stage = try RotationStage(store)
            let (owner, bike, key, _, _) = try await stage.missingBike()
            let slot = try #require(RotatingSlot(stage.slot))
            try await store.addFind(
                Find(identity: key.identity(at: slot), message: "In the canal"), from: nil, at: stage.now)
            _ = try await store.tellFinds(limit: 10, at: stage.now, using: stage.stage.entropy)
            let history = try await store.history(of: bike.id, owner: owner, PageRequest(limit: 10)).items
            #expect(history.last?.message == "In the canal")
            // So does somebody who asks an operator to stop it.
            let act = OperatorAct(id: stage.stage.newID(), time: stage.now, entropy: stage.stage.entropy)
            _ = try await store.stopSearch(for: key.identity(at: slot), reason: "planted", by: act)
            #expect(try await stage.concealed().isEmpty)
        },
        StoreContract("an erased bike's key and identities are gone; the journal of the list still has what went") {
            store, _ in
            let stage = try RotationStage(store)
            let (owner, _, key, report, _) = try await stage.missingBike()
            let before = try await store.missingList()
            _ = try await stage.stage.close(report, of: owner)
            let bike = try #require(try await store.bike(report.bike, of: owner))
            let slot = try #require(RotatingSlot(stage.slot))
            #expect(try await store.slots(of: [key.identity(at: slot)]).count == 1)
            try await store.eraseBike(bike, by: stage.stage.act(of: owner))
            #expect(try await store.slots(of: [key.identity(at: slot)]).isEmpty)
            #expect(try await stage.concealed().isEmpty)
            try await stage.expectChanges(since: before)
        },
        StoreContract("erasing a bike that was often opened and closed costs no station that was online its delta") {
            store, _ in
            let stage = try RotationStage(store)
            let (owner, bike, _, first, _) = try await stage.missingBike()
            try await stage.stage.allow(owner, QuotaExceptions(openReports: 100))
            var (report, history) = (first, [try await store.missingList()])
            for number in 1...140 {
                _ = try await stage.stage.close(report, of: owner)
                report = try await stage.stage.openReport(on: bike.id, of: owner)
                _ = try await store.moveWindows(of: bike.id, at: stage.now)
                if number % 40 == 0 { history.append(try await store.missingList()) }
            }
            history.append(try await store.missingList())
            _ = try await stage.stage.close(report, of: owner)
            let closed = try #require(try await store.bike(bike.id, of: owner))
            try await store.eraseBike(closed, by: stage.stage.act(of: owner))
            for earlier in history.dropFirst() { try await stage.expectChanges(since: earlier) }
            // The first version is forgotten: who has it gets the full list.
            #expect(try await store.missingListChanges(since: history[0].version, upTo: nil) == nil)
        },
        StoreContract("the journal is complete after identities were stored anew, after a long pause") { store, _ in
            let stage = try RotationStage(store)
            let (owner, _, key, _, _) = try await stage.missingBike()
            let other = try await stage.bike(of: owner)
            _ = try await stage.open(other.bike, of: owner)
            var history = [try await store.missingList()]
            for pause in [1, 60, 1, 45] as [Int64] {
                stage.stage.clock.advance(by: .days(pause))
                await stage.upkeep.round()
                for earlier in history { try await stage.expectChanges(since: earlier) }
                history.append(try await store.missingList())
            }
            let slots = stage.slot - 84...stage.slot + 105
            let expected = try stage.identities(key, slots).union(try stage.identities(other.key, slots))
            #expect(try await stage.concealed() == expected)
        },
        StoreContract("a bike can get a rotating beacon later, exchange it, and lose it") { store, _ in
            let stage = try RotationStage(store)
            let owner = try await stage.stage.owner()
            let fixed = try await stage.stage.bike(of: owner, Samples.identity(9))
            let act = stage.stage.act(of: owner)
            let key = RotatingBeaconKey.random()
            let rotating = try await store.replaceBeacon(of: fixed, from: try stage.source(key), by: act)
            #expect(rotating.rotation != nil)
            let other = try await stage.stage.bike(of: owner, Samples.identity(10))
            let exchanged = try await store.exchangeBeacons(of: rotating, with: other.id, by: act)
            #expect(exchanged.rotation == nil && exchanged.identity == Samples.identity(10))
            let history = try await store.history(of: fixed.id, owner: owner, PageRequest(limit: 10)).items
            #expect(history.map(\.rotating) == [nil, true, nil])
            let holder = try #require(try await store.bike(other.id, of: owner))
            #expect(holder.rotation != nil)
            _ = try await stage.open(holder, of: owner)
            #expect(try await stage.concealed() == (try stage.identities(key, stage.slot - 84...stage.slot + 105)))
            let sealed = try #require(try await store.rotatingBeacon(of: holder.id, for: owner))
            #expect(stage.vault.open(sealed.sealed, of: sealed.name) == key)
            #expect(try await store.rotatingBeacon(of: fixed.id, for: owner) == nil)
        },
        StoreContract("beacons whose keys cannot be opened are marked, and do not keep others waiting") { store, _ in
            let stage = try RotationStage(store)
            let lost = try RotationStage.vault(8)
            await stage.upkeep.round()
            var (bikes, reports): ([(owner: OwnerID, id: BikeID)], [MissingReport]) = ([], [])
            for number in 1...102 {
                let owner = try await stage.stage.owner()
                let (bike, _) = try await stage.bike(of: owner, sealedBy: number == 102 ? nil : lost)
                bikes.append((owner, bike.id))
                reports.append(try await stage.stage.openReport(on: bike.id, of: owner))
            }
            #expect(try await stage.unreadable(bikes) == 0)
            await stage.upkeep.round()
            #expect(try await stage.unreadable(bikes) == 101)
            #expect(try await stage.concealed().count == 190, "the readable one")
            var numbers = try await store.overviewNumbers(at: stage.now, silentBefore: stage.now)
            #expect(numbers.listedBikes == 1)
            let path = ReportPath(reports[0], of: bikes[0].owner)
            #expect(try await store.report(path)?.unheard == true)
            #expect(try await store.report(ReportPath(reports[101], of: bikes[101].owner))?.unheard == nil)
            // The file is restored, and the registry is started.
            let restored = RotationStage.upkeep(try RotationStage.vault(7, 8), stage.stage)
            await restored.round()
            #expect(try await stage.unreadable(bikes) == 0)
            #expect(try await stage.concealed().count == 102 * 190)
            #expect(try await store.report(path)?.unheard == nil)
            numbers = try await store.overviewNumbers(at: stage.now, silentBefore: stage.now)
            #expect(numbers.listedBikes == 102)
            // Another registry has the wrong file, or none, and starts later.
            await RotationStage.upkeep(nil, stage.stage).round()
            #expect(try await stage.unreadable(bikes) == 102)
            await restored.round()
            #expect(try await stage.unreadable(bikes) == 2, "some in each round")
            await restored.round()
            #expect(try await stage.unreadable(bikes) == 0)
        },
        StoreContract("slots are kept for thirty days") { store, _ in
            let stage = try RotationStage(store)
            let (owner, _, key, report, _) = try await stage.missingBike()
            let (first, last) = (stage.slot - 84, stage.slot + 105)
            for day in 1...31 {
                stage.stage.clock.advance(by: .days(1))
                await stage.upkeep.round()
                if day == 5 { _ = try await stage.stage.close(report, of: owner) }
            }
            let kept = stage.slot - 2531
            let found = try await store.slots(of: try stage.identities(key, first...last + 5 * 84))
            let slots = found.values.map(\.slot).sorted()
            #expect(abs((slots.first ?? 0) - kept) <= 22, "\(slots.first ?? 0), \(kept)")
            stage.stage.clock.advance(by: .days(60))
            await stage.upkeep.round()
            #expect(try await store.slots(of: try stage.identities(key, first...last + 5 * 84)).isEmpty)
        },
        StoreContract(
            "once enough bikes are missing, the list has an identity that nobody has, and notes who reports it"
        ) {
            store, _ in
            let stage = try RotationStage(store)
            let (owner, _, _, _, station) = try await stage.missingBike()
            for minor in 1...9 as ClosedRange<UInt16> {
                #expect(try await stage.concealed().count == 190)
                let bike = try await stage.stage.bike(of: owner, Samples.identity(minor))
                _ = try await stage.open(bike, of: owner)
            }
            let list = try await store.missingList()
            let canaries = list.identities.filter { $0.uuid == NetworkRegion.uuid }
            #expect(list.concealed.count == 190 && canaries.count == 1 && list.identities.count == 10)
            let canary = try #require(canaries.first)
            let visit = Samples.visit(1, of: canary, from: stage.now)
            #expect(try await stage.stage.record(visit, by: station) == [.canary])
            #expect(try await stage.stage.record(visit, by: station) == [.canary])
            let entries = try await store.auditEntries(action: .canaryReported)
            #expect(entries.map(\.event?.station) == [station], "once for each station")
            await stage.upkeep.round()
            #expect(try await store.missingListVersion() == list.version)
            stage.stage.clock.advance(by: .days(31))
            await stage.upkeep.round()
            let later = try await store.missingList().identities.filter { $0.uuid == NetworkRegion.uuid }
            #expect(later.count == 1 && later != canaries, "after a month there is another one")
        },
        StoreContract("windows come back after a clock that was a day ahead") { store, _ in
            let stage = try RotationStage(store)
            let (_, _, key, _, _) = try await stage.missingBike()
            stage.stage.clock.advance(by: .days(1))
            await stage.upkeep.round()
            let ahead = try await store.missingList()
            stage.stage.clock.advance(by: .days(-1))
            await stage.upkeep.round()
            #expect(try await stage.concealed() == (try stage.identities(key, stage.slot - 84...stage.slot + 105)))
            try await stage.expectChanges(since: ahead)
        },
        StoreContract("the owner is told of a check that finds another lag; while the bike is missing it is refused") {
            store, _ in
            let stage = try RotationStage(store)
            let (owner, bike, _, report, _) = try await stage.missingBike()
            _ = try await stage.stage.newlyTold()
            let act = stage.stage.act(of: owner)
            await #expect(throws: DomainError.beaconClockDiffers) {
                _ = try await store.checkBeacon(of: bike.id, lag: 600, by: act)
            }
            #expect(try await store.checkBeacon(of: bike.id, lag: 2, by: act).rotation?.lag == 2)
            await #expect(throws: DomainError.beaconClockDiffers, "small steps are added up") {
                _ = try await store.checkBeacon(of: bike.id, lag: 4, by: act)
            }
            _ = try await stage.stage.close(report, of: owner)
            _ = try await stage.notices()
            _ = try await store.checkBeacon(of: bike.id, lag: 1, by: act)
            #expect(try await stage.notices() == [])
            for lag in [600, 602, 604] as [Int64] { _ = try await store.checkBeacon(of: bike.id, lag: lag, by: act) }
            #expect(try await stage.notices() == [.beaconClockMoved, .beaconClockMoved])
        },
        StoreContract("everybody who checks a bike's beacon has a limited number of checks in a day of their own") {
            store, _ in
            let stage = try RotationStage(store)
            let (owner, bike, _, _, _) = try await stage.missingBike()
            let manager = try await stage.stage.member(of: bike.id, of: owner, .manage)
            for caller in [manager, owner] {
                for _ in 0..<DailyUse.clockChecks.limit(for: Quotas()) {
                    #expect(try await store.beaconToCheck(of: bike.id, by: stage.stage.act(of: caller)) != nil)
                }
                await #expect(throws: DomainError.tooManyToday(.clockChecks, retryAfter: DailyUse.window)) {
                    _ = try await store.beaconToCheck(of: bike.id, by: stage.stage.act(of: caller))
                }
            }
            let stranger = try await stage.stage.owner()
            await #expect(throws: DomainError.self) {
                _ = try await store.beaconToCheck(of: bike.id, by: stage.stage.act(of: stranger))
            }
        },
    ]
}

extension RegistryStore {
    fileprivate func auditEntries(action: AuditAction) async throws -> [AuditEntry] {
        try await auditEntries(AuditFilter(action: action.rawValue), PageRequest(limit: 100)).items
    }
}
