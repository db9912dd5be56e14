import Foundation

/// Checks the URL of a webhook before anything is sent to it.
///
/// Names are not resolved here: the resulting address is checked at each delivery, on the connected socket.
struct WebhookAddress {
    /// Whether plain `http` is allowed. Addresses of a private network are refused elsewhere, at the delivery.
    let allowPrivateAddresses: Bool

    /// The reason why a URL is refused, and what would be valid; nil if it may be used.
    func refusal(of url: String) -> String? {
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return "must consist of ASCII characters; percent-encode others, and write host names as xn--…"
        }
        guard let components = URLComponents(string: url), let scheme = components.scheme?.lowercased(),
            let host = components.host, !host.isEmpty
        else { return "must be an absolute URL as in https://example.org/hook" }
        guard scheme == "https" || scheme == "http" && allowPrivateAddresses else {
            return "must begin with https://"
        }
        guard components.user == nil, components.password == nil else {
            return "must not contain a user name or a password; put a secret into the path"
        }
        guard components.fragment == nil else { return "must not contain a fragment (#…); leave it out" }
        guard (1...65_535).contains(components.port ?? 443) else { return "must have a port from 1 to 65535" }
        return nil
    }
}
