import HTTPTypes
import Hummingbird
import NIOCore
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The number of bytes that a response in pieces writes at a time. A response whose client reads nothing costs two
/// pieces: one in the connection's buffer, and one that waits for room there.
let responsePiece = 32 << 10

extension Response {
    /// A response of known length that is written piece by piece. Each piece is made when the client has read the one
    /// before the last.
    ///
    /// - Parameters:
    ///   - length: the number of bytes of the whole body.
    ///   - connection: the connection or stream of the response.
    ///   - piece: makes at most `count` bytes from an offset on. If it throws or makes none, the connection or stream
    ///     ends: the client sees that bytes are missing.
    ///   - end: called once the last piece was written. If it throws, the connection or stream ends, too.
    static func pieces(
        of length: Int, _ mediaType: String, headers: HTTPFields, over connection: any NIOCore.Channel,
        _ piece: @escaping @Sendable (_ offset: Int, _ count: Int) async throws -> ByteBuffer,
        end: @escaping @Sendable () throws -> Void = {}
    ) -> Response {
        let body = ResponseBody(contentLength: length) { writer in
            var offset = 0
            while offset < length {
                let bytes = try await piece(offset, min(responsePiece, length - offset))
                guard bytes.readableBytes > 0 else { throw ResponseCut() }
                try await writer.write(bytes, over: connection)
                offset += bytes.readableBytes
            }
            try end()
            try await writer.finish(nil)
        }
        var headers = headers
        headers[.contentType] = mediaType
        if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// A picture, read from its store piece by piece.
    static func picture(_ picture: StoredPicture, headers: HTTPFields, over connection: any NIOCore.Channel) -> Response
    {
        pieces(of: picture.length, MediaType.jpeg, headers: headers, over: connection) { offset, count in
            ByteBuffer(bytes: try await picture.bytes(from: offset, atMost: count))
        }
    }
}

extension ResponseBodyWriter {
    /// Writes a part of a body, and returns when the connection or stream knows whether it has room for another one: if
    /// not, the next write waits.
    ///
    /// NIO's writer passes a part on to the event loop, where it would learn that the buffers are full, but does not
    /// wait for that. So a whole file would pile up there while the event loop is busy.
    mutating func write(_ part: ByteBuffer, over connection: any NIOCore.Channel) async throws {
        try await write(part)
        try await connection.eventLoop.submit {}.get()
    }
}

/// The end of a response whose file was removed meanwhile.
private struct ResponseCut: Error {}
