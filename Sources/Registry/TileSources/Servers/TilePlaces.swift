import MapTiles

/// The places for tiles that are being fetched, divided among the callers that wait for them.
///
/// An account gets a further place only while it holds less than a quarter as many as are free, and an address less
/// than half as many. So neither can take all places, however many tiles it requests; and once all are taken, the next
/// free ones go to callers that hold none.
struct TilePlaces: Sendable {
    /// Enough for an account alone to fill a large screen with tiles.
    static let count = 256

    /// What a caller's places are counted for.
    private enum Holder: Hashable, Sendable {
        case account(String)
        case address(String)

        /// The free places divided by this are the most that it may hold.
        var divisor: Int {
            switch self {
            case .account: 4
            case .address: 2
            }
        }
    }

    private var taken = 0
    private var held: [Holder: Int] = [:]

    /// Takes a place; false if the caller may not have another one.
    mutating func take(_ caller: TileCaller) -> Bool {
        let free = Self.count - taken
        let holders = Self.holders(caller)
        guard holders.allSatisfy({ held[$0, default: 0] * $0.divisor < free }) else { return false }
        taken += 1
        for holder in holders { held[holder, default: 0] += 1 }
        return true
    }

    /// Gives a place back that the caller has taken.
    mutating func giveBack(_ caller: TileCaller) {
        taken -= 1
        for holder in Self.holders(caller) { held[holder] = held[holder].flatMap { $0 > 1 ? $0 - 1 : nil } }
    }

    private static func holders(_ caller: TileCaller) -> [Holder] {
        [.account(caller.account)] + (caller.address.map { [.address($0)] } ?? [])
    }
}
