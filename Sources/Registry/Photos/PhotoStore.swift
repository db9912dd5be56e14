public import Photos
public import RegistryAPI

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

/// The store of the pictures of photos: files, or later another store of large objects. The database contains
/// everything else about photos (``PhotoRecords``).
public protocol PhotoStore: Sendable {
    /// Stores both pictures of a photo; they survive a power loss once this returns.
    ///
    /// - Throws: `storageUnavailable`.
    func put(_ photo: ConvertedPhoto, as name: PhotoName) async throws

    /// One picture; nil if there is none of this name.
    func picture(of name: PhotoName, _ size: PhotoSize) async throws -> [UInt8]?

    /// Deletes the pictures of photos for good, and whatever an interrupted ``put(_:as:)`` left of them. Names without
    /// pictures are ignored.
    func remove(_ names: [PhotoName]) async throws

    /// Passes on all names under which something is stored, some at a time, in any order. A name may come twice.
    func eachNames(atMost count: Int, _ body: ([PhotoName]) async throws -> Void) async throws
}

/// Makes the two pictures of a photo out of a file that anyone may have made.
public protocol PhotoConverter: Sendable {
    /// - Throws: `photoUnusable`; `storageUnavailable` if nothing can be converted at the moment.
    func convert(_ file: [UInt8]) async throws -> ConvertedPhoto
}
