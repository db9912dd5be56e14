import Photos
package import Registry
package import RegistryAPI
import RegistrySQL

extension RegistryOperations {
    /// Adds a photo to a finder's conversation. Whether the conversation belongs to a bike makes no difference.
    ///
    /// - Parameter network: as for messages.
    /// - Throws: `photoUnusable`, and what the store throws.
    package func addPhoto(
        _ file: [UInt8], in secret: ConversationSecret, from network: (subscriber: [UInt8], area: [UInt8])?
    ) async throws -> ConversationPhoto {
        do throws(PhotoRefusal) {
            _ = try JPEGHeader(file)
        } catch {
            throw DomainError.photoUnusable(error)
        }
        let (library, now) = (try requiredLibrary(), clock.now)
        let sender = finderNetwork(network, at: now)
        try await store.refusePhoto(in: secret.digest, from: sender, at: now)
        return try await library.admitFinder {
            let converted = try await library.convert(file)
            var entropy = entropy
            let photo = Photo(
                id: PhotoID(at: now, using: &entropy), created: now, width: converted.width, height: converted.height,
                bytes: converted.large.count + converted.small.count)
            let stored = StoredPhoto(photo, name: PhotoName(using: &entropy))
            _ = try await library.store(converted, as: stored.name) {
                try await store.addPhoto(stored, in: secret.digest, from: sender, at: now)
                return stored
            }
            await deletePictures()
            return ConversationPhoto(photo)
        }
    }
}
