import HTTPTypes
import Hummingbird
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The calls for the members of bikes, and for invitations to become one.
struct MemberCalls {
    let operations: RegistryOperations
    let store: any RegistryStore

    func add(to calls: Calls<OwnerContext>) {
        addInvitations(to: calls)
        addMembers(to: calls)
        addMemberships(to: calls)
    }

    private func addInvitations(to calls: Calls<OwnerContext>) {
        calls.post(
            "/v1/bikes/:bike/invitations", .manage, "Invite somebody to a bike",
            """
            The link works once, for \(MemberRules.invitationLifetime.wholeDays) days, for whoever \
            has it. Needs the role `manage`; only the owner gives the role `manage`. The bike’s owner is notified on \
            all channels. A bike has up to \(MemberRules.mostInvitations) open invitations.
            """
        )
        .taking(MemberInvitationDraft(role: .report, label: "Anna")).once.needing(.manage)
        .refusing(.membership(.membersFull), .membership(.invitationsFull), .membership(.invitationUnusable))
        .refusing(.ownerSuspended).daily(.invitations)
        .creating(
            Example.memberInvited, "The invitation; its secret is shown this once.", id: \.details.id
        ) { request in
            let (bike, act): (BikeID, OwnerAct) = (try request.id("bike"), request.act(operations))
            return try await operations.inviteMember(request.body, to: bike, by: act, once: request.once)
        }

        // All invitations on one page, since a bike has few.
        calls.get(
            "/v1/bikes/:bike/invitations", .read, "List a bike’s open invitations", "Needs the role `manage`."
        )
        .needing(.manage)
        .answering(Page(items: [Example.memberInvitation]), "All of them, in one page.") { request in
            Page(
                items: try await store.memberInvitations(
                    of: try request.id("bike"), by: request.owner, at: operations.clock.now))
        }

        calls.delete(
            "/v1/bikes/:bike/invitations/:invitation", .manage, "Cancel an invitation to a bike",
            "Needs the role `manage`; only the owner cancels an invitation of a manager."
        )
        .needing(.manage)
        .done("The link no longer works.") { request in
            let id: InvitationID = try request.id("invitation")
            try await operations.store.cancelMemberInvitation(
                id, of: try request.id("bike"), by: request.act(operations))
        }
    }

    private func addMembers(to calls: Calls<OwnerContext>) {
        // All members on one page, since a bike has few.
        calls.get(
            "/v1/bikes/:bike/members", .read, "List a bike’s members",
            "The owner is not among them. Who does not manage the bike gets only themselves."
        )
        .answering(Page(items: [Example.member]), "All of them, in one page.") { request in
            Page(items: try await store.members(of: try request.id("bike"), by: request.owner))
        }

        calls.put(
            "/v1/bikes/:bike/members/:member/role", .manage, "Give a member another role",
            """
            Needs the role `manage`; only the owner gives or takes the role `manage`. The bike’s owner is notified \
            on all channels.
            """
        )
        .taking(MemberRoleChange(role: .report)).needing(.manage).daily(.roleChanges)
        .answering(Example.member, "The member with the new role.") { request in
            let (member, bike): (MemberID, BikeID) = (try request.id("member"), try request.id("bike"))
            let role = request.body.role
            return try await operations.store.changeRole(of: member, on: bike, to: role, by: request.act(operations))
        }

        calls.delete(
            "/v1/bikes/:bike/members/:member", .manage, "Remove a member, or leave a bike",
            """
            Every member can remove themselves. To remove others needs the role `manage`; only the owner removes \
            managers. Access ends immediately, open streams within a minute, and invitations that the member made are \
            cancelled. The bike’s owner is notified on all channels.
            """
        )
        .needing(.manage)
        .done("It is no longer a member.") { request in
            let member: MemberID = try request.id("member")
            try await operations.store.removeMember(member, of: try request.id("bike"), by: request.act(operations))
        }
    }

    private func addMemberships(to calls: Calls<OwnerContext>) {
        // The secret is in the body: addresses end up in logs.
        calls.post("/v1/memberships/offer", .report, "Show what an invitation offers", "Changes nothing.")
            .taking(Example.acceptance).refusing(.membership(.invitationUnusable))
            .answering(Example.membershipOffer, "The bike and the role.") { request in
                try await operations.membershipOffer(request.body)
            }

        calls.post(
            "/v1/memberships", .report, "Become a member of a bike",
            """
            `invitation` is the secret or the whole link. The bike’s owner is notified on all channels. A bike has \
            up to \(MemberRules.mostMembers) members, and the caller can be a member of \
            \(MemberRules.mostMemberships) bikes.
            """
        )
        .taking(Example.acceptance).once
        .refusing(.membership(.invitationUnusable), .membership(.alreadyMember))
        .refusing(.membership(.membersFull), .membership(.tooManyMemberships))
        .giving(.created, json: Example.sharedBike, "The bike, with the caller’s role.", headers: [.location, .eTag])
        .responding { request in
            let bike = try await operations.join(request.body, by: request.act(operations), once: request.once)
            return try .tagged(bike, for: request.http, status: .created, at: BikeCalls.path(of: bike))
        }
    }
}
