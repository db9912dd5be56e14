import FoundationEssentials
public import RegistryAPI
import Syntax

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

extension AccessToken {
    private static let invitationPrefix = "fmb_join_"

    /// Makes the secret of an invitation to a bike. It does not authenticate a caller.
    package init(forInvitation _: Void, using generator: inout some RandomNumberGenerator) {
        text = Self.invitationPrefix + Data(generator.bytes(32)).base64URL
    }

    /// Accepts a text only if it has the form of an invitation's secret.
    package init?(invitation text: String) {
        guard text.begins(with: Self.invitationPrefix), text.utf8.count == Self.invitationPrefix.utf8.count + 43 else {
            return nil
        }
        self.text = text
    }
}
