import RegistryAPI
import RegistryRules

// Links to searches, and what those see who have one.
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
