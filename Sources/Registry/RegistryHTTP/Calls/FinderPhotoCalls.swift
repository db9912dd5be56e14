import HTTPTypes
import Hummingbird
import NIOCore
import Operations
import Photos
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The photos that finders add to conversations, for both sides and for the operator.
struct FinderPhotoCalls {
    let operations: RegistryOperations
    let store: any RegistryStore
    let proxies: TrustedProxies

    func add(to calls: Calls<RegistryContext>) {
        let path = FinderCalls.messages + "/:secret/photos"
        calls.post(
            path, "Add a photo to a finder’s conversation",
            """
            The body is a JPEG file of up to \(MessageRules.photoFile >> 20) MB. The owner sees it without data of camera \
            or place. A conversation has up to \(MessageRules.photos) photos, and \(MessageRules.photosPerNetwork) a day \
            can be added from one network. The response is the same whether or not the conversation belongs to a bike.
            """
        )
        .limited(.messages).with(.conversationSecret)
        .taking(body: .finderPhoto, upTo: MessageRules.photoFile) { request, _ in
            guard request.headers.mediaType == MediaType.jpeg else { throw RequestError.notPhoto }
            return try await request.bytes()
        }
        .refusing(request: .notPhoto)
        .refusing(.notFound("conversation"), .photoUnusable(.truncated), .message(.ended), .message(.tooManyPhotos))
        .refusing(.overloaded)
        .answering(Example.conversationPhoto, "The photo.", status: .created) { request in
            let network = proxies.network(peer: request.context.peer, headers: request.http.headers)
            return try await operations.addPhoto(
                request.body, in: try Self.secret(of: request), from: network)
        }

        calls.get(path + "/:photo", "Get a picture of a photo of a finder’s conversation")
            .with(.conversationSecret, .photoSize).givingPicture([])
            .responding { request in
                let photo: PhotoID = try request.id("photo")
                return try await picture(
                    request.http, try await store.photo(photo, in: try Self.secret(of: request).digest),
                    over: request.context.connection)
            }
    }

    func add(to calls: Calls<OwnerContext>) {
        calls.get(
            "/v1/bikes/:bike/conversations/:conversation/photos/:photo", .read,
            "Get a picture of a photo that a finder added", "Nobody has checked it. Needs the role `report`."
        )
        .needing(.report).with(.photoSize).givingPicture([])
        .responding { request in
            let photo: PhotoID = try request.id("photo")
            let stored = try await store.photo(
                photo, in: try request.id("conversation"), of: try request.id("bike"), by: request.owner)
            return try await picture(request.http, stored, over: request.context.connection)
        }
    }

    func add(to calls: Calls<OperatorContext>) {
        calls.get(
            "/v1/reported-conversations/:conversation/photos/:photo", "Get a picture of a reported conversation"
        )
        .with(.photoSize).givingPicture([])
        .responding { request in
            let photo: PhotoID = try request.id("photo")
            let stored = try await store.reportedPhoto(photo, in: try request.id("conversation"))
            return try await picture(request.http, stored, over: request.context.client.connection)
        }
    }

    private func picture(
        _ request: Request, _ photo: StoredPhoto, over connection: any NIOCore.Channel
    ) async throws -> Response {
        .picture(try await operations.picture(try request.photoSize, of: photo), headers: [:], over: connection)
    }

    private static func secret(of request: CallRequest<RegistryContext, some Sendable>) throws -> ConversationSecret {
        guard let secret = request.context.conversationSecret else { throw DomainError.notFound("conversation") }
        return secret
    }
}

extension RegistryContext {
    /// The secret in the path; nil if it cannot be one.
    var conversationSecret: ConversationSecret? { parameters.get("secret").flatMap { ConversationSecret($0) } }
}

extension Call.Body {
    fileprivate static var finderPhoto: Call.Body {
        Call.Body(name: "FinderPhotoFile", mediaTypes: [MediaType.jpeg], presence: .required, schema: { _ in .binary })
    }
}
