import OperatingSystem
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Synchronization
import Testing

@testable import RegistryHTTP

@Suite("Places for transfers")
struct TransferPlacesTests {
    private static func holder(
        _ number: UInt64, at address: UInt64? = nil, in network: UInt64? = nil
    ) -> BodyBudget.Holder {
        BodyBudget.Holder(
            principal: .owner(OwnerID(high: 1, low: number)),
            address: address.map { NetworkAddress(high: $0, low: 0) },
            network: network.map { NetworkAddress(high: $0, low: 1) })
    }

    /// A table whose times are in seconds.
    private final class Uploads {
        private var table = TransferTable(places: 3, share: 1, grace: .seconds(5))
        let lost = Lost()

        final class Lost: Sendable {
            private let numbers = Mutex<[UInt64]>([])
            var all: [UInt64] { numbers.withLock { $0 } }
            func append(_ number: UInt64) { numbers.withLock { $0.append(number) } }
        }

        enum Entry { case entered, waiting, refused }

        func enter(
            _ number: UInt64, _ holder: BodyBudget.Holder? = nil, at second: Int64, isKept: Bool = false
        ) -> Entry {
            let entry = table.enter(
                number, holder ?? TransferPlacesTests.holder(number), at: second * 1_000_000_000, isKept: isKept
            ) { [lost] in lost.append(number) }
            switch entry {
            case .entered(let displaced):
                displaced?()
                return .entered
            case .waiting: return .waiting
            case .refused: return .refused
            }
        }

        func received(_ bytes: Int, _ number: UInt64, at second: Int64 = 0) -> Bool {
            table.moved(bytes, number, at: second * 1_000_000_000)
        }

        func complete(_ number: UInt64) -> Bool { table.complete(number) }

        func begin(_ number: UInt64, at second: Int64) { table.begin(number, at: second * 1_000_000_000) }

        func wasLostSteadily(_ number: UInt64) -> Bool { table.wasLostSteadily(number) }

        func leave(_ number: UInt64, at second: Int64 = 0) { table.leave(number, at: second * 1_000_000_000) }
    }

    @Test("the slowest upload loses its place to one that waits, once its speed can be told")
    func slowest() {
        let uploads = Uploads()
        for number in 1...3 as ClosedRange<UInt64> {
            #expect(uploads.enter(number, at: 0) == .entered)
            #expect(uploads.received(number == 2 ? 10 : 1000, number, at: 3))
        }
        #expect(uploads.enter(4, at: 4) == .waiting)
        #expect(uploads.enter(4, at: 5) == .entered && uploads.lost.all == [2])
        #expect(!uploads.received(1, 2, at: 5) && !uploads.complete(2), "it has lost its place")
        #expect(uploads.received(1, 4, at: 5))
    }

    @Test(
        "a quick beginning does not keep the place of an upload that then stalls or trickles", arguments: [false, true])
    func burst(trickles: Bool) {
        let uploads = Uploads()
        for number in 1...3 as ClosedRange<UInt64> { #expect(uploads.enter(number, at: 0) == .entered) }
        #expect(uploads.received(4_000_000, 2, at: 1))
        for second in 1...20 as ClosedRange<Int64> {
            for number in [1, 3] as [UInt64] { #expect(uploads.received(50_000, number, at: second)) }
            if trickles { #expect(uploads.received(1, 2, at: second)) }
        }
        #expect(uploads.enter(4, at: 20) == .entered && uploads.lost.all == [2])
    }

    @Test("a complete upload keeps its place; one that leaves makes room for whoever has waited longest")
    func leaving() {
        let uploads = Uploads()
        for number in 1...3 as ClosedRange<UInt64> {
            #expect(uploads.enter(number, at: 0) == .entered)
            #expect(uploads.complete(number))
        }
        #expect(uploads.enter(4, at: 100) == .waiting && uploads.enter(5, at: 100) == .waiting)
        uploads.leave(1)
        #expect(uploads.enter(5, at: 101) == .waiting && uploads.enter(4, at: 101) == .entered)
        #expect(uploads.enter(5, at: 101) == .waiting)
        uploads.leave(4)
        #expect(uploads.enter(5, at: 101) == .entered && uploads.lost.all.isEmpty)
    }

    @Test("an owner and an address have one upload each, and an IPv6 /48 has two")
    func shares() {
        let uploads = Uploads()
        #expect(uploads.enter(1, Self.holder(1, at: 1, in: 9), at: 0) == .entered)
        #expect(uploads.enter(2, Self.holder(1, at: 2), at: 0) == .refused, "the same owner")
        #expect(uploads.enter(3, Self.holder(3, at: 1), at: 0) == .refused, "the same address")
        #expect(uploads.enter(4, Self.holder(4, at: 4, in: 9), at: 0) == .entered)
        #expect(uploads.enter(5, Self.holder(5, at: 5, in: 9), at: 0) == .refused, "the same network")
        uploads.leave(1)
        #expect(uploads.enter(6, Self.holder(1, at: 1, in: 9), at: 0) == .entered)
    }

    @Test("a limited number of uploads wait")
    func crowd() {
        let uploads = Uploads()
        for number in 1...3 as ClosedRange<UInt64> { #expect(uploads.enter(number, at: 0) == .entered) }
        for number in 0..<UInt64(TransferTable.mostWaiting) { #expect(uploads.enter(10 + number, at: 0) == .waiting) }
        #expect(uploads.enter(100, at: 0) == .refused)
        uploads.leave(10)
        #expect(uploads.enter(100, at: 0) == .waiting)
    }

    @Test("stalling uploads, however many come, take no place from an older one that is faster")
    func stallers() {
        let uploads = Uploads()
        for number in 1...3 as ClosedRange<UInt64> { #expect(uploads.enter(number, at: 0) == .entered) }
        #expect(uploads.enter(4, at: 5) == .entered && uploads.lost.all == [1])
        var next: UInt64 = 5
        // A phone that sends 50 kB in a second; everyone else stalls, and is replaced as soon as it has lost its place.
        for second in 6...65 as ClosedRange<Int64> {
            #expect(uploads.received(50_000, 4, at: second))
            while uploads.enter(next, at: second) == .entered { next += 1 }
        }
        #expect(uploads.complete(4) && !uploads.lost.all.contains(4))
        #expect(uploads.lost.all.count > 10, "the others lose theirs all the time")
    }

    @Test("whoever lost a place, or left it early, takes none from others for a minute, and comes after them")
    func debts() {
        let uploads = Uploads()
        let stallers = (1...3 as ClosedRange<UInt64>).map { Self.holder($0, at: $0) }
        for (index, holder) in stallers.enumerated() {
            #expect(uploads.enter(UInt64(index) + 1, holder, at: 0) == .entered)
        }
        #expect(uploads.enter(4, at: 5) == .entered && uploads.lost.all == [1])
        uploads.leave(1, at: 5)
        // The same owner at another address, and another owner at the same address.
        #expect(uploads.enter(5, Self.holder(1, at: 50), at: 6) == .waiting)
        #expect(uploads.enter(6, Self.holder(60, at: 1), at: 6) == .waiting)
        #expect(uploads.enter(5, Self.holder(1, at: 50), at: 12) == .waiting, "the other two have stalled")
        for number in [3, 4] as [UInt64] { #expect(uploads.received(1000, number, at: 12)) }
        #expect(uploads.enter(7, at: 12) == .entered && uploads.lost.all == [1, 2], "it does not wait behind them")
        uploads.leave(3, at: 12)
        #expect(uploads.enter(6, Self.holder(60, at: 1), at: 13) == .waiting)
        #expect(uploads.enter(5, Self.holder(1, at: 50), at: 13) == .entered, "a free place is for anyone")
        uploads.leave(6, at: 13)
        #expect(uploads.enter(8, Self.holder(60, at: 1), at: 66) == .entered && uploads.lost.all.count == 3)
    }

    @Test("if too many wait, one that lost a place before makes room for one that did not")
    func room() {
        let uploads = Uploads()
        for number in 1...3 as ClosedRange<UInt64> { #expect(uploads.enter(number, at: 0) == .entered) }
        for number in 1...3 as ClosedRange<UInt64> { uploads.leave(number, at: 1) }
        for number in 4...6 as ClosedRange<UInt64> {
            #expect(uploads.enter(number, at: 1) == .entered && uploads.complete(number))
        }
        for number in 0..<UInt64(TransferTable.mostWaiting) {
            #expect(uploads.enter(10 + number, Self.holder(number == 7 ? 1 : 10 + number), at: 2) == .waiting)
        }
        #expect(uploads.enter(100, Self.holder(2), at: 2) == .refused, "it owes as well")
        #expect(uploads.enter(101, at: 2) == .waiting)
        #expect(uploads.enter(17, Self.holder(1), at: 3) == .refused, "it has made room")
    }

    @Test("a file that is still made keeps its place; then its reader's speed counts from the first piece on")
    func made() {
        let files = Uploads()
        for number in 1...3 as ClosedRange<UInt64> {
            #expect(files.enter(number, at: 0, isKept: true) == .entered)
        }
        #expect(files.enter(4, at: 60) == .waiting)
        for number in 1...3 as ClosedRange<UInt64> { files.begin(number, at: 60) }
        #expect(files.enter(4, at: 64) == .waiting)
        for number in [1, 3] as [UInt64] { #expect(files.received(32_768, number, at: 64)) }
        #expect(files.enter(4, at: 65) == .entered && files.lost.all == [2])
        #expect(!files.received(1, 2, at: 65))
    }

    @Test("an upload that was steady when it lost its place is known")
    func steady() {
        let uploads = Uploads()
        for number in 1...3 as ClosedRange<UInt64> { #expect(uploads.enter(number, at: 0) == .entered) }
        for second in 1...8 as ClosedRange<Int64> {
            #expect(uploads.received(17_000, 1, at: second))
            #expect(uploads.received(15_000, 2, at: second) && uploads.received(50_000, 3, at: second))
        }
        #expect(uploads.enter(4, at: 8) == .entered && uploads.lost.all == [2])
        #expect(uploads.received(500_000, 4, at: 9))
        for second in 9...14 as ClosedRange<Int64> {
            for number in [1, 3, 4] as [UInt64] { #expect(uploads.received(17_000 * Int(number), number, at: second)) }
        }
        #expect(uploads.enter(5, at: 14) == .entered && uploads.lost.all == [2, 1])
        #expect(uploads.wasLostSteadily(1) && !uploads.wasLostSteadily(2))
    }

    @Test("bodies that stall do not keep others from adding photos")
    func stalled() async throws {
        var options = ServerOptions(timeouts: .patient)
        options.uploads = TransferPlaces(3, grace: .milliseconds(50))
        try await LiveServer.run(options) { server in
            var calls: [String] = []
            var owners: [(owner: OwnerID, bike: BikeID)] = []
            for number in 1...4 {
                let owner = try await server.operations.createOwner(OwnerDraft())
                let bike = try await server.operations.store.registerBike(
                    NewBike(
                        id: BikeID(high: 1, low: UInt64(number)), owner: owner.owner.id, details: Samples.bike,
                        identity: .given(Samples.identity(UInt16(number))), created: server.operations.clock.now),
                    once: nil)
                calls += [owner.token, "/v1/bikes/\(bike.id)/photos"]
                owners.append((owner.owner.id, bike.id))
            }
            struct Outcome: Decodable, Equatable {
                /// The problems that the stalled uploads got, and the last one.
                let stalled: [String?]
                let last: String?
            }
            let outcome: Outcome = try await server.meet("stalled-uploads", calls)
            // There is no place for pictures in this registry, but the photo has arrived.
            #expect(outcome.last == "urn:findmybike:problem:photo-unusable")
            #expect(outcome.stalled == ["urn:findmybike:problem:place-lost", nil, nil])
            // The stalled upload counts against its owner's hour.
            let act = OwnerAct(owner: owners[0].owner, time: server.operations.clock.now, entropy: .seeded(1))
            for _ in 2...PhotoRules.uploadsPerHour {
                try await server.operations.store.countUpload(to: owners[0].bike, by: act)
            }
            await #expect(throws: DomainError.self) {
                try await server.operations.store.countUpload(to: owners[0].bike, by: act)
            }
        }
    }
}
