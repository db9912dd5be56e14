import RegistryAPI
import RegistryRules

// Members of bikes, and invitations to become one.
extension Example {
    static let memberInvitation = MemberInvitation(
        id: id(15), label: "Anna", role: .report, created: noon, expires: evening)
    static let memberInvited = MemberInvitationCreated(
        details: memberInvitation, secret: token("join"), link: "https://registry.example.org/join#" + token("join"))
    static let acceptance = InvitationAcceptance(invitation: token("join"))
    static let member = Member(id: id(16), label: "Anna", role: .report, since: noon)
    static let membershipOffer = MembershipOffer(
        kind: bike.kind, make: bike.make, model: bike.model, colours: bike.colours, label: "Anna", role: .report,
        expires: evening)
    static let sharedBike = Bike(
        id: bike.id, details: bikeDraft, identity: identity, openReport: id(2), created: noon, photo: id(12),
        role: .report
    )
    .shown(to: .report)
}
