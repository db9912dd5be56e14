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

    /// The path of the file on every web site (RFC 9116, section 3).
    static let path = "/.well-known/security.txt"

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
