package import RegistryAPI
package import RegistryRules

/// The database's records of photos. A photo belongs to a bike: anyone who sees the bike sees its photos.
extension RegistryStore {
    /// Counts an upload to a bike before its body arrives, so that one that stalls counts too.
    ///
    /// - Throws: `notFound`, `tooManyUploads`.
    public func countUpload(to bike: BikeID, by act: OwnerAct) async throws {
        try await write { try PhotoRows($0).countUpload(to: bike, by: act) }
    }

    /// Takes back the count of an act's upload, because the upload cost nothing.
    public func forgetUpload(by act: OwnerAct) async throws {
        try await write { try PhotoRows($0).forgetUpload(by: act) }
    }

    /// Checks that there is room for a photo, before the file is converted. Returns the photo that an earlier call with
    /// this key has made.
    ///
    /// - Throws: `notFound`, `ownerSuspended`, `photosFull`, `quotaReached`, `idempotencyKeyReused`.
    public func beginUpload(to bike: BikeID, by act: OwnerAct, once: IdempotencyKey?) async throws -> StoredPhoto? {
        try await write { [quotas] db in try PhotoRows(db).beginUpload(to: bike, by: act, once: once, quotas) }
    }

    /// Adds a photo whose pictures are stored, as the bike's last one. Returns the photo that an earlier call with this
    /// key has made, under another name.
    ///
    /// - Throws: the same as ``beginUpload(to:by:once:)``.
    public func addPhoto(
        _ photo: StoredPhoto, to bike: BikeID, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> StoredPhoto {
        try await write { [quotas] db in try PhotoRows(db).add(photo, to: bike, by: act, once: once, quotas) }
    }

    /// The photos of a bike in the owner’s order.
    ///
    /// - Throws: `notFound`.
    public func photos(of bike: BikeID, owner: OwnerID) async throws -> [Photo] {
        try await read { try PhotoRows($0).page(of: bike, owner: owner) }
    }

    /// A photo of a bike.
    ///
    /// - Throws: `notFound`.
    public func photo(_ id: PhotoID, of bike: BikeID, owner: OwnerID) async throws -> StoredPhoto {
        try await read { try PhotoRows($0).find(id, of: bike, owner: owner) }
    }

    /// Puts the photos of a bike into an order, which must name each of them once. Returns them in that order.
    ///
    /// - Throws: `notFound`, `invalidFields`.
    public func orderPhotos(_ order: [PhotoID], of bike: BikeID, by act: OwnerAct) async throws -> [Photo] {
        try await write { [quotas] db in try PhotoRows(db).order(order, of: bike, by: act, quotas) }
    }

    /// Removes a photo. While the bike is missing, the owner is notified on all channels.
    ///
    /// - Throws: `notFound`.
    public func removePhoto(_ id: PhotoID, of bike: BikeID, by act: OwnerAct) async throws {
        try await write { try PhotoRows($0).remove(id, of: bike, by: act) }
    }

    /// Lets staff of venues see a photo, or no longer if the consent is nil; then the owner is notified on all channels
    /// while the bike is missing.
    ///
    /// - Throws: `notFound`, `tooManyToday`.
    public func setConsent(
        _ consent: StaffPhotoConsent?, to photo: PhotoID, of bike: BikeID, by act: OwnerAct
    ) async throws -> Photo {
        try await write { [quotas] db in try PhotoRows(db).setConsent(consent, to: photo, of: bike, by: act, quotas) }
    }

    /// The photo that a link shows now; nil once the visit, the search or the consent has ended.
    public func photo(_ link: StaffPhotoLink, at time: Timestamp) async throws -> StoredPhoto? {
        try await read { try StaffPhotos($0).find(link, at: time) }
    }

    /// Names of photos that were removed, for whatever reason, and whose pictures may still be stored.
    public func removedPhotos(limit: Int) async throws -> [PhotoName] {
        try await read { try PhotoRows($0).removed(limit: limit) }
    }

    /// Forgets removed photos, once their pictures are deleted.
    public func forgetRemovedPhotos(_ names: [PhotoName]) async throws {
        try await write { try PhotoRows($0).forget(names) }
    }

    /// The names among these that belong to a photo.
    public func knownPhotos(among names: [PhotoName]) async throws -> Set<PhotoName> {
        try await read { try PhotoRows($0).known(among: names) }
    }
}
