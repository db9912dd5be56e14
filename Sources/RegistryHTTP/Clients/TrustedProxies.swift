import HTTPTypes
public import NetworkAddresses

/// The header field in which a proxy states the address of its client.
public enum ForwardingField: String, CaseIterable, Sendable {
    case xForwardedFor = "x-forwarded-for"
    /// `Forwarded` (RFC 7239).
    case forwarded
}

/// The proxies that are trusted to state their clients' addresses.
public struct TrustedProxies: Sendable {
    private let ranges: [AddressRange]
    private let field: ForwardingField

    /// - Parameter field: the only field that is trusted. A proxy passes on the other one as its client wrote it.
    public init(_ ranges: [AddressRange] = [], field: ForwardingField = .xForwardedFor) {
        self.ranges = ranges
        self.field = field
    }

    /// The client of a request: the peer or, behind trusted proxies, the rightmost hop that is not a trusted proxy.
    ///
    /// Each proxy appends the address that it saw, so everything to the left of the first untrusted hop is only the
    /// client's claim. If a hop is not an address (`unknown`, `_hidden`), the proxy that wrote it is returned.
    func client(peer: NetworkAddress?, headers: HTTPFields) -> NetworkAddress? {
        guard var client = peer, isTrusted(client) else { return peer }
        for hop in hops(headers).reversed() {
            guard let address = hop else { break }
            client = address
            if !isTrusted(address) { break }
        }
        return client
    }

    func isTrusted(_ address: NetworkAddress) -> Bool { ranges.contains { $0.contains(address) } }

    private func hops(_ headers: HTTPFields) -> [NetworkAddress?] {
        guard let name = HTTPField.Name(field.rawValue) else { return [] }
        let elements = headers[values: name].flatMap { Self.split($0, at: ",") }
        switch field {
        case .xForwardedFor: return elements.map { Self.address(inNode: $0) }
        case .forwarded: return elements.map { Self.address(inElement: $0) }
        }
    }

    /// The address of `for=…` in `for="[2001:db8::1]:4711";proto=https`.
    private static func address(inElement element: Substring) -> NetworkAddress? {
        for pair in split(element, at: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, trimmed(parts[0]).lowercased() == "for" else { continue }
            var node = trimmed(parts[1])
            if node.count >= 2, node.first == "\"", node.last == "\"" { node = node.dropFirst().dropLast() }
            return address(inNode: node)
        }
        return nil
    }

    /// The address of `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`.
    private static func address(inNode node: Substring) -> NetworkAddress? {
        let node = trimmed(node)
        if node.first == "[" {
            return node.firstIndex(of: "]").flatMap { NetworkAddress(node[node.index(after: node.startIndex)..<$0]) }
        }
        let colons = node.count { $0 == ":" }
        return NetworkAddress(colons == 1 ? node.prefix { $0 != ":" } : node)
    }

    /// Splits a text at separators outside quotes.
    private static func split(_ text: some StringProtocol, at separator: Character) -> [Substring] {
        var isQuoted = false
        return Substring(text).split(omittingEmptySubsequences: true) { character in
            if character == "\"" { isQuoted.toggle() }
            return character == separator && !isQuoted
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
