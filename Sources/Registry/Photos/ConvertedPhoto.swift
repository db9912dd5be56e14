/// The two upright pictures, JPEG files without any metadata, that are made of a photo.
public struct ConvertedPhoto: Hashable, Sendable {
    /// The width of the large picture in pixels.
    public let width: Int
    /// The height of the large picture in pixels.
    public let height: Int
    /// The file of the picture with a longer side of at most ``PhotoLimits/largeSide``.
    public let large: [UInt8]
    /// The file of the picture with a longer side of at most ``PhotoLimits/smallSide``.
    public let small: [UInt8]

    /// Checks pictures from a less trusted process; nil unless they are valid, of the right size, and without metadata.
    public init?(large: [UInt8], small: [UInt8]) {
        guard let header = try? JPEGHeader(large), Self.fits(header, PhotoLimits.largeSide),
            let smallHeader = try? JPEGHeader(small), Self.fits(smallHeader, PhotoLimits.smallSide),
            large.count + small.count <= PhotoLimits.pictureBytes
        else { return nil }
        (width, height) = (header.width, header.height)
        self.large = large
        self.small = small
    }

    private static func fits(_ header: JPEGHeader, _ side: Int) -> Bool {
        !header.hasMetadata && max(header.width, header.height) <= side
    }
}
