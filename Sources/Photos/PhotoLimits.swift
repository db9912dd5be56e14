/// The limits of photos.
public enum PhotoLimits {
    /// The maximum number of bytes of a file: a phone's photos in their best quality are not larger.
    public static let bytes = 8 << 20
    /// The maximum number of pixels.
    public static let pixels = 50_000_000
    /// The maximum number of pixels of a photo in several scans, which is decoded only once all of it is in memory.
    public static let pixelsInScans = 25_000_000
    /// The maximum number of scans. Cameras and image editors write at most about ten.
    public static let scans = 32

    /// The maximum length of the longer side of the large picture that is made of a photo, and of the small one.
    public static let largeSide = 1600
    public static let smallSide = 400
    /// The maximum number of bytes of both pictures together.
    public static let pictureBytes = 4 << 20
}
