import HTTPTypes
import Photos
import Registry
import RegistryAPI

extension Operation {
    static var photos: [Operation] {
        let path = "/v1/bikes/:bike/photos"
        return [
            Operation(
                .post, path, "Add a photo",
                """
                The body is a JPEG file of up to \(PhotoLimits.bytes >> 20) MB and \(PhotoLimits.pixels / 1_000_000) \
                megapixels. It becomes the bike’s last photo: two upright pictures without data of camera or place. A \
                bike has up to \(PhotoRules.most), and an owner may send \(PhotoRules.uploadsPerHour) an hour, \
                counted from the header of the request on. Of many that arrive at a time, the slowest is ended.
                """
            )
            .taking(photoBody).once.refusing(RequestError.notPhoto)
            .giving(.created, Example.photo, "The photo.", [.location])
            .refusing(
                DomainError.photoUnusable(.truncated), DomainError.photosFull, DomainError.ownerSuspended,
                DomainError.quotaReached(.photos, most: 60), DomainError.tooManyUploads(retryAfter: .seconds(600)),
                RequestError.placeLost
            ).needing(.manage),
            Operation(.get, path, "List a bike’s photos", "All at once, in the owner’s order.")
                .showing(Page(items: [Example.photo]), "The photos."),
            Operation(
                .put, path, "Put a bike’s photos in order",
                "`photos` names each of them once. The first is the bike’s `photo`."
            )
            .taking(PhotoOrder.rule(now:), PhotoOrder(photos: [Example.photo.id]))
            .giving(.ok, Page(items: [Example.photo]), "The photos in their new order.", [.eTag])
            .refusing(DomainError.tooManyToday(.photoOrders, retryAfter: .seconds(3600))).needing(.manage),
            Operation(.get, path + "/:photo", "Get a photo’s picture")
                .with(.photoSize).with(.ifNoneMatch)
                .giving(
                    Answer(
                        status: .ok, summary: "The picture.",
                        content: [Content(mediaType: MediaType.jpeg, type: nil, schema: .binary, example: nil)],
                        headers: [.eTag]
                    )
                )
                .giving(.notModified, "The caller’s copy is current.", [.eTag])
                .refusing(RequestError.invalidQuery("size", form: "‘large’ or ‘small’")),
            Operation(
                .delete, path + "/:photo", "Remove a photo",
                "Its pictures are deleted from the disk. While the bike is missing, it is told on all channels."
            )
            .giving(.noContent, "It is gone.").needing(.manage),
        ]
    }

    private static var photoBody: Body {
        Body(
            name: "PhotoFile", mediaTypes: [MediaType.jpeg], presence: .required, schema: { _ in .binary }, example: nil
        ) { _ in [] }
    }
}

extension Parameter {
    static let photoSize = Parameter(
        name: "size", place: .query,
        summary:
            "The longer side: `large` is \(PhotoLimits.largeSide) pixels at most, `small` \(PhotoLimits.smallSide).",
        schema: .choice(PhotoSize.allCases.map(\.rawValue))
    )
}

extension Example {
    static let photo = Photo(id: id(12), created: evening, width: 1600, height: 1200, bytes: 341_277)
}
