package import Registry
package import RegistryAPI

extension SQLRegistryStore {
    public func countUpload(to bike: BikeID, by act: OwnerAct) async throws {
        try await write { try PhotoRows($0).countUpload(to: bike, by: act) }
    }

    public func forgetUpload(by act: OwnerAct) async throws {
        try await write { try PhotoRows($0).forgetUpload(by: act) }
    }

    public func beginUpload(to bike: BikeID, by act: OwnerAct, once: IdempotencyKey?) async throws -> StoredPhoto? {
        try await write { [quotas] db in try PhotoRows(db).beginUpload(to: bike, by: act, once: once, quotas) }
    }

    public func addPhoto(
        _ photo: StoredPhoto, to bike: BikeID, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> StoredPhoto {
        try await write { [quotas] db in try PhotoRows(db).add(photo, to: bike, by: act, once: once, quotas) }
    }

    public func photos(of bike: BikeID, owner: OwnerID) async throws -> [Photo] {
        try await read { try PhotoRows($0).page(of: bike, owner: owner) }
    }

    public func photo(_ id: PhotoID, of bike: BikeID, owner: OwnerID) async throws -> StoredPhoto {
        try await read { try PhotoRows($0).find(id, of: bike, owner: owner) }
    }

    public func orderPhotos(_ order: [PhotoID], of bike: BikeID, by act: OwnerAct) async throws -> [Photo] {
        try await write { [quotas] db in try PhotoRows(db).order(order, of: bike, by: act, quotas) }
    }

    public func removePhoto(_ id: PhotoID, of bike: BikeID, by act: OwnerAct) async throws {
        try await write { try PhotoRows($0).remove(id, of: bike, by: act) }
    }

    public func removedPhotos(limit: Int) async throws -> [PhotoName] {
        try await read { try PhotoRows($0).removed(limit: limit) }
    }

    public func forgetRemovedPhotos(_ names: [PhotoName]) async throws {
        try await write { try PhotoRows($0).forget(names) }
    }

    public func knownPhotos(among names: [PhotoName]) async throws -> Set<PhotoName> {
        try await read { try PhotoRows($0).known(among: names) }
    }
}
