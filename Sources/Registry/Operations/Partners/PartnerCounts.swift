import Logging
import RegistryAPI
import RegistryRules
import Synchronization

/// How many stations partners have, and roughly where, as each says of itself.
final class PartnerCounts: Sendable {
    private let state = Mutex<[Int64: (stations: StationAreas, read: Timestamp)]>([:])

    /// The time after which what a partner said no longer counts.
    private static let longest = Duration.days(3)
    /// The most fields of all partners together: anybody can ask for them.
    private static let mostAreas = StationAreas.most

    func set(_ stations: StationAreas, of partner: Int64, at time: Timestamp) {
        state.withLock { $0[partner] = (stations.bounded(), time) }
    }

    func forget(_ partner: Int64) { state.withLock { $0[partner] = nil } }

    /// The counts of partners, sorted by their names; those with the most stations have the most fields.
    func areas(of partners: [ActivePartner], at time: Timestamp) -> [PartnerAreas]? {
        let known = state.withLock { $0.filter { $0.value.read.duration(to: time) <= Self.longest } }
        var room = Self.mostAreas
        let areas = partners.compactMap { partner in
            known[partner.key].map { PartnerAreas(registry: partner.name, stations: $0.stations) }
        }
        .sorted { ($1.stations.listening, $0.registry) < ($0.stations.listening, $1.registry) }
        .map { areas in
            var areas = areas
            areas.stations = areas.stations.bounded(to: room)
            room -= areas.stations.areas.count
            return areas
        }
        .sorted { $0.registry < $1.registry }
        return areas.isEmpty ? nil : areas
    }
}

/// Reads once a day how many stations a partner has: what it shows anybody.
struct PartnerCountReading {
    let exchange: PartnerExchange
    let partner: ActivePartner
    let connection: any PartnerConnection

    private static let interval = Duration.days(1)
    /// After a failure.
    private static let pause = Duration.seconds(3600)

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
