public import RegistryAPI

/// An invitation to a bike to store; only the digest of its secret is known.
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

extension AccessToken {
    private static let invitationPrefix = "fmb_join_"

    /// Makes the secret of an invitation to a bike. It does not authenticate a caller.
    package init(forInvitation _: Void, using generator: inout some RandomNumberGenerator) {
        self.init(prefix: Self.invitationPrefix, using: &generator)
    }

    /// Accepts a text only if it has the form of an invitation's secret.
    package init?(invitation text: String) { self.init(text, prefix: Self.invitationPrefix) }
}
