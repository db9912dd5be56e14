public import RegistryAPI

/// The authenticated caller of a request.
public enum Principal: Hashable, Sendable {
    case `operator`(OperatorID)
    case owner(OwnerID)
    case station(StationID)
    /// Another registry.
    case partner(PartnerID)

    /// The kind of a principal, on which the calls that it may make depend.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        case `operator`, owner, station, partner
    }

    public var kind: Kind {
        switch self {
        case .operator: .operator
        case .owner: .owner
        case .station: .station
        case .partner: .partner
        }
    }

    /// The identifier of the owner; nil for other principals.
    public var owner: OwnerID? { if case .owner(let id) = self { id } else { nil } }
}
