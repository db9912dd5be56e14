public import RegistryAPI

/// An invitation to a bike to store; only the digest of its secret is known.
public struct NewMemberInvitation: Hashable, Sendable {
    public var details: MemberInvitation
    public var bike: BikeID
    /// The digest of the secret in the invitation’s link (``AccessToken/Secret/join``).
    public var digest: SecretDigest

    public init(_ details: MemberInvitation, bike: BikeID, digest: SecretDigest) {
        self.details = details
        self.bike = bike
        self.digest = digest
    }
}
