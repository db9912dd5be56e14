public import Photos
public import RegistryAPI
public import RegistryRules
import Synchronization
import TestSupport

/// Pictures in memory, whose calls can be made to fail.
public final class MemoryPhotoStore: PhotoStore {
    private struct State {
        var pictures: [PhotoName: ConvertedPhoto] = [:]
        var isBroken = false
        var read = 0
    }

    private let state = Mutex(State())

    public init() {}

    public var names: Set<PhotoName> { state.withLock { Set($0.pictures.keys) } }

    /// The number of bytes of pictures that were read.
    public var read: Int { state.withLock(\.read) }

    public func setBroken(_ isBroken: Bool) { state.withLock { $0.isBroken = isBroken } }

    private func change<Result: Sendable>(_ body: (inout State) -> sending Result) throws -> Result {
        guard !state.withLock(\.isBroken) else { throw DomainError.storageUnavailable("broken") }
        return state.withLock { body(&$0) }
    }

    public func put(_ photo: ConvertedPhoto, as name: PhotoName) async throws {
        try change { $0.pictures[name] = photo }
    }

    public func length(of name: PhotoName, _ size: PhotoSize) async throws -> Int? {
        try change { $0.pictures[name]?[size].count }
    }

    public func bytes(
        of name: PhotoName, _ size: PhotoSize, from offset: Int, atMost count: Int
    ) async throws -> [UInt8] {
        try change { state in
            let bytes = Array((state.pictures[name]?[size] ?? []).dropFirst(offset).prefix(count))
            state.read += bytes.count
            return bytes
        }
    }

    public func remove(_ names: [PhotoName]) async throws {
        try change { state in for name in names { state.pictures[name] = nil } }
    }

    public func eachNames(atMost count: Int, _ body: ([PhotoName]) async throws -> Void) async throws {
        for name in names { try await body([name]) }
    }
}

extension ConvertedPhoto {
    fileprivate subscript(size: PhotoSize) -> [UInt8] { size == .large ? large : small }
}

extension PhotoStore {
    /// A whole picture, read in pieces of an odd length; nil if there is none of this name.
    public func whole(_ name: PhotoName, _ size: PhotoSize) async throws -> [UInt8]? {
        guard let length = try await length(of: name, size) else { return nil }
        var bytes: [UInt8] = []
        while bytes.count < length {
            let piece = try await self.bytes(of: name, size, from: bytes.count, atMost: 333)
            guard !piece.isEmpty else { break }
            bytes += piece
        }
        return bytes
    }
}

/// Makes the same small pictures of every file.
public struct SampleConverter: PhotoConverter {
    private let padding: Int

    /// - Parameter padding: the number of bytes that are added to a picture's last scan.
    public init(padding: Int = 0) { self.padding = padding }

    public func convert(_ file: [UInt8]) async throws -> ConvertedPhoto {
        let sample = JPEGSample(16, 8).bytes
        let picture = sample.dropLast(2) + [UInt8](repeating: 0, count: padding) + sample.suffix(2)
        guard let photo = ConvertedPhoto(large: Array(picture), small: sample) else {
            throw DomainError.photoUnusable(.damaged)
        }
        return photo
    }
}
