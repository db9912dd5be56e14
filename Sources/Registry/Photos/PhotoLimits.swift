/// The limits of photos.
public enum PhotoLimits {
    /// The maximum number of bytes of a file, including the data behind the picture: a camera of 50 megapixels writes
    /// 10 to 20 MB in its best quality.
    public static let bytes = 24 << 20
    /// The maximum number of pixels: a camera of 50 megapixels has up to 8192 × 6144.
    public static let pixels = 50_500_000
    /// The maximum number of pixels of a photo in several scans, which is decoded only once all of it is in memory.
    public static let pixelsInScans = 25_000_000
    /// The maximum number of scans. Cameras and image editors write at most about ten.
    public static let scans = 32
    /// The maximum number of segments: tables, scans and data of applications. Extended XMP of a phone has some
    /// hundred.
    static let segments = 4096
    /// The maximum number of bytes between segments that belong to none.
    static let strays = 1024
    /// The maximum length of a colour profile in bytes. Those of phones and cameras have about 500 bytes to 4 kB.
    static let profileBytes = 128 << 10

    /// The maximum length in pixels of the longer side of the large picture that is made of a photo.
    public static let largeSide = 1600
    /// The same of the small picture.
    public static let smallSide = 400
    /// The maximum number of bytes of both pictures together.
    public static let pictureBytes = 4 << 20
}
