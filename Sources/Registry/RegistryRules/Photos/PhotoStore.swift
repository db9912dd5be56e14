public import Photos
public import RegistryAPI

/// The store of the pictures of photos: files, or later another store of large objects. The database contains
/// everything else about photos (``PhotoRecords``).
public protocol PhotoStore: Sendable {
    /// Stores both pictures of a photo; they survive a power loss once this returns.
    ///
    /// - Throws: `storageUnavailable`.
    func put(_ photo: ConvertedPhoto, as name: PhotoName) async throws

    /// The number of bytes of a picture; nil if there is none of this name.
    func length(of name: PhotoName, _ size: PhotoSize) async throws -> Int?

    /// At most `count` bytes of a picture from an offset on, in bytes; empty past the end, and if the picture was
    /// removed in the meantime.
    func bytes(of name: PhotoName, _ size: PhotoSize, from offset: Int, atMost count: Int) async throws -> [UInt8]

    /// Deletes the pictures of photos permanently, with all that an interrupted ``put(_:as:)`` left of them. Names
    /// without pictures are ignored.
    func remove(_ names: [PhotoName]) async throws

    /// Calls `body` with all stored names, at most `count` at a time, in any order. A name may come twice.
    func eachNames(atMost count: Int, _ body: ([PhotoName]) async throws -> Void) async throws
}

/// The name under which the pictures of a photo are stored: random, so that it reveals nothing about the photo.
public struct PhotoName: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    public init(using generator: inout some RandomNumberGenerator) {
        self.init(high: generator.next(), low: generator.next())
    }
}

/// A stored picture, a JPEG file, which is read piece by piece: a client that reads slowly costs one piece of memory,
/// not a whole file.
public struct StoredPicture: Sendable {
    private let store: any PhotoStore
    private let name: PhotoName
    private let size: PhotoSize
    /// The number of its bytes.
    public let length: Int

    package init(store: any PhotoStore, name: PhotoName, size: PhotoSize, length: Int) {
        self.store = store
        self.name = name
        self.size = size
        self.length = length
    }

    /// At most `count` bytes from an offset on; none if the photo was removed in the meantime.
    ///
    /// - Throws: `storageUnavailable`.
    public func bytes(from offset: Int, atMost count: Int) async throws -> [UInt8] {
        try await store.bytes(of: name, size, from: offset, atMost: count)
    }
}

/// A photo and the name of its pictures.
public struct StoredPhoto: Hashable, Sendable {
    public let photo: Photo
    public let name: PhotoName

    public init(_ photo: Photo, name: PhotoName) {
        self.photo = photo
        self.name = name
    }
}

/// The two pictures of a photo as they are stored, copied between stores without another look at them.
public struct PhotoPictures: Sendable {
    public let large: [UInt8]
    public let small: [UInt8]

    public init(large: [UInt8], small: [UInt8]) {
        self.large = large
        self.small = small
    }
}

/// Makes the two pictures of a photo from an untrusted file.
public protocol PhotoConverter: Sendable {
    /// - Throws: `photoUnusable`; `storageUnavailable` if nothing can be converted at the moment.
    func convert(_ file: [UInt8]) async throws -> ConvertedPhoto
}
