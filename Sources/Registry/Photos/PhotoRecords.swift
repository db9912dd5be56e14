public import RegistryAPI

/// A photo and the name of its pictures.
public struct StoredPhoto: Hashable, Sendable {
    public let photo: Photo
    public let name: PhotoName

    public init(_ photo: Photo, name: PhotoName) {
        self.photo = photo
        self.name = name
    }
}

/// The database's records of photos. A photo belongs to a bike: anyone who sees the bike sees its photos.
public protocol PhotoRecords: Sendable {
    /// Counts an upload to a bike before its body arrives, so that one that stalls counts too.
    ///
    /// - Throws: `notFound`, `tooManyUploads`.
    func countUpload(to bike: BikeID, by act: OwnerAct) async throws

    /// Takes back the count of an act's upload, because the upload cost nothing.
    func forgetUpload(by act: OwnerAct) async throws

    /// Checks that there is room for a photo, before the file is converted. Returns the photo that an earlier call with
    /// this key has made.
    ///
    /// - Throws: `notFound`, `ownerSuspended`, `photosFull`, `quotaReached`, `idempotencyKeyReused`.
    func beginUpload(to bike: BikeID, by act: OwnerAct, once: IdempotencyKey?) async throws -> StoredPhoto?

    /// Adds a photo whose pictures are stored, as the bike's last one. Returns the photo that an earlier call with this
    /// key has made, under another name.
    ///
    /// - Throws: the same as ``beginUpload(to:by:once:)``.
    func addPhoto(
        _ photo: StoredPhoto, to bike: BikeID, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> StoredPhoto

    /// The photos of a bike in the owner’s order.
    ///
    /// - Throws: `notFound`.
    func photos(of bike: BikeID, owner: OwnerID) async throws -> [Photo]

    /// - Throws: `notFound`.
    func photo(_ id: PhotoID, of bike: BikeID, owner: OwnerID) async throws -> StoredPhoto

    /// Puts the photos of a bike into an order, which must name each of them once. Returns them in that order.
    ///
    /// - Throws: `notFound`, `invalidFields`.
    func orderPhotos(_ order: [PhotoID], of bike: BikeID, by act: OwnerAct) async throws -> [Photo]

    /// Removes a photo. While the bike is missing, the owner is notified on all channels.
    ///
    /// - Throws: `notFound`.
    func removePhoto(_ id: PhotoID, of bike: BikeID, by act: OwnerAct) async throws

    /// Names of photos that were removed, for whatever reason, and whose pictures may still be stored.
    func removedPhotos(limit: Int) async throws -> [PhotoName]

    /// Forgets removed photos, once their pictures are deleted.
    func forgetRemovedPhotos(_ names: [PhotoName]) async throws

    /// Those of the names that belong to a photo.
    func knownPhotos(among names: [PhotoName]) async throws -> Set<PhotoName>
}
