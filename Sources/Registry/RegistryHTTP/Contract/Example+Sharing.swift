import Beacons
import RegistryAPI
import RegistryRules

extension Example {
    static let share = Share(
        id: id(15), report: report.id, label: "Police", created: noon, ends: noon.advanced(by: ShareRules.usual),
        views: 3, lastViewed: evening)
    static var shareCreated: ShareCreated {
        let secret = token("share")
        let link = "https://registry.example.org/share#\(secret)"
        return ShareCreated(
            details: Share(
                id: share.id, report: share.report, label: share.label, created: share.created, ends: share.ends),
            link: link, secret: secret)
    }
    static let sharedSighting = SharedSighting(sighting)
    static let sharedSearch = SharedSearch(
        bike: BikeAppearance(kind: bike.kind, make: bike.make, model: bike.model, colours: bike.colours),
        photos: [SharedPhoto(photo)], missingSince: report.missingSince, ends: share.ends)
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

extension Example {
    static let stickerCreated = StickerCreated(
        details: Sticker(created: noon), code: "4FQK-M2XP-V9TD",
        link: "https://registry.example.org/found/4FQK-M2XP-V9TD", sheet: "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
    static let conversation = Conversation(
        id: id(16), origin: .sticker, began: noon,
        messages: [ConversationMessage(from: .finder, time: noon, text: "It stands behind the station.")],
        waiting: true)
    static let conversationPhoto = ConversationPhoto(photo)
    static let conversationNews = ConversationNews(messages: conversation.messages, writable: true)
    static let reportedConversation = ReportedConversation(
        conversation: Conversation(
            id: id(16), origin: .sticker, began: noon,
            messages: [ConversationMessage(from: .finder, time: noon, text: "Send me money.")], waiting: false,
            closed: evening, closedBy: .owner, blocked: true, reported: evening),
        bike: bike.id, owner: owner.id, reportedBy: .owner, reason: "Wants money")
}

extension Example {
    static let display = VenueDisplay(
        id: id(20), name: "Counter", created: noon, paired: noon, lastUsed: evening,
        expires: evening.advanced(by: DisplayRules.lifetime))
    static let displayCode = DisplayCode(
        display: display.id, code: "7KQ2M-XW9TC", expires: noon.advanced(by: DisplayRules.codeLifetime),
        link: "https://registry.example.org/display#7KQ2M-XW9TC")
    static let displayView = DisplayView(
        station: station.name, time: evening, health: StationHealth(state: .listening, contact: evening),
        contact: "Police: 020 7946 0000",
        bikes: [
            DisplayedBike(
                visit: visit.id, since: noon, lastHeard: evening, proximity: .near,
                lookFor: BikeAppearance(kind: bike.kind, make: bike.make, model: bike.model, colours: bike.colours),
                answer: VisitConfirmation(answer: .seen, time: evening))
        ])
}
