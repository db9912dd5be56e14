import Syntax

/// The links that lead from the end of a chain to some of its entries, last entry first.
public struct ChainProof: Hashable, Sendable {
    public var links: [ChainLink]

    public init(links: [ChainLink]) { self.links = links }

    /// The indices of the links that a proof needs.
    ///
    /// - Parameters:
    ///   - entries: indices of entries, in any order, none after the end.
    ///   - end: the index of the chain's last entry.
    public static func indices(to entries: some Sequence<Int64>, from end: Int64) -> [Int64] {
        var path = end > 0 ? [end] : []
        var current = end
        for entry in Set(entries).sorted(by: >) where entry >= 1 && entry <= end {
            while current > entry {
                let shortcut = AuditChain.shortcut(from: current)
                current = shortcut >= entry ? shortcut : current - 1
                path.append(current)
            }
        }
        return path
    }

    /// The reason why a proof is invalid.
    public enum Flaw: Error, Hashable, Sendable {
        /// The hash of the link differs from the one in the link before it, or in the checkpoint.
        case broken(index: Int64)
        /// The link is neither the previous entry nor the shortcut of the link before it, whose index is given.
        case gap(before: Int64)
    }

    /// The links by index, after verifying that all of them belong to the chain with this end.
    ///
    /// - Parameters:
    ///   - end: the index of the chain's last entry.
    ///   - hash: the chain hash of that entry, which is trusted.
    public func verified(endingAt end: Int64, _ hash: HashValue) throws(Flaw) -> [Int64: ChainLink] {
        var proved: [Int64: ChainLink] = [:]
        var expected: HashValue? = hash
        var before: ChainLink?
        for link in links {
            if let before {
                expected = before.hash(at: link.index)
            } else if link.index != end {
                expected = nil
            }
            guard let expected, link.index >= 1 else { throw .gap(before: before?.index ?? end) }
            guard link.hash == expected else { throw .broken(index: link.index) }
            proved[link.index] = link
            before = link
        }
        return proved
    }
}

// The proof as a table with a header line.
extension ChainProof {
    private static let header = "index,commitment,previous,shortcut"

    /// The links as comma-separated values; lines end with line feeds.
    public var text: String {
        let rows = links.map { "\($0.index),\($0.commitment),\($0.previous),\($0.shortcut)" }
        return ([Self.header] + rows).map { $0 + "\n" }.joined()
    }

    /// Parses a table; nil unless the text is exactly what ``text`` would write.
    public init?(_ text: String) {
        let lines = text.split(at: "\n", omittingEmptySubsequences: false)
        guard lines.first == Self.header[...], lines.last == "" else { return nil }
        links = []
        for line in lines.dropFirst().dropLast() {
            let cells = line.split(at: ",", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == 4, let index = Int64(cells[0]), index.description == cells[0], index >= 1,
                let commitment = HashValue(cells[1]), let previous = HashValue(cells[2]),
                let shortcut = HashValue(cells[3])
            else { return nil }
            links.append(ChainLink(index: index, commitment: commitment, previous: previous, shortcut: shortcut))
        }
    }
}
