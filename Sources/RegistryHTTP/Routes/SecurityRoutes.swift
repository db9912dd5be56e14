import HTTPTypes
import Hummingbird
import NIOCore
import Registry
import RegistryAPI

/// Whom to tell of a weakness in this registry, as its operator set it.
public struct SecurityContact: Hashable, Sendable {
    /// `mailto:`, `https:` or `tel:` URIs, the preferred one first; at least one.
    let contacts: [String]
    /// A page that says what to expect.
    let policy: String?
    /// How the registry is reached from outside, without a slash at the end.
    let publicURL: String?

    /// - Returns: nil without a contact.
    public init?(contacts: [String], policy: String?, publicURL: String?) {
        guard !contacts.isEmpty else { return nil }
        self.contacts = contacts
        self.policy = policy
        self.publicURL = publicURL
    }

    static let path = "/.well-known/security.txt"

    /// How long a reader may go by the file. “It is RECOMMENDED … less than a year into the future” (RFC 9116,
    /// section 2.5.5).
    private static let lifetime = 90

    /// The file (RFC 9116). It expires at the end of a day, so that it is the same all day.
    func text(at time: Timestamp) -> String {
        let expires = CalendarDate(time).advanced(byDays: Self.lifetime).start
        var lines = contacts.map { "Contact: \($0)" } + ["Expires: \(expires)", "Preferred-Languages: en, de"]
        if let publicURL { lines.append("Canonical: \(publicURL)\(Self.path)") }
        if let policy { lines.append("Policy: \(policy)") }
        return lines.map { $0 + "\n" }.joined()
    }
}

/// The file in which security researchers look first.
struct SecurityRoutes {
    let contact: SecurityContact?
    let clock: WallClock

    static let mediaType = "text/plain"

    func add(to routes: Routes<RegistryContext>) {
        routes.get(SecurityContact.path, answer)
    }

    @Sendable private func answer(_: Request, _: RegistryContext) throws -> Response {
        guard let contact else { throw DomainError.notFound("security contact") }
        return .body(
            ByteBuffer(string: contact.text(at: clock.now)), "\(Self.mediaType); charset=utf-8",
            headers: [.cacheControl: "public, max-age=86400"]
        )
    }
}
