/// The code on a bike's sticker, without the code: anyone who reads it can write to the bike's owner.
public struct Sticker: Codable, Hashable, Sendable {
    public var created: Timestamp

    public init(created: Timestamp) { self.created = created }
}

/// Response to `PUT /v1/bikes/{bike}/sticker`. Code and link are shown only once.
public struct StickerCreated: Codable, Hashable, Sendable {
    public var details: Sticker
    /// Twelve characters in three groups. It says nothing about the bike or its owner.
    public var code: String
    /// The page where a finder writes; absent if the registry has no public URL.
    public var link: String?
    /// A page of A4 to print, with the link as a QR code: an SVG document; absent if there is no link.
    public var sheet: String?

    public init(details: Sticker, code: String, link: String?, sheet: String? = nil) {
        self.details = details
        self.code = code
        self.link = link
        self.sheet = sheet
    }
}
