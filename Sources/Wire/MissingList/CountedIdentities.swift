public import Beacons

/// The missing list at a registry, which knows how many identities share a hash: the hash stays listed until the last of
/// them is removed.
public struct CountedIdentities: Sendable {
    /// The list that stations get.
    public let list: MissingIdentities
    /// The number of identities with the same hash, only for hashes with more than one.
    private let sharing: [TruncatedHash: Int]

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - identities: identities in any order.
    ///   - others: the lists of partner registries, whose hashes are on the list, too.
    public init(version: ListVersion, identities: [BeaconIdentity], others: [TruncatedHashes] = []) {
        var hashes = identities.map { TruncatedHash(of: $0) }
        for other in others { hashes += other }
        hashes.sort()
        var sharing: [TruncatedHash: Int] = [:]
        for (hash, next) in zip(hashes, hashes.dropFirst()) where hash == next { sharing[hash, default: 1] += 1 }
        self.init(MissingIdentities(version: version, hashes: TruncatedHashes(hashes)), sharing: sharing)
    }

    private init(_ list: MissingIdentities, sharing: [TruncatedHash: Int]) {
        self.list = list
        self.sharing = sharing
    }

    /// A later version, with the changes that lead to it from this one; nil if an identity is to be removed that is not
    /// listed.
    ///
    /// - Parameters:
    ///   - removed: listed identities, each once, in any order.
    ///   - added: identities that are not listed, each once, in any order.
    ///   - others: what left and joined the lists of partner registries, in any order.
    public func changed(
        to version: ListVersion, removing removed: [BeaconIdentity], adding added: [BeaconIdentity],
        others: HashChanges = HashChanges()
    ) -> (list: CountedIdentities, delta: ListDelta)? {
        var sharing = sharing
        var change = HashChanges()
        for (hash, difference) in Self.differences(removed: removed, added: added, others) {
            let before = count(of: hash)
            let after = before + difference
            guard after >= 0 else { return nil }
            if before > 1 || after > 1 { sharing[hash] = after > 1 ? after : nil }
            change.note(hash, before: before, after: after)
        }
        guard let changed = try? list.changed(to: version, removing: change.removed, adding: change.added) else {
            return nil
        }
        let delta = ListDelta(to: changed, from: list.version, removed: change.removed, added: change.added)
        return (CountedIdentities(changed, sharing: sharing), delta)
    }

    /// The delta that led to this version from an earlier one.
    ///
    /// - Parameters:
    ///   - removed: the identities that are no longer listed, each once, in any order.
    ///   - added: those that are newly listed, each once, in any order.
    ///   - others: what left and joined the lists of partner registries, in any order.
    public func delta(
        from base: ListVersion, removed: [BeaconIdentity], added: [BeaconIdentity],
        others: HashChanges = HashChanges()
    ) -> ListDelta {
        var change = HashChanges()
        for (hash, difference) in Self.differences(removed: removed, added: added, others) {
            let after = count(of: hash)
            let before = after - difference
            change.note(hash, before: before, after: after)
        }
        return ListDelta(to: list, from: base, removed: change.removed, added: change.added)
    }

    /// The number of identities with a hash.
    private func count(of hash: TruncatedHash) -> Int { sharing[hash] ?? (list.hashes.contains(hash) ? 1 : 0) }

    /// The changes in the numbers of identities with a hash, by ascending hashes. They are sorted, because a refresh of
    /// ten thousand rotating beacons changes 420,000 identities, which takes longer with a dictionary.
    private static func differences(
        removed: [BeaconIdentity], added: [BeaconIdentity], _ others: HashChanges
    ) -> [(hash: TruncatedHash, difference: Int)] {
        var changes = removed.map { (hash: TruncatedHash(of: $0), difference: -1) }
        changes += added.map { (hash: TruncatedHash(of: $0), difference: 1) }
        changes += others.removed.map { (hash: $0, difference: -1) }
        changes += others.added.map { (hash: $0, difference: 1) }
        changes.sort { $0.hash < $1.hash }
        var differences: [(hash: TruncatedHash, difference: Int)] = []
        differences.reserveCapacity(changes.count)
        for change in changes {
            if let last = differences.last, last.hash == change.hash {
                differences[differences.endIndex - 1].difference += change.difference
            } else {
                differences.append(change)
            }
        }
        return differences
    }
}

extension HashChanges {
    /// Adds a hash that leaves or joins the list because the number of identities with it changes.
    fileprivate mutating func note(_ hash: TruncatedHash, before: Int, after: Int) {
        if before == 0, after > 0 { added.append(hash) }
        if before > 0, after == 0 { removed.append(hash) }
    }
}
