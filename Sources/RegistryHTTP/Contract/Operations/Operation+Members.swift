import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    /// Members of bikes, and invitations to become one.
    static var members: [Operation] {
        [
            Operation(
                .post, "/v1/bikes/:bike/invitations", "Invite somebody to a bike",
                """
                The link works once, for \(MemberRules.invitationLifetime.components.seconds / 86_400) days, for whoever \
                has it. Needs the role `manage`; only the owner gives the role `manage`. It is told to the bike’s owner on \
                all channels. A bike has up to \(MemberRules.mostInvitations) open invitations.
                """
            )
            .taking(MemberInvitationDraft.rule(now:), MemberInvitationDraft(role: .report, label: "Anna")).once
            .giving(.created, Example.memberInvited, "The invitation; its secret is shown this once.", [.location])
            .refusing(
                DomainError.membership(.membersFull), DomainError.membership(.invitationsFull),
                DomainError.membership(.invitationUnusable), DomainError.ownerSuspended,
                DomainError.tooManyToday(.invitations, retryAfter: .seconds(3600))
            )
            .needing(.manage),
            Operation(.get, "/v1/bikes/:bike/invitations", "List a bike’s open invitations", "Needs the role `manage`.")
                .giving(.ok, Page(items: [Example.memberInvitation]), "All of them, in one page.").needing(.manage),
            Operation(
                .delete, "/v1/bikes/:bike/invitations/:invitation", "Cancel an invitation to a bike",
                "Needs the role `manage`; only the owner cancels an invitation of a manager."
            )
            .giving(.noContent, "The link no longer works.").needing(.manage),
            Operation(
                .get, "/v1/bikes/:bike/members", "List a bike’s members",
                "The owner is not among them. Who does not manage the bike gets only themselves."
            )
            .giving(.ok, Page(items: [Example.member]), "All of them, in one page."),
            Operation(
                .put, "/v1/bikes/:bike/members/:member/role", "Give a member another role",
                """
                Needs the role `manage`; only the owner gives or takes the role `manage`. It is told to the bike’s owner \
                on all channels.
                """
            )
            .taking(MemberRoleChange.rule(now:), MemberRoleChange(role: .report))
            .giving(.ok, Example.member, "The member with the new role.")
            .refusing(DomainError.tooManyToday(.roleChanges, retryAfter: .seconds(3600))).needing(.manage),
            Operation(
                .delete, "/v1/bikes/:bike/members/:member", "Remove a member, or leave a bike",
                """
                Every member can remove themselves. To remove others needs the role `manage`; only the owner removes \
                managers. Access ends at once, open streams within a minute, and invitations that the member made are \
                cancelled. It is told to the bike’s owner on all channels.
                """
            )
            .giving(.noContent, "It is not a member any more.").needing(.manage),
            Operation(.post, "/v1/memberships/offer", "Show what an invitation offers", "Changes nothing.")
                .taking(InvitationAcceptance.rule(now:), Example.acceptance)
                .giving(.ok, Example.membershipOffer, "The bike and the role.")
                .refusing(DomainError.membership(.invitationUnusable)),
            Operation(
                .post, "/v1/memberships", "Become a member of a bike",
                """
                `invitation` is the secret or the whole link. It is told to the bike’s owner on all channels. A bike has \
                up to \(MemberRules.mostMembers) members, and the caller can be a member of \
                \(MemberRules.mostMemberships) bikes.
                """
            )
            .taking(InvitationAcceptance.rule(now:), Example.acceptance).once
            .giving(.created, Example.sharedBike, "The bike, with the caller’s role.", [.location, .eTag])
            .refusing(
                DomainError.membership(.invitationUnusable), DomainError.membership(.alreadyMember),
                DomainError.membership(.membersFull), DomainError.membership(.tooManyMemberships)),
        ]
    }

    /// Members with a smaller role are refused.
    func needing(_ role: BikeRole) -> Operation { refusing(DomainError.membership(.roleNeeded(role))) }
}

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
