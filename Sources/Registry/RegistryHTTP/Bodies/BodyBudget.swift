import OperatingSystem
import RegistryRules
import Synchronization

/// Limits the memory for request bodies, counted from the first byte of a body to the end of the response.
///
/// Addresses and owners' tokens are cheap, and a caller with many of them must not lock stations out. So each kind of
/// holder has its own budget, and one token, one address and all of an IPv6 /48 each get a share of it. The first
/// ``free`` bytes of each body do not count: connections bound them, and most calls need no more. So callers that hold
/// large bodies cannot keep a bike from being reported. Photos have separate places (``TransferPlaces``).
final class BodyBudget: Sendable {
    /// The number of bytes of each body that do not count.
    static let free = 2 << 10

    /// Holders that share a budget.
    struct Kind: Hashable, Sendable {
        fileprivate let name: String
        /// The number of bytes for all holders of the kind.
        let total: Int
        /// The number of bytes for one token, and for one address; a network gets twice as many.
        let share: Int

        /// Callers without a token.
        static let anyone = Kind(name: "anyone", total: 8 << 20, share: 1 << 20)
        static let owners = Kind(name: "owners", total: 8 << 20, share: 1 << 20)
        /// Stations and operators, whose tokens are issued by the operator.
        static let known = Kind(name: "known", total: 32 << 20, share: 2 << 20)
        /// Other registries, which must not lock stations out.
        static let partners = Kind(name: "partners", total: 16 << 20, share: 2 << 20)
    }

    /// The caller to whom a body is attributed.
    struct Holder: Hashable, Sendable {
        let principal: Principal?
        /// The client's address (``NetworkAddress/client``); nil if it has none.
        let address: NetworkAddress?
        /// The IPv6 /48 that contains the address; nil for IPv4.
        var network: NetworkAddress?

        var kind: Kind {
            switch principal {
            case nil: .anyone
            case .owner: .owners
            case .station, .operator: .known
            case .partner: .partners
            }
        }

        /// The parts whose shares the body counts against.
        /// Many stations can share one address, so only their tokens count. A partner has one token.
        var parts: [Holder] {
            let token = Holder(principal: principal, address: nil)
            guard kind != .known, kind != .partners, address != nil else { return [token] }
            var origins = [Holder(principal: nil, address: address)]
            if let network { origins.append(Holder(principal: nil, address: nil, network: network)) }
            // For calls without a token, only the origin counts.
            return principal == nil ? origins : [token] + origins
        }
    }

    /// What one part of a holder takes of the budget of a kind.
    private struct Share: Hashable {
        let kind: Kind
        let part: Holder

        /// The maximum for this part in bytes: a network gets two shares.
        var limit: Int { part.network == nil ? kind.share : 2 * kind.share }
    }

    /// The bytes that are held.
    private struct State {
        var held: [Kind: Int] = [:]
        var shares: [Share: Int] = [:]
    }

    private let state = Mutex(State())

    /// The number of bytes currently held.
    var held: Int { state.withLock { $0.held.values.reduce(0, +) } }

    /// Reserves bytes, or none and returns false if the budget or a share has too few left. ``giveBack(_:_:)`` ends it.
    func take(_ bytes: Int, _ holder: Holder) -> Bool {
        let kind = holder.kind
        let shares = holder.parts.map { Share(kind: kind, part: $0) }
        return state.withLock { state in
            guard bytes <= kind.total - state.held[kind, default: 0],
                shares.allSatisfy({ bytes <= $0.limit - state.shares[$0, default: 0] })
            else { return false }
            state.held[kind, default: 0] += bytes
            for share in shares { state.shares[share, default: 0] += bytes }
            return true
        }
    }

    /// Frees bytes that ``take(_:_:)`` has reserved for the same holder.
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
