public import RegistryAPI

/// A photo and the name of its pictures.
public struct StoredPhoto: Hashable, Sendable {
    public let photo: Photo
    public let name: PhotoName

    public init(_ photo: Photo, name: PhotoName) {
        self.photo = photo
        self.name = name
    }
}
