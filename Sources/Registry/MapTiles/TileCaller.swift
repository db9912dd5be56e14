/// A caller that requests a tile. A source that can fetch only a limited number at a time divides them among its
/// callers.
public struct TileCaller: Hashable, Sendable {
    /// A name of the account.
    public let account: String
    /// The client's address; nil if it has none.
    public let address: String?

    public init(account: String, address: String?) {
        self.account = account
        self.address = address
    }
}
