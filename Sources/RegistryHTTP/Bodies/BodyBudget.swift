import NetworkAddresses
import Registry
import Synchronization

/// Counts the bytes of bodies that are held at a time, from their first byte until the call is answered.
///
/// Addresses and owners' tokens are cheap, and whoever has many of them must not keep stations out: each kind of holder has
/// a budget of its own. One token, one address, and all of an IPv6 /48 get a share of it. The first ``free`` bytes of each
/// body do not count: connections bound them, and most calls need no more, so that nobody who holds large bodies can keep
/// a bike from being reported.
final class BodyBudget: Sendable {
    /// Bytes of each body that do not count.
    static let free = 2 << 10

    struct Kind: Hashable, Sendable {
        fileprivate let name: String
        /// Bytes of all holders of the kind.
        let total: Int
        /// Bytes of one token, and of one address; a network has twice as many.
        let share: Int

        /// Calls without a token.
        static let anyone = Kind(name: "anyone", total: 8 << 20, share: 1 << 20)
        static let owners = Kind(name: "owners", total: 8 << 20, share: 1 << 20)
        /// Stations and operators, whose tokens the operator gives out.
        static let known = Kind(name: "known", total: 32 << 20, share: 2 << 20)
    }

    /// Whose call a body belongs to.
    struct Holder: Hashable, Sendable {
        let principal: Principal?
        /// nil where the peer has none.
        let address: NetworkAddress?
        /// The IPv6 /48 around it.
        var network: NetworkAddress?

        var kind: Kind {
            switch principal {
            case nil: .anyone
            case .owner: .owners
            case .station, .operator: .known
            }
        }

        /// What counts against a share. Many stations may stand behind one address.
        fileprivate var parts: [Holder] {
            let token = Holder(principal: principal, address: nil)
            guard kind != .known, address != nil else { return [token] }
            // Of calls without a token only where they come from counts.
            let places =
                [Holder(principal: nil, address: address)]
                + (network.map { [Holder(principal: nil, address: nil, network: $0)] } ?? [])
            return principal == nil ? places : [token] + places
        }
    }

    private struct Share: Hashable {
        let kind: Kind
        let part: Holder

        /// All of a network have two shares.
        var most: Int { part.network == nil ? kind.share : 2 * kind.share }
    }

    private struct State {
        var held: [Kind: Int] = [:]
        var shares: [Share: Int] = [:]
    }

    private let state = Mutex(State())

    /// Bytes that are held now.
    var held: Int { state.withLock { $0.held.values.reduce(0, +) } }

    /// Takes bytes out of the budget; false where there are not so many left.
    func take(_ bytes: Int, _ holder: Holder) -> Bool {
        let kind = holder.kind
        let shares = holder.parts.map { Share(kind: kind, part: $0) }
        return state.withLock { state in
            guard bytes <= kind.total - state.held[kind, default: 0],
                shares.allSatisfy({ bytes <= $0.most - state.shares[$0, default: 0] })
            else { return false }
            state.held[kind, default: 0] += bytes
            for share in shares { state.shares[share, default: 0] += bytes }
            return true
        }
    }

    func giveBack(_ bytes: Int, _ holder: Holder) {
        guard bytes > 0 else { return }
        let kind = holder.kind
        state.withLock { state in
            state.held[kind, default: 0] -= bytes
            for part in holder.parts {
                let share = Share(kind: kind, part: part)
                let rest = state.shares[share, default: 0] - bytes
                state.shares[share] = rest > 0 ? rest : nil
            }
        }
    }
}
