public import Photos
public import Registry
public import RegistryAPI
import Synchronization
import TestSupport

/// Pictures in memory, whose calls can be made to fail.
public final class MemoryPhotoStore: PhotoStore {
    private struct State {
        var pictures: [PhotoName: ConvertedPhoto] = [:]
        var isBroken = false
    }

    private let state = Mutex(State())

    public init() {}

    public var names: Set<PhotoName> { state.withLock { Set($0.pictures.keys) } }

    public func setBroken(_ isBroken: Bool) { state.withLock { $0.isBroken = isBroken } }

    private func change<Result: Sendable>(_ body: (inout State) -> sending Result) throws -> Result {
        guard !state.withLock(\.isBroken) else { throw DomainError.storageUnavailable("broken") }
        return state.withLock { body(&$0) }
    }

    public func put(_ photo: ConvertedPhoto, as name: PhotoName) async throws {
        try change { $0.pictures[name] = photo }
    }

    public func picture(of name: PhotoName, _ size: PhotoSize) async throws -> [UInt8]? {
        let photo = try change { $0.pictures[name] }
        return size == .large ? photo?.large : photo?.small
    }

    public func remove(_ names: [PhotoName]) async throws {
        try change { state in for name in names { state.pictures[name] = nil } }
    }

    public func eachNames(atMost count: Int, _ body: ([PhotoName]) async throws -> Void) async throws {
        for name in names { try await body([name]) }
    }
}

/// Makes the same small pictures of every file.
public struct SampleConverter: PhotoConverter {
    public init() {}

    public func convert(_ file: [UInt8]) async throws -> ConvertedPhoto {
        let picture = JPEGSample(16, 8).bytes
        guard let photo = ConvertedPhoto(large: picture, small: picture) else {
            throw DomainError.photoUnusable(.damaged)
        }
        return photo
    }
}
