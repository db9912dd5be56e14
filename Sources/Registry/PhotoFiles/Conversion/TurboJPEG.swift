import CTurboJPEG
import Photos
import Syntax

/// libjpeg-turbo’s decoder and encoder (https://libjpeg-turbo.org/Documentation). Decode foreign files only within the
/// sandbox.
enum TurboJPEG {
    /// Decodes a photo, already reduced by the decoder if it is much larger than a side of this length in pixels.
    static func decode(_ file: [UInt8], side: Int) throws(PhotoRefusal) -> Picture {
        guard let decoder = tjInitDecompress() else { throw .tooComplex }
        defer { tjDestroy(decoder) }
        var (width, height): (Int32, Int32) = (0, 0)
        // Not used here: the decoder converts the colours.
        var (subsampling, space): (Int32, Int32) = (0, 0)
        let count = UInt(file.count)
        guard tjDecompressHeader3(decoder, file, count, &width, &height, &subsampling, &space) == 0 else {
            throw refusal(of: decoder)
        }
        let scaled = try size(Int(width), Int(height), side)
        var bytes = [UInt8](repeating: 0, count: scaled.width * scaled.height * 3)
        let status = tjDecompress2(
            decoder, file, count, &bytes, Int32(scaled.width), 0, Int32(scaled.height), Int32(TJPF_RGB.rawValue),
            TJFLAG_LIMITSCANS)
        guard status == 0 || isWhole(decoder) else { throw refusal(of: decoder) }
        return Picture(width: scaled.width, height: scaled.height, bytes: bytes)
    }

    /// The smallest size, of those that the decoder can produce, with a longer side of at least `side`; the photo’s own
    /// size if it is smaller.
    private static func size(_ width: Int, _ height: Int, _ side: Int) throws(PhotoRefusal) -> (width: Int, height: Int)
    {
        guard width > 0, height > 0, width <= 65_535, height <= 65_535, width * height <= PhotoLimits.pixels else {
            throw .damaged
        }
        let longer = max(width, height)
        // Eighths are supported by every decoder of the library (tjGetScalingFactors), which rounds up.
        let eighths = (1...8).first { (longer * $0 + 7) / 8 >= side } ?? 8
        return ((width * eighths + 7) / 8, (height * eighths + 7) / 8)
    }

    /// - Parameter quality: 1 to 100, as libjpeg-turbo defines it.
    static func encode(_ picture: Picture, quality: Int32) throws(PhotoRefusal) -> [UInt8] {
        guard let encoder = tjInitCompress() else { throw .tooComplex }
        defer { tjDestroy(encoder) }
        let (width, height) = (Int32(picture.width), Int32(picture.height))
        let subsampling = Int32(TJSAMP_420.rawValue)
        var length = tjBufSize(width, height, subsampling)
        guard length != UInt.max else { throw .tooComplex }
        var file = [UInt8](repeating: 0, count: Int(length))
        let status = file.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            // With NOREALLOC the library writes into this buffer only, which tjBufSize made large enough.
            return tjCompress2(
                encoder, picture.bytes, width, 0, height, Int32(TJPF_RGB.rawValue), &start, &length, subsampling,
                quality, TJFLAG_NOREALLOC)
        }
        guard status == 0, length <= UInt(file.count) else { throw .tooComplex }
        return Array(file.prefix(Int(length)))
    }

    /// Whether the whole picture was decoded, and only meaningless bytes follow it.
    ///
    /// The library keeps the first warning. The warning about these bytes comes last, so the whole picture was read
    /// without another one. With any other warning a part of the picture is missing or wrong.
    private static func isWhole(_ decoder: tjhandle) -> Bool {
        tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue)
            && message(of: decoder).ends(with: "extraneous bytes before marker 0xd9")
    }

    private static func message(of decoder: tjhandle) -> String {
        tjGetErrorStr2(decoder).map { String(cString: $0) } ?? ""
    }

    /// The reason why decoding failed, by the library's English message.
    private static func refusal(of decoder: tjhandle) -> PhotoRefusal {
        let message = message(of: decoder)
        // Without its first letter, which is large or small.
        if message.contains("remature end") || message.contains("empty input") { return .truncated }
        if message.contains("memory") || message.contains("scans") { return .tooComplex }
        return .damaged
    }
}
