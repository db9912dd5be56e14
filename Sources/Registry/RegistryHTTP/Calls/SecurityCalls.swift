import HTTPTypes
import Hummingbird
import NIOCore
import RegistryAPI
import RegistryRules

/// The contact for reports of vulnerabilities in this registry, as set by its operator.
public struct SecurityContact: Hashable, Sendable {
    /// The contacts: at least one `mailto:`, `https:` or `tel:` URI, the preferred one first.
    let contacts: [String]
    /// A page that describes the handling of reports.
    let policy: String?
    /// The public URL of the registry, without a trailing slash.
    let publicURL: String?

    /// - Returns: nil if there are no contacts.
    public init?(contacts: [String], policy: String?, publicURL: String?) {
        guard !contacts.isEmpty else { return nil }
        self.contacts = contacts
        self.policy = policy
        self.publicURL = publicURL
    }

    fileprivate static let path = "/.well-known/security.txt"

    /// How long the file is valid, in days. “It is RECOMMENDED … less than a year into the future” (RFC 9116,
    /// section 2.5.5).
    private static let lifetime = 90

    /// The content of the file (RFC 9116). It expires at the end of a day, so that it is the same all day.
    func text(at time: Timestamp) -> String {
        let expires = CalendarDate(time).advanced(byDays: Self.lifetime).start
        var lines = contacts.map { "Contact: \($0)" } + ["Expires: \(expires)", "Preferred-Languages: en, de"]
        if let publicURL { lines.append("Canonical: \(publicURL)\(Self.path)") }
        if let policy { lines.append("Policy: \(policy)") }
        return lines.map { $0 + "\n" }.joined()
    }
}

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
