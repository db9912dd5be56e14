public import MissingList
import Synchronization

/// The missing list that holds now: list sync writes it, the scan loop reads it.
public final class CurrentList: Sendable {
    private let list: Mutex<MissingIdentities>

    public init(_ list: MissingIdentities = .empty) {
        self.list = Mutex(list)
    }

    public var identities: MissingIdentities {
        list.withLock { $0 }
    }

    func replace(with identities: MissingIdentities) {
        list.withLock { $0 = identities }
    }
}
