import CCompression

/// Compressed forms of files and of responses.
public enum Compression {
    /// The bytes in Brotli's format (RFC 7932); nil if they do not become smaller.
    static func brotli(_ bytes: [UInt8]) -> [UInt8]? {
        var size = bytes.count
        let compressed = [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
            let isSmaller = BrotliEncoderCompress(
                BROTLI_MAX_QUALITY, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, bytes.count, bytes, &size,
                output.baseAddress)
            count = isSmaller != 0 ? size : 0
        }
        return compressed.isEmpty ? nil : compressed
    }

    /// The bytes in gzip's format (RFC 1952); nil if they do not become smaller.
    static func gzip(_ bytes: [UInt8]) -> [UInt8]? { gzip(bytes, level: Z_BEST_COMPRESSION) }

    /// The bytes in gzip's format, compressed quickly, for content that changes while the program runs; nil if they do not
    /// become smaller.
    public static func quickGzip(_ bytes: [UInt8]) -> [UInt8]? { gzip(bytes, level: Z_BEST_SPEED) }

    private static func gzip(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
        var stream = z_stream()
        guard findmybike_begin_gzip(&stream, level) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var input = bytes
        let compressed = input.withUnsafeMutableBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: input.count) { output, count in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                // If the buffer is too short, the form is not smaller.
                count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? output.count - Int(stream.avail_out) : 0
            }
        }
        return compressed.isEmpty ? nil : compressed
    }
}
