public import RegistryAPI

/// An invitation to store.
public struct NewMemberInvitation: Hashable, Sendable {
    public var details: MemberInvitation
    public var bike: BikeID
    public var digest: SecretDigest

    public init(_ details: MemberInvitation, bike: BikeID, digest: SecretDigest) {
        self.details = details
        self.bike = bike
        self.digest = digest
    }
}
