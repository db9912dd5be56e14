public import Beacons
public import RegistryAPI

/// Whether owners may register a beacon with an identity that the registry did not allocate.
public enum GivenIdentityPolicy: String, CaseIterable, Hashable, Sendable {
    /// Only allocated identities.
    case closed
    /// Any identity outside the network region that is free and not a well-known factory value.
    case open

    /// The reason why a given identity is refused; nil if it may be registered when it is free.
    public func refusal(of identity: BeaconIdentity) -> FieldError? {
        detail(for: identity).map { FieldError(pointer: "/identity", detail: $0) }
    }

    /// Why an identity is refused, as the rest of a sentence that begins with the field's name.
    private func detail(for identity: BeaconIdentity) -> String? {
        if identity.uuid == NetworkRegion.uuid {
            return "is in the network region, where only the registry allocates identities; leave it out"
        }
        if let origin = WellKnownIdentities.origin(of: identity) {
            return "is the factory setting of many beacons (\(origin)), so others could be taken for your bike; "
                + "give the beacon its own identity"
        }
        switch self {
        case .open: return nil
        case .closed: return "is not accepted by this registry; leave it out and the registry allocates one"
        }
    }
}
