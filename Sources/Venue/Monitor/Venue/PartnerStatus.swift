import Synchronization

/// The partner registries for whose missing bikes the station listens, too. Can be read at any time, without waiting.
public final class PartnerStatus: Sendable {
    /// Whether the venue lets them get what the station hears.
    public let isAllowed: Bool
    private let guarded = Mutex<[String]?>(nil)

    public init(isAllowed: Bool = true) { self.isAllowed = isAllowed }

    /// Their names, as the registry last said them; nil before it has.
    public var names: [String]? { guarded.withLock(\.self) }

    public func update(_ names: [String]) { guarded.withLock { $0 = names } }
}
