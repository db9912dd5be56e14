import HTTPTypes
import Hummingbird
import NIOCore
import RegistryAPI
import RegistryRules

/// The call for `security.txt`, where security researchers look first.
struct SecurityCalls {
    let contact: SecurityContact?
    let clock: WallClock

    private static let mediaType = "text/plain"

    func add(to calls: Calls<RegistryContext>) {
        calls.get(
            SecurityContact.path, "Get the contact for reporting a vulnerability",
            "In the form of RFC 9116; 404 if the operator has not set a contact."
        )
        .refusing(.notFound("security contact"))
        .giving(
            .ok, "The contact, and the date until which it is valid.",
            content: [.opaque(Self.mediaType, .type("string"))]
        )
        .responding { _ in
            guard let contact else { throw DomainError.notFound("security contact") }
            return .body(
                ByteBuffer(string: contact.text(at: clock.now)), "\(Self.mediaType); charset=utf-8",
                headers: [.cacheControl: "public, max-age=86400"]
            )
        }
    }
}
