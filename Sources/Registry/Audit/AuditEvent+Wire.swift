public import RegistryAPI

extension AuditEvent {
    /// The event as the audit shows it, and as its commitment is made over it.
    public var wire: AuditEntry.Event {
        AuditEntry.Event(
            action: action.rawValue, time: time, principal: principal?.text, owner: owner, bike: bike, report: report,
            station: station, details: details
        )
    }
}

extension Principal {
    /// Kind and identifier, as in `owner:019aa4e1-…`.
    public var text: String {
        switch self {
        case .operator(let id): "\(kind.rawValue):\(id)"
        case .owner(let id): "\(kind.rawValue):\(id)"
        case .station(let id): "\(kind.rawValue):\(id)"
        }
    }
}
