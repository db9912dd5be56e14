/// The links that lead from a chain's end to some of its entries, from the last to the first.
public struct ChainProof: Hashable, Sendable {
    public var links: [ChainLink]

    public init(links: [ChainLink]) { self.links = links }

    /// Which links a proof needs.
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

    /// Why a proof proves nothing.
    public enum Flaw: Error, Hashable, Sendable {
        /// The link does not hash to what the link before it, or the checkpoint, says.
        case broken(index: Int64)
        /// The link is none that the one before it leads to.
        case gap(before: Int64)
    }

    /// The links by their indices, once all are proved to belong to the chain with this end.
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

// As a table with a header line.
extension ChainProof {
    private static let header = "index,commitment,previous,shortcut"

    /// Comma-separated values, lines ended by line feeds.
    public var text: String {
        let rows = links.map { "\($0.index),\($0.commitment),\($0.previous),\($0.shortcut)" }
        return ([Self.header] + rows).map { $0 + "\n" }.joined()
    }

    /// Nil where the text is not exactly one that ``text`` writes.
    public init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.first == Self.header[...], lines.last == "" else { return nil }
        links = []
        for line in lines.dropFirst().dropLast() {
            let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == 4, let index = Int64(cells[0]), index.description == cells[0], index >= 1,
                let commitment = HashValue(cells[1]), let previous = HashValue(cells[2]),
                let shortcut = HashValue(cells[3])
            else { return nil }
            links.append(ChainLink(index: index, commitment: commitment, previous: previous, shortcut: shortcut))
        }
    }
}
