import HTTPTypes
import RegistryAPI
import RegistryRules

extension MembershipRefusal {
    var problem: Problem {
        switch self {
        case .roleNeeded(let role):
            Problem(
                .forbidden, "role-needed", "Your role on this bike is too small",
                role == .owner
                    ? "Only the bike’s owner can do this."
                    : "This needs the role ‘\(role)’ on the bike. Ask its owner, or somebody with the role ‘manage’.")
        case .membersFull:
            Problem(
                .conflict, "members-full", "The bike has all its members",
                "A bike has at most \(MemberRules.mostMembers) members. One of them must be removed first.")
        case .invitationsFull:
            Problem(
                .conflict, "invitations-full", "Too many open invitations",
                "A bike has at most \(MemberRules.mostInvitations) open invitations. Cancel one that is not needed.")
        case .tooManyMemberships:
            Problem(
                .forbidden, "too-many-memberships", "You are a member of too many bikes",
                "You can be a member of at most \(MemberRules.mostMemberships) bikes. Leave one first.")
        case .alreadyMember:
            Problem(
                .conflict, "already-member", "You have this bike already",
                "It is your own bike, or you are a member. The invitation stays valid for somebody else.")
        case .invitationUnusable:
            Problem(
                .forbidden, "invitation-unusable", "This invitation does not work",
                "The link is incomplete, or the invitation was used, cancelled or has expired. Ask for a new one.")
        }
    }
}
