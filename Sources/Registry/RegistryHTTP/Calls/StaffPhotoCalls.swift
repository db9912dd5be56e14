import HTTPTypes
import Hummingbird
import Languages
import Operations
import RegistryAPI
import RegistryRules

/// The pictures that staff of a venue see of a missing bike while it is there.
///
/// The link is the only secret, since alarms reach lamps, phones and messengers that have no session. So it is sealed
/// for one visit at one station, and each request checks that the visit still continues.
struct StaffPhotoCalls {
    let operations: RegistryOperations

    func add(to calls: Calls<RegistryContext>) {
        calls.get(
            StaffPhotoLink.folder + ":link", "Get the picture of a missing bike at a venue",
            """
            A station gets the link as `lookFor.photo`, if the bike’s owner lets staff see a photo. It works while the \
            bike is there: until the visit ends, nothing was heard for 15 minutes, the search is over, or the owner no \
            longer agrees. The picture has at most 400 pixels on the longer side, and no data of camera or place.
            """
        )
        .with(.staffPhotoLink)
        .giving(.ok, "The picture.", content: [.opaque(MediaType.jpeg)])
        .asPage
        .responding { request in
            let link = request.context.parameters.get("link").flatMap { StaffPhotoLink($0) }
            guard let link, let picture = try await operations.staffPicture(link) else {
                let texts = StaffPhotoWords(request.http.finderTexts.language)
                return FinderPage.message(
                    texts.ended, texts.endedHint, request.http.finderTexts,
                    FinderPage.Link(path: "/", text: "FindMyBike")
                ).response(.notFound)
            }
            return .picture(picture, headers: Self.protection, over: request.context.connection)
        }
    }

    /// Header fields of the picture: it must not be stored or indexed, and its address must not be sent as a referrer.
    private static let protection: HTTPFields = [
        .cacheControl: "private, no-store", .contentSecurityPolicy: "default-src 'none'; sandbox",
        .referrerPolicy: "no-referrer", .xRobotsTag: "noindex, noarchive",
    ]
}

extension Parameter {
    fileprivate static let staffPhotoLink = Parameter(
        name: "link", place: .path, summary: "The sealed name of the visit.", schema: .type("string"), isRequired: true)
}
