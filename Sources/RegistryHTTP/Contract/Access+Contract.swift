import Registry
import RegistryAPI

extension Access {
    var tag: String { principal?.rawValue ?? "anyone" }

    /// The token that a call needs, and its scope; nil if it needs none.
    var requirement: JSONValue? {
        guard let principal else { return nil }
        var scopes: [JSONValue] = []
        if case .owner(let scope) = self { scopes = [.string(scope.rawValue)] }
        return .object([principal.rawValue: .array(scopes)])
    }

    var refusals: [any Refusal] {
        guard let principal else { return [] }
        var refusals: [any Refusal] = [DomainError.unauthenticated, DomainError.forbidden(needed: principal)]
        if case .owner(let scope) = self, scope != .read {
            refusals.append(DomainError.insufficientScope(needed: scope))
        }
        return refusals
    }
}
