import RegistryAPI
import RegistryRules

extension Access {
    /// The tag under which the contract lists the calls of these callers.
    var tag: String {
        switch self {
        case .share: ContractText.share
        case .display: ContractText.display
        default: principal?.rawValue ?? "anyone"
        }
    }

    /// The tokens and sessions, with their scopes, any one of which allows the call; empty if it needs none.
    var requirements: [JSONValue] {
        let share = JSONValue.object([ContractText.share: .array([])])
        if self == .share { return [share] }
        let desk = JSONValue.object([ContractText.desk: .array([])])
        if self == .display { return [.object([ContractText.display: .array([])])] }
        if self == .ownerOrShare { return Access.owner(.read).requirements + [share, desk] }
        guard let principal else { return [] }
        guard case .owner(let scope) = self else {
            let schemes = [principal.rawValue] + (self == .operator ? [ContractText.desk] : [])
            return schemes.map { .object([$0: .array([])]) }
        }
        return [principal.rawValue, ContractText.session].map { .object([$0: .array([.string(scope.rawValue)])]) }
    }

    /// How these calls refuse callers that may not make them.
    var refusals: [any Refusal] {
        if self == .share { return [DomainError.shareUnknown] }
        if self == .display { return [DomainError.displayUnpaired, RequestError.crossSite] }
        if self == .ownerOrShare { return Access.owner(.read).refusals + Access.share.refusals }
        guard let principal else { return [] }
        var refusals: [any Refusal] = [DomainError.unauthenticated, DomainError.forbidden(needed: principal)]
        if case .owner(let scope) = self, scope != .read {
            refusals.append(DomainError.insufficientScope(needed: scope))
            refusals.append(RequestError.crossSite)
        }
        if self == .owner(.manage) { refusals.append(DomainError.confirmationNeeded) }
        if principal == .owner { refusals.append(DomainError.sessionEnded) }
        return refusals
    }
}

extension Call {
    /// The additional refusals for an operator's session.
    var deskRefusals: [any Refusal] {
        guard access == .operator else { return [] }
        let session: [any Refusal] = [DomainError.deskSessionEnded, RequestError.crossSite]
        return session + (proof == .session ? [] : [DomainError.deskConfirmationNeeded])
    }
}
