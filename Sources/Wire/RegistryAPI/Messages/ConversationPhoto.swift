/// A photo that a finder added to a conversation. The owner sees it only after a tap, because it is unchecked.
public struct ConversationPhoto: Codable, Hashable, Sendable {
    public var id: PhotoID
    public var time: Timestamp
    /// The size of the large picture in pixels.
    public var width: Int
    public var height: Int

    public init(_ photo: Photo) {
        id = photo.id
        time = photo.created
        width = photo.width
        height = photo.height
    }
}
