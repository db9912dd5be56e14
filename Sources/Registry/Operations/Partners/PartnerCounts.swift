import Logging
import RegistryAPI
import RegistryRules
import Synchronization

/// How many stations partners have, and roughly where, as each says of itself.
final class PartnerCounts: Sendable {
    /// What each partner said last, by the partner's key, and when it was read.
    private let state = Mutex<[Int64: (stations: StationAreas, read: Timestamp)]>([:])

    /// The time after which what a partner said no longer counts.
    private static let longest = Duration.days(3)
    /// The most fields of the map for all partners together: anybody can ask for them.
    private static let mostAreas = StationAreas.most

    func set(_ stations: StationAreas, of partner: Int64, at time: Timestamp) {
        state.withLock { $0[partner] = (stations.bounded(), time) }
    }

    func forget(_ partner: Int64) { state.withLock { $0[partner] = nil } }

    /// The counts of partners, sorted by their names; nil if none is known. If there are too many fields for all, the
    /// partners with the most stations that listen get theirs first.
    func areas(of partners: [ActivePartner], at time: Timestamp) -> [PartnerAreas]? {
        let known = state.withLock { $0.filter { $0.value.read.duration(to: time) <= Self.longest } }
        var areas: [PartnerAreas] = partners.compactMap { partner in
            guard let counts = known[partner.key] else { return nil }
            return PartnerAreas(registry: partner.name, stations: counts.stations)
        }
        guard !areas.isEmpty else { return nil }
        areas.sort { left, right in
            let (leftCount, rightCount) = (left.stations.listening, right.stations.listening)
            return leftCount == rightCount ? left.registry < right.registry : leftCount > rightCount
        }
        var room = Self.mostAreas
        for index in areas.indices {
            areas[index].stations = areas[index].stations.bounded(to: room)
            room -= areas[index].stations.areas.count
        }
        return areas.sorted { $0.registry < $1.registry }
    }
}

/// Reads once a day how many stations a partner has: what it shows anybody.
struct PartnerCountReading {
    let exchange: PartnerExchange
    let partner: ActivePartner
    let connection: any PartnerConnection

    private static let interval = Duration.days(1)
    /// The pause after a failure.
    private static let pause = Duration.seconds(3600)

    /// Reads until the partner or its terms have changed.
    func run() async {
        defer { exchange.counts.forget(partner.key) }
        await exchange.keepReading(
            partner, every: Self.interval, failure: "a partner’s number of stations was not read"
        ) {
            try await read()
        } pause: { _ in
            Self.pause
        }
    }

    /// Reads the counts once. The partner's own counts of its partners are ignored.
    func read() async throws(PartnerFailure) {
        exchange.counts.set(try await connection.description().stations, of: partner.key, at: exchange.clock.now)
    }
}
