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
    /// How long a cache may keep the file, in seconds: a day, so that a new contact is seen a day later at most. The
    /// file is valid for months, so a copy of yesterday serves too.
    private static let age = 86_400
    private static let noContact = DomainError.notFound("security contact")

    func add(to calls: Calls<RegistryContext>) {
        calls.get(
            SecurityContact.path, "Get the contact for reporting a vulnerability",
            "In the form of RFC 9116; 404 if the operator has not set a contact."
        )
        .refusing(Self.noContact)
        .giving(
            .ok, "The contact, and the date until which it is valid.",
            content: [.opaque(Self.mediaType, .type("string"))]
        )
        .responding { _ in
            guard let contact else { throw Self.noContact }
            return .body(
                ByteBuffer(string: contact.text(at: clock.now)), "\(Self.mediaType); charset=utf-8",
                headers: [.cacheControl: "public, max-age=\(Self.age)"]
            )
        }
    }
}
