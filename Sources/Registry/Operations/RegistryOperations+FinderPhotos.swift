import Photos
package import RegistryAPI
package import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// Adds a photo to a finder's conversation. Whether the conversation belongs to a bike makes no difference.
    ///
    /// - Parameter network: as for messages.
    /// - Throws: `photoUnusable`, and what the store throws.
    package func addPhoto(
        _ file: [UInt8], in secret: ConversationSecret, from network: ClientNetwork?
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
            let new = newPhoto(of: converted, at: now)
            _ = try await library.store(converted, as: new.name) {
                try await store.addPhoto(new, in: secret.digest, from: sender, at: now)
                return new
            }
            await deletePictures()
            return ConversationPhoto(new.photo)
        }
    }
}
