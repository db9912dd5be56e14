import Syntax

/// Body of `POST /v1/bikes/{id}/invitations`.
public struct MemberInvitationDraft: Codable, Hashable, Sendable {
    public var role: MemberRole
    /// The bike owner's name for the member, 1–64 characters.
    public var label: String

    public init(role: MemberRole, label: String) {
        self.role = role
        self.label = label
    }
}

/// An open invitation to become a member of a bike, without its secret.
public struct MemberInvitation: Codable, Hashable, Sendable {
    public var id: InvitationID
    public var label: String
    public var role: MemberRole
    public var created: Timestamp
    public var expires: Timestamp
    /// The member who made it; absent if the bike's owner did.
    public var invitedBy: MemberID?

    public init(
        id: InvitationID, label: String, role: MemberRole, created: Timestamp, expires: Timestamp,
        invitedBy: MemberID? = nil
    ) {
        self.id = id
        self.label = label
        self.role = role
        self.created = created
        self.expires = expires
        self.invitedBy = invitedBy
    }
}

/// Response to `POST /v1/bikes/{id}/invitations`. Secret and link are shown only once.
public struct MemberInvitationCreated: Codable, Hashable, Sendable {
    public var details: MemberInvitation
    public var secret: String
    /// The page where the secret is accepted, with the secret after `#`, which browsers send to no server; absent if
    /// the registry has no public URL.
    public var link: String?

    public init(details: MemberInvitation, secret: String, link: String?) {
        self.details = details
        self.secret = secret
        self.link = link
    }
}

/// Body of `POST /v1/memberships` and `POST /v1/memberships/offer`.
public struct InvitationAcceptance: Codable, Hashable, Sendable {
    /// The secret, or the whole link.
    public var invitation: String

    public init(invitation: String) { self.invitation = invitation }

    /// The secret, which in a link comes after `#`.
    public var secret: String { invitation.split(at: "#").last.map(String.init) ?? "" }
}

/// Response to `POST /v1/memberships/offer`: what an invitation offers.
public struct MembershipOffer: Codable, Hashable, Sendable {
    public var kind: BikeKind
    public var make: String
    public var model: String
    public var colours: [BikeColour]
    /// The name that the inviter gave to the invited person.
    public var label: String
    public var role: MemberRole
    public var expires: Timestamp

    public init(
        kind: BikeKind, make: String, model: String, colours: [BikeColour], label: String, role: MemberRole,
        expires: Timestamp
    ) {
        self.kind = kind
        self.make = make
        self.model = model
        self.colours = colours
        self.label = label
        self.role = role
        self.expires = expires
    }
}

extension MemberInvitationDraft: WireObject {
    public static let blank = MemberInvitationDraft(role: .see, label: "")

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("role", &role, .choice())
        fields.required("label", &label, .text(1...64))
    }
}

extension InvitationAcceptance: WireObject {
    public static let blank = InvitationAcceptance(invitation: "")

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("invitation", &invitation, .text(1...512))
    }
}
