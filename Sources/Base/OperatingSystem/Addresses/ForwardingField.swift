import Syntax

/// The header field in which a proxy states the address of its client.
public enum ForwardingField: String, CaseIterable, Sendable {
    /// A list of addresses. It has no standard, and no quotes.
    case xForwardedFor = "x-forwarded-for"
    /// `Forwarded` (RFC 7239).
    case forwarded

    /// The client of a request that a trusted proxy passed on: the rightmost hop that is not a trusted proxy.
    ///
    /// Each proxy appends the address that it saw, so everything to the left of the first untrusted hop is only the
    /// client's claim. Its syntax must not matter, so the value is read from the right, and no further than needed. If
    /// a hop is not an address (`unknown`, `_hidden`), the proxy that wrote it is returned.
    ///
    /// - Parameters:
    ///   - proxy: the trusted proxy that sent the request.
    ///   - value: the field's value; the values of several fields in their order, with commas between them.
    ///   - isTrusted: whether an address is that of a trusted proxy.
    public func client(
        behind proxy: NetworkAddress, _ value: String, isTrusted: (NetworkAddress) -> Bool
    ) -> NetworkAddress {
        var client = proxy
        var rest: Substring? = value[...]
        while let element = popLast(&rest)?.trimming(scalars: \.isBlank) {
            guard let address = self == .forwarded ? Self.address(inElement: element) : NetworkAddress(node: element)
            else { break }
            client = address
            if !isTrusted(address) { break }
        }
        return client
    }

    /// Takes the last element off a list; nil if none is left. An element whose quotes do not match has no beginning.
    private func popLast(_ rest: inout Substring?) -> Substring? {
        guard let text = rest else { return nil }
        guard let comma = self == .forwarded ? Self.lastUnquotedComma(in: text.utf8) : text.utf8.lastIndex(of: .comma)
        else {
            rest = nil
            return text
        }
        rest = text[..<comma]
        return text[text.utf8.index(after: comma)...]
    }

    /// The last comma outside quotes, found from the right: the text to its left may be malformed.
    private static func lastUnquotedComma(in text: Substring.UTF8View) -> Substring.Index? {
        var isQuoted = false
        var index = text.endIndex
        while index > text.startIndex {
            index = text.index(before: index)
            switch text[index] {
            case .comma where !isQuoted: return index
            case .quote where !isQuoted: isQuoted = true
            case .quote:
                // Within quotes, a backslash before a quote makes the quote a part of the text, unless another
                // backslash escapes that backslash.
                let backslashes = text[..<index].reversed().prefix { $0 == .backslash }
                if backslashes.count.isMultiple(of: 2) { isQuoted = false }
            default: break
            }
        }
        return nil
    }

    /// The address of `for=…` in `for="[2001:db8::1]:4711";proto=https`; nil if there is none, or several.
    private static func address(inElement element: Substring) -> NetworkAddress? {
        var (isQuoted, isEscaped) = (false, false)
        let pairs = element.parts(betweenScalars: { scalar in
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = scalar == "\\" && isQuoted && !isEscaped
            return scalar == ";" && !isQuoted
        })
        let nodes = pairs.compactMap { pair -> Substring? in
            let parts = pair.split(at: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimming(scalars: \.isBlank) }
            guard parts.count == 2, parts[0].lowercased() == "for" else { return nil }
            return parts[1].dropping(prefix: "\"")?.dropping(suffix: "\"") ?? parts[1]
        }
        return nodes.count == 1 ? NetworkAddress(node: nodes[0]) : nil
    }
}

extension NetworkAddress {
    /// Parses `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`, and nothing else.
    fileprivate init?(node: Substring) {
        if let address = NetworkAddress(node) ?? NetworkAddress(inURL: node) {
            self = address
            return
        }
        guard let colon = node.utf8.lastIndex(of: UInt8(ascii: ":")),
            UInt16(digits: node[node.utf8.index(after: colon)...]) != nil,
            let address = NetworkAddress(inURL: node[..<colon])
        else { return nil }
        self = address
    }
}

extension UInt8 {
    fileprivate static let comma = UInt8(ascii: ",")
    fileprivate static let quote = UInt8(ascii: "\"")
    fileprivate static let backslash = UInt8(ascii: "\\")
}
