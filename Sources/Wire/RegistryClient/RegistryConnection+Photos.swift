import HTTPClient
public import RegistryAPI

// Requests about photos of bikes.
extension RegistryConnection {
    /// The timeout of a request or response with a picture, which may be large, on a slow line.
    private static let photoTimeout = Duration.seconds(600)

    /// Adds a photo as the bike's last one. Retries send the same key, so that they add it once.
    ///
    /// - Parameter file: a JPEG file.
    public func addPhoto(
        _ file: [UInt8], to bike: BikeID, idempotencyKey: String = newIdempotencyKey
    ) async throws -> Photo {
        let headers = [(name: Self.idempotencyKey, value: idempotencyKey)]
        let request = request(
            .post, Self.path(of: bike), headers: headers, body: file, contentType: MediaType.jpeg,
            timeout: Self.photoTimeout)
        return try Self.decode(await answer(to: request))
    }

    /// The photos of a bike, in their order.
    public func photos(of bike: BikeID) async throws -> [Photo] {
        let page: Page<Photo> = try await get(Self.path(of: bike))
        return page.items
    }

    /// Puts the photos in order; returns them. Retrying is safe: the order is the same.
    ///
    /// - Parameter order: all photos of the bike, the first one to be shown for the bike.
    public func orderPhotos(_ order: [PhotoID], of bike: BikeID) async throws -> [Photo] {
        let body = try Self.encode(PhotoOrder(photos: order))
        let response = try await answer(to: request(.put, Self.path(of: bike), body: body), isRepeatable: true)
        let page: Page<Photo> = try Self.decode(response)
        return page.items
    }

    /// Lets staff of venues see a photo while the bike is missing and there, or no longer; returns the photo. Retrying is
    /// safe.
    public func letStaffSee(_ isAllowed: Bool, _ photo: PhotoID, of bike: BikeID) async throws -> Photo {
        let path = "\(Self.path(of: bike))/\(photo)/consent"
        let body = try Self.encode(PhotoConsent(forStaff: isAllowed))
        return try Self.decode(await answer(to: request(.put, path, body: body), isRepeatable: true))
    }

    /// One picture of a photo: a JPEG file.
    public func picture(of photo: PhotoID, on bike: BikeID, _ size: PhotoSize) async throws -> [UInt8] {
        let path = "\(Self.path(of: bike))/\(photo)?size=\(size.rawValue)"
        return try await answer(to: request(.get, path, accept: MediaType.jpeg, timeout: Self.photoTimeout)).body
    }

    /// Removes a photo and its pictures.
    public func removePhoto(_ photo: PhotoID, of bike: BikeID) async throws {
        try await delete("\(Self.path(of: bike))/\(photo)")
    }

    private static func path(of bike: BikeID) -> String { "/v1/bikes/\(bike)/photos" }
}
