/// Where a broker's link gets what it tells: a monitor.
public protocol VenueSource: Sendable {
    /// How the station fares.
    func reading() async throws -> StationReading
    /// Missing bikes that are here now.
    func bikes() async throws -> [MissingBikeHere]
    /// Ticks when a bike comes or leaves, or staff answer; the bikes are looked at now and then without it, too.
    func changes() -> AsyncStream<Void>
    /// Takes an answer of staff; without a visit, for the only alarm that is not answered yet.
    func answer(isSeen: Bool, visit: String?) async
}
