import HTTPTypes
import Hummingbird
import NIOCore
import RegistryAPI
import RegistryRules

/// Limits how many large responses are in memory at a time, since each request makes its own. Otherwise a client that
/// requests hundreds and reads none would fill the memory. Smaller responses cost little more than the request itself.
struct LargeResponses: RouterMiddleware {
    let places: TransferPlaces
    let proxies: TrustedProxies
    /// Whether only JSON is limited, because all other large responses are written in pieces.
    var onlyJSON = true
    /// The length of a response that needs no place, in bytes.
    let free: Int

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        guard request.method == .get, !onlyJSON || response.headers[.contentType] == MediaType.json else {
            return response
        }
        return try await limit(response, for: BodyBudget.Holder(of: request, context, proxies), context)
    }

    /// Gives a response a place if it is large, so that its body is written in pieces and its client's speed counts.
    ///
    /// - Throws: `overloaded`.
    func limit(
        _ response: Response, for holder: @autoclosure () -> BodyBudget.Holder, _ context: RegistryContext
    ) async throws -> Response {
        guard let length = response.body.contentLength, length > free else { return response }
        let connection = context.connection
        let place = try await places.enter(holder()) { connection.close(promise: nil) }
        let body = response.body
        var response = response
        response.body = ResponseBody(contentLength: length) { writer in
            try await body.write(PlacedWriter(writer: writer, place: place, connection: connection))
        }
        return response
    }
}

/// Writes a body in pieces, and counts them for its place.
private struct PlacedWriter: ResponseBodyWriter {
    var writer: any ResponseBodyWriter
    let place: TransferPlaces.Place
    let connection: any NIOCore.Channel

    mutating func write(_ buffer: ByteBuffer) async throws {
        var rest = buffer
        while let piece = rest.readSlice(length: min(responsePiece, rest.readableBytes)), piece.readableBytes > 0 {
            // A copy, because the client may read the last pieces much later, and they must not keep the whole body in
            // memory.
            try await writer.write(ByteBuffer(bytes: piece.readableBytesView), over: connection)
            try place.moved(piece.readableBytes)
        }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try place.finish()
        try await writer.finish(trailingHeaders)
    }
}
