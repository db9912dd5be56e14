import Beacons
import MissingList
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import TestSupport
import Testing

extension StoreContract {
    static let missingList = [
        StoreContract("every change of the list makes a version, and nothing else does") { store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let before = try await store.missingListVersion()
            #expect(try await store.missingListVersion() == before)
            let report = try await stage.openReport(on: bike.id, of: owner)
            let open = try await store.missingListVersion()
            _ = try await stage.close(report, of: owner)
            let closed = try await store.missingListVersion()
            #expect(before.number < open.number && open.number < closed.number)
            #expect(Set([before.mark, open.mark, closed.mark]).count == 3)
            _ = try await stage.bike(of: owner, Samples.identity(2))
            #expect(try await store.missingListVersion() == closed)
        },
        StoreContract("the changes between two versions leave out entries that came and went") { store, stage in
            let owner = try await stage.owner()
            let bikes = try await (1...3).asyncMap { try await stage.bike(of: owner, Samples.identity($0)) }
            let first = try await stage.openReport(on: bikes[0].id, of: owner)
            let start = try await store.missingListVersion()
            _ = try await stage.close(first, of: owner)
            let second = try await stage.openReport(on: bikes[1].id, of: owner)
            let middle = try await store.missingListVersion()
            _ = try await stage.close(second, of: owner)
            _ = try await stage.openReport(on: bikes[2].id, of: owner)
            let end = try await store.missingListVersion()
            let all = try #require(try await store.missingListChanges(since: start, upTo: nil))
            #expect(all.from == start && all.to == end)
            #expect(all.added == [Samples.identity(3)] && all.removed == [Samples.identity(1)])
            let early = try await store.missingListChanges(since: start, upTo: middle)
            #expect(early?.added == [Samples.identity(2)] && early?.removed == [Samples.identity(1)])
            let none = try await store.missingListChanges(since: end, upTo: end)
            #expect(none?.added == [] && none?.removed == [])
            #expect(try await store.missingListChanges(since: end, upTo: start) == nil)
        },
        StoreContract("a version of another history, or a future one, has no changes") { store, stage in
            _ = try await stage.missingBike()
            let version = try await store.missingListVersion()
            for other in [
                ListVersion(number: version.number, mark: version.mark ^ 1),
                ListVersion(number: version.number + 1, mark: version.mark), ListVersion(number: .max, mark: 0),
            ] {
                #expect(try await store.missingListChanges(since: other, upTo: nil) == nil)
            }
        },
        StoreContract("the journal deletes only old entries") { store, stage in
            let owner = try await stage.owner()
            var versions: [ListVersion] = []
            for minor in 1...5 as ClosedRange<UInt16> {
                let bike = try await stage.bike(of: owner, Samples.identity(minor))
                _ = try await stage.openReport(on: bike.id, of: owner)
                versions.append(try await store.missingListVersion())
                try await store.forgetMissingListChanges(
                    before: stage.now.advanced(by: .seconds(-3 * 86_400 + 1)), now: stage.now
                )
                stage.clock.advance(by: .days(1))
            }
            // The versions are 4, 3, 2, 1 and 0 days old at the last call, which forgot changes at least 3 days old.
            #expect(try await store.missingListChanges(since: versions[0], upTo: nil) == nil)
            let changes = try await store.missingListChanges(since: versions[1], upTo: nil)
            #expect(changes?.added.count == 3)
            #expect(try await store.missingListChanges(since: versions[4], upTo: nil) != nil)
            #expect(try await store.missingList().identities.count == 5)
        },
        StoreContract("after any operations, an earlier list plus its changes is the later list") { store, stage in
            let owner = try await stage.owner()
            let bikes = try await (1...12).asyncMap { try await stage.bike(of: owner, Samples.identity($0)) }
            var reports: [BikeID: MissingReport] = [:]
            var history = [try await store.missingList()]
            var generator = SeededGenerator(seed: 4)
            for _ in 0..<60 {
                let bike = bikes.randomElement(using: &generator) ?? bikes[0]
                if let report = reports.removeValue(forKey: bike.id) {
                    _ = try await stage.close(report, of: owner)
                } else {
                    reports[bike.id] = try await stage.openReport(on: bike.id, of: owner)
                }
                history.append(try await store.missingList())
                let (start, end) = (history.indices.randomElement(using: &generator) ?? 0, history.count - 1)
                let changes = try #require(
                    try await store.missingListChanges(since: history[start].version, upTo: nil))
                let (before, after) = (Set(history[start].identities), Set(history[end].identities))
                #expect(Set(changes.added) == after.subtracting(before))
                #expect(Set(changes.removed) == before.subtracting(after))
            }
        },
    ]
}

extension ClosedRange<Int> {
    fileprivate func asyncMap<Value>(_ transform: (UInt16) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for number in self { values.append(try await transform(UInt16(number))) }
        return values
    }
}
