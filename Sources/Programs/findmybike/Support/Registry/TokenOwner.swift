import RegistryAPI
import RegistryClient

/// The holder of a token.
enum TokenOwner: Sendable {
    case owner(Owner)
    case `operator`
    case station

    /// Requests the holder from the registry, by calls that only some may make: an owner's, then an operator's.
    static func ask(_ registry: RegistryConnection) async throws -> TokenOwner {
        do {
            return .owner(try await registry.owner())
        } catch RegistryError.refused(let problem, _) where problem.status == 403 {
            do {
                _ = try await registry.stations()
                return .operator
            } catch RegistryError.refused(let problem, _) where problem.status == 403 {
                return .station
            }
        }
    }

    var owner: Owner? { if case .owner(let owner) = self { owner } else { nil } }

    /// The holder, to follow “you are”.
    var words: String {
        switch self {
        case .owner(let owner): "owner \(owner.id), since \(owner.created.local)"
        case .operator: "an operator"
        case .station: "a station"
        }
    }
}
