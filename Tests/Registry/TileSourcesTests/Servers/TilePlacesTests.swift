import MapTiles
import Testing

@testable import TileSources

@Suite("The tiles under way")
struct TilePlacesTests {
    /// Takes as many places as the caller gets, and returns their number.
    private static func takeAll(_ places: inout TilePlaces, _ account: String, at address: String?) -> Int {
        var count = 0
        while places.take(TileCaller(account: account, address: address)) { count += 1 }
        return count
    }

    @Test("an account gets a quarter of what others leave free, from however many addresses")
    func account() {
        var places = TilePlaces()
        var held = [Self.takeAll(&places, "one", at: "a"), Self.takeAll(&places, "one", at: "b")]
        held.append(Self.takeAll(&places, "two", at: nil))
        #expect(held == [52, 0, 41])
        for _ in 0..<52 { places.giveBack(TileCaller(account: "one", address: "a")) }
        for _ in 0..<41 { places.giveBack(TileCaller(account: "two", address: nil)) }
        let again = Self.takeAll(&places, "three", at: "a")
        #expect(again == 52)
    }

    @Test("an address gets half of what others leave free, with however many accounts")
    func address() {
        var places = TilePlaces()
        let held = (0..<100).map { Self.takeAll(&places, "\($0)", at: "a") }.reduce(0, +)
        let others = Self.takeAll(&places, "another", at: "b")
        #expect(held == 86 && others == 34)
    }

    @Test("when all places are taken, the next one goes to somebody who holds none")
    func newcomer() {
        var places = TilePlaces()
        let (first, new) = (TileCaller(account: "0", address: "0"), TileCaller(account: "new", address: "new"))
        for number in 0..<100 { _ = Self.takeAll(&places, "\(number)", at: "\(number)") }
        let early = places.take(new)
        places.giveBack(first)
        let (greedy, modest) = (places.take(first), places.take(new))
        #expect(!early && !greedy && modest)
    }
}
