public import RegistryAPI

extension AuditEvent {
    /// The event as it is shown in the audit and covered by the entry's commitment.
    public var wire: AuditEntry.Event {
        AuditEntry.Event(
            action: action.rawValue, time: time, principal: principal?.text, owner: owner, bike: bike, report: report,
            station: station, details: details
        )
    }
}

extension Principal {
    /// The kind and identifier, such as `owner:019aa4e1-…`.
    public var text: String {
        switch self {
        case .operator(let id): "\(kind.rawValue):\(id)"
        case .owner(let id): "\(kind.rawValue):\(id)"
        case .station(let id): "\(kind.rawValue):\(id)"
        case .partner(let id): "\(kind.rawValue):\(id)"
        }
    }
}
