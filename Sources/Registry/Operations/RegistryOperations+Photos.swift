import Logging
import Photos
package import RegistryAPI
package import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// Adds a photo to a bike. The upload was counted when it began.
    ///
    /// - Throws: `photoUnusable`, and what the store throws.
    package func addPhoto(
        _ file: [UInt8], to bike: BikeID, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> Photo {
        do throws(PhotoRefusal) {
            _ = try JPEGHeader(file)
        } catch {
            // A refusal because of the header costs nothing, and does not count as an upload.
            try await store.forgetUpload(by: act)
            throw DomainError.photoUnusable(error)
        }
        let library = try requiredLibrary()
        return try await library.admit(act.owner) {
            try await addPhoto(file, to: bike, by: act, once: once, in: library)
        }
    }

    /// Checks that the bike has room, converts the file, and stores the photo.
    private func addPhoto(
        _ file: [UInt8], to bike: BikeID, by act: OwnerAct, once: IdempotencyKey?, in library: PhotoLibrary
    ) async throws -> Photo {
        let earlier: StoredPhoto?
        do {
            earlier = try await store.beginUpload(to: bike, by: act, once: once)
        } catch {
            try await store.forgetUpload(by: act)
            throw error
        }
        if let earlier {
            try await store.forgetUpload(by: act)
            return earlier.photo
        }
        let converted = try await library.convert(file)
        let new = newPhoto(of: converted, at: act.time)
        let stored = try await library.store(converted, as: new.name) {
            try await store.addPhoto(new, to: bike, by: act, once: once)
        }
        return stored.photo
    }

    /// A photo with a new name for its pictures.
    func newPhoto(of converted: ConvertedPhoto, at time: Timestamp) -> StoredPhoto {
        var entropy = entropy
        let name = PhotoName(using: &entropy)
        let photo = Photo(
            id: PhotoID(at: time, using: &entropy), created: time, width: converted.width, height: converted.height,
            bytes: converted.large.count + converted.small.count)
        return StoredPhoto(photo, name: name)
    }

    /// One picture of a photo that the caller may see.
    ///
    /// - Throws: `notFound` if the photo was removed in the meantime; `storageUnavailable`.
    package func picture(_ size: PhotoSize, of photo: StoredPhoto) async throws -> StoredPicture {
        let pictures = try requiredLibrary().pictures
        guard let length = try await pictures.length(of: photo.name, size) else { throw DomainError.notFound("photo") }
        return StoredPicture(store: pictures, name: photo.name, size: size, length: length)
    }

    /// Lets staff of venues see a photo, or withdraws this.
    package func letStaffSee(
        _ isAllowed: Bool, _ photo: PhotoID, of bike: BikeID, by act: OwnerAct
    ) async throws -> Photo {
        var entropy = entropy
        let consent = isAllowed ? StaffPhotoConsent(using: &entropy) : nil
        return try await store.setConsent(consent, to: photo, of: bike, by: act)
    }

    /// The small picture that a link shows; nil once it has ended.
    package func staffPicture(_ link: StaffPhotoLink) async throws -> StoredPicture? {
        guard let photo = try await store.photo(link, at: clock.now) else { return nil }
        return try await picture(.small, of: photo)
    }

    package func removePhoto(_ photo: PhotoID, of bike: BikeID, by act: OwnerAct) async throws {
        try await store.removePhoto(photo, of: bike, by: act)
        await deletePictures()
    }

    /// Deletes the pictures of photos that were just removed, before the caller gets a response. ``PhotoUpkeep``
    /// deletes those for which this fails.
    func deletePictures() async {
        guard let photos else { return }
        do {
            while try await photos.deleteRemoved(from: store) >= PhotoLibrary.batch {}
        } catch {
            logger.error("pictures cannot be deleted yet", metadata: ["error": "\(error)"])
        }
    }

    /// The pictures of photos.
    ///
    /// - Throws: `storageUnavailable` if photos cannot be stored.
    func requiredLibrary() throws -> PhotoLibrary {
        guard let photos else { throw DomainError.storageUnavailable("photos: no place is set up for them") }
        return photos
    }
}
