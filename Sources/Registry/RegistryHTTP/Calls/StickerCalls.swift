import HTTPTypes
import Hummingbird
import NIOCore
import Operations
import RegistryAPI
import RegistryRules
import StickerSheets

/// The call for the QR code on a poster.
struct StickerCalls {
    let operations: RegistryOperations

    private static let mediaType = "image/svg+xml"

    func add(to calls: Calls<RegistryContext>) {
        calls.get(
            "/v1/stickers/:code/picture", "Get the QR code of a sticker’s address",
            "The same for a code that was never given. 404 if it cannot be a code, or the registry has no public URL."
        )
        .with(.stickerCode).refusing(.notFound("sticker"))
        .giving(.ok, "The picture.", content: [.opaque(Self.mediaType, .type("string"))])
        .responding { request in
            let typed = request.context.parameters.get("code") ?? ""
            guard let url = operations.publicURL, let code = StickerCode(typed: typed),
                let picture = QRCode("\(url)\(FinderCalls.form)/\(code.text)")
            else { throw DomainError.notFound("sticker") }
            return .body(
                ByteBuffer(string: picture.svg), Self.mediaType, headers: [.cacheControl: "private, max-age=86400"])
        }
    }
}
