import HTTPTypes
import Hummingbird
import NIOCore
import RegistryRules

/// Files that are made in memory for their reader, such as evidence packs: few at a time, and one for each owner or
/// address.
struct MadeFiles: Sendable {
    /// The places for files in memory.
    let places: TransferPlaces
    let proxies: TrustedProxies

    struct File: Sendable {
        let bytes: [UInt8]
        let mediaType: String
        /// The header fields in addition to those of every file.
        let headers: HTTPFields
    }

    /// A response with a file, which is made once there is a place for it.
    ///
    /// - Throws: `overloaded`, and what `make` throws.
    func respond(
        to request: Request, _ context: OwnerContext, with make: () async throws -> File
    ) async throws -> Response {
        let connection = context.connection
        let place = try await places.enter(BodyBudget.Holder(of: request, context.client, proxies), isKept: true) {
            connection.close(promise: nil)
        }
        let file = try await make()
        return .pieces(
            of: file.bytes.count, file.mediaType, headers: file.headers, over: connection
        ) { offset, count in
            if offset == 0 { place.begin() } else { try place.moved(responsePiece) }
            // A copy, because the client may read the last pieces much later, and they must not keep the whole file in
            // memory.
            return ByteBuffer(bytes: file.bytes[offset..<offset + count])
        } end: {
            try place.finish()
        }
    }
}
