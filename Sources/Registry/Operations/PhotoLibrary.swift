import OperatingSystem
import Photos
import RegistryAPI
package import RegistryRules
import RegistrySQL
import Synchronization

/// The pictures of photos: converted one at a time, stored before the database refers to them, and deleted after it no
/// longer does.
///
/// So a crash between file and row leaves an extra picture, never a missing one. ``PhotoUpkeep`` deletes it.
package final class PhotoLibrary: Sendable {
    let pictures: any PhotoStore
    private let converter: any PhotoConverter
    /// One photo at a time is decoded, since the decoder may take 320 MB.
    private let turn = AsyncSemaphore(value: 1)
    /// The number of photos that each owner is uploading.
    private let uploads = Mutex<[OwnerID: Int]>([:])
    /// The number of finders' photos that are being added.
    private let finders = Mutex(0)
    /// Names whose pictures are being stored, and which the database does not know yet.
    private let unsettled = Mutex<Set<PhotoName>>([])

    /// The maximum number of uploads at a time, each with its file in memory.
    static let mostUploads = 16
    /// The maximum number of an owner's uploads at a time, so that one owner's slow files do not delay all others.
    static let mostOfOwner = 2
    /// The maximum number of finders' photos at a time: owners' photos wait for at most this many.
    static let mostFinders = 2
    /// The number of photos that one step of the upkeep handles.
    static let batch = 100

    package init(pictures: any PhotoStore, converter: any PhotoConverter) {
        self.pictures = pictures
        self.converter = converter
    }

    /// Runs an upload if there is a place for it. A refused upload does not count against the owner's limit.
    ///
    /// - Throws: `overloaded`, and the errors of the upload.
    func admit(_ owner: OwnerID, _ upload: () async throws -> Photo) async throws -> Photo {
        let isAdmitted = uploads.withLock { uploads in
            let own = uploads[owner, default: 0]
            guard own < Self.mostOfOwner, uploads.values.reduce(0, +) < Self.mostUploads else { return false }
            uploads[owner] = own + 1
            return true
        }
        guard isAdmitted else { throw DomainError.overloaded }
        defer {
            uploads.withLock { uploads in
                let left = uploads[owner, default: 1] - 1
                uploads[owner] = left > 0 ? left : nil
            }
        }
        return try await upload()
    }

    /// Adds a photo of a finder if few others are on their way.
    ///
    /// - Throws: `overloaded`, and the errors of the upload.
    func admitFinder<Result: Sendable>(_ upload: () async throws -> Result) async throws -> Result {
        let isAdmitted = finders.withLock { count in
            guard count < Self.mostFinders else { return false }
            count += 1
            return true
        }
        guard isAdmitted else { throw DomainError.overloaded }
        defer { finders.withLock { $0 -= 1 } }
        return try await upload()
    }

    /// Makes the two pictures of a photo, when it is its turn.
    ///
    /// - Throws: `photoUnusable`, `storageUnavailable`; `CancellationError` if the caller has left meanwhile.
    func convert(_ file: [UInt8]) async throws -> ConvertedPhoto {
        await turn.wait()
        defer { turn.signal() }
        try Task.checkCancellation()
        return try await converter.convert(file)
    }

    /// Stores pictures and then calls `record`, which adds the photo to the database and returns it. If the database
    /// has another photo in its place, or refuses it, the pictures are deleted again.
    func store(
        _ photo: ConvertedPhoto, as name: PhotoName, _ record: () async throws -> StoredPhoto
    ) async throws -> StoredPhoto {
        unsettled.withLock { _ = $0.insert(name) }
        defer { unsettled.withLock { _ = $0.remove(name) } }
        do {
            try await pictures.put(photo, as: name)
            let stored = try await record()
            if stored.name != name { try? await pictures.remove([name]) }
            return stored
        } catch let error as DomainError {
            // After any other error the photo may have been recorded: the upkeep finds out.
            if !error.isOfStorage { try? await pictures.remove([name]) }
            throw error
        }
    }

    /// Deletes the pictures of photos that were removed from the database; returns the number of photos.
    func deleteRemoved(from records: any RegistryStore) async throws -> Int {
        let names = try await records.removedPhotos(limit: Self.batch)
        guard !names.isEmpty else { return 0 }
        try await pictures.remove(names)
        try await records.forgetRemovedPhotos(names)
        return names.count
    }

    /// Deletes pictures that belong to no photo: those of uploads that a crash interrupted. Returns their number.
    func deleteOrphans(unknownTo records: any RegistryStore) async throws -> Int {
        var count = 0
        try await pictures.eachNames(atMost: Self.batch) { names in
            // In this order, a name that was stored before and is settled now is either in the database or an orphan.
            let settled = unsettled.withLock { unsettled in Set(names).subtracting(unsettled) }
            let orphans = settled.subtracting(try await records.knownPhotos(among: Array(settled)))
            guard !orphans.isEmpty else { return }
            try await pictures.remove(Array(orphans))
            count += orphans.count
        }
        return count
    }
}

extension DomainError {
    fileprivate var isOfStorage: Bool {
        if case .storageUnavailable = self { true } else { false }
    }
}
