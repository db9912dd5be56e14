package import Beacons
package import MissingList
package import RegistryAPI
package import RegistryRules

/// Other registries whose stations search for this registry’s bikes. A parameter of type `Int64` is a partner’s key
/// (``ActivePartner/key``).
extension RegistryStore {
    /// Adds an invitation that another registry can accept.
    ///
    /// - Throws: `partnersFull`.
    public func addPartnerInvitation(_ invitation: NewPartnerInvitation) async throws {
        try await write { try Partners($0).invite(invitation) }
    }

    /// Makes an invitation a partnership, or renews the one that the code was made for.
    ///
    /// - Throws: `codeUnusable`; `invalidFields` if the address or the key is that of another partner.
    public func joinPartner(code: SecretDigest, _ terms: PartnerTerms, at time: Timestamp) async throws {
        try await write { try Partners($0).join(code: code, terms, at: time) }
    }

    /// Ends a partner's token, and lets the partner get a new one by a code.
    ///
    /// - Throws: `notFound`.
    public func askPartnerToRenew(_ renewal: PartnerRenewal) async throws {
        try await write { try Partners($0).askToRenew(renewal) }
    }

    /// Checks, before an invitation is accepted, that the registry at this address may become a partner.
    ///
    /// - Throws: `partnersFull`.
    public func requirePartnerRoom(for url: String, at time: Timestamp) async throws {
        try await write { try Partners($0).requireRoom(for: url, at: time) }
    }

    /// Adds the registry whose invitation was accepted, or renews the partnership with it.
    ///
    /// - Returns: the partner's identifier, which is that of the invitation if the registry was no partner before.
    /// - Throws: `partnersFull`; `invalidFields` if the address is that of another partner.
    @discardableResult
    public func addPartner(_ invitation: NewPartnerInvitation, _ terms: PartnerTerms) async throws -> PartnerID {
        try await write { try Partners($0).add(invitation, terms) }
    }

    /// All partners and open invitations, in the order of their creation.
    public func partners(
        _ page: PageRequest<PartnerID>, at time: Timestamp
    ) async throws -> StoredPage<Partner, PartnerID> {
        try await read { try Partners($0).page(page, at: time) }
    }

    /// A partner, or an open invitation.
    ///
    /// - Throws: `notFound`.
    public func partner(_ id: PartnerID, at time: Timestamp) async throws -> Partner {
        try await read { try Partners($0).find(id, at: time) }
    }

    /// Renames, limits, suspends or resumes a partner, or pins a key of it. Suspended, it has no access, and its list is
    /// not searched for.
    ///
    /// - Parameter quarantineSince: its sightings last heard at this time or later are not trusted; nil changes nothing.
    /// - Throws: `notFound`, `invalidFields`.
    public func changePartner(
        _ id: PartnerID, _ patch: PartnerPatch, quarantineSince: Timestamp?, by principal: Principal,
        at time: Timestamp
    ) async throws -> Partner {
        try await write {
            try Partners($0).change(id, patch, quarantineSince: quarantineSince, by: principal, at: time)
        }
    }

    /// Ends a partnership, or cancels an invitation. Sightings of the partner's stations stay.
    ///
    /// - Throws: `notFound`.
    public func removePartner(
        _ id: PartnerID, quarantineSince: Timestamp?, by principal: Principal, at time: Timestamp
    ) async throws {
        try await write { try Partners($0).remove(id, quarantineSince: quarantineSince, by: principal, at: time) }
    }

    /// The partners that are neither suspended nor removed.
    public func activePartners() async throws -> [ActivePartner] { try await read { try Partners($0).active() } }

    /// A partner that is neither suspended nor removed.
    ///
    /// - Throws: `notFound`.
    public func activePartner(_ id: PartnerID) async throws -> ActivePartner {
        try await read { try Partners($0).active(id) }
    }

    /// Records when a partner first used its token: its code cannot be used again.
    public func noteUse(ofPartner key: Int64, at time: Timestamp) async throws {
        try await write { try Partners($0).noteUse(of: key, at: time) }
    }

    /// Counts visits of a partner against its limit for an hour.
    ///
    /// - Throws: `tooManyPartnerVisits`.
    public func admit(_ visits: Int, ofPartner key: Int64, at time: Timestamp) async throws {
        try await write { try Partners($0).admit(visits, of: key, at: time) }
    }

    /// Lets one process at a time read a partner’s list.
    ///
    /// - Parameters:
    ///   - reader: a random number of the process.
    ///   - end: when another process may read the list.
    /// - Returns: whether this process may read it.
    public func leasePartnerList(
        _ key: Int64, to reader: Int64, until end: Timestamp, at time: Timestamp
    ) async throws -> Bool {
        try await write { try Partners($0).lease(key, to: reader, until: end, at: time) }
    }

    /// The stored list of a partner; nil if none is.
    public func partnerList(of key: Int64) async throws -> MissingIdentities? {
        try await readAtLength { try PartnerLists($0).list(of: key) }
    }

    /// Stores a partner’s list: the stations’ list gets a new version in the same transaction.
    ///
    /// - Parameters:
    ///   - base: the stored version that the caller knows; nil if none is stored.
    ///   - changes: what leads from that version to the new list.
    /// - Returns: false if nothing changed, because another version is stored, the partner is not active, or the lists
    ///   of all partners would be too long.
    public func replacePartnerList(
        _ base: ListVersion?, with list: MissingIdentities, _ changes: HashChanges, of key: Int64, at time: Timestamp
    ) async throws -> Bool {
        try await write { try PartnerLists($0).replace(base, with: list, changes, of: key, at: time) }
    }

    /// Notes that a partner has confirmed its list, or why it could not be read.
    public func noteListCheck(ofPartner key: Int64, failure: String?, at time: Timestamp) async throws {
        try await write { try PartnerLists($0).noteCheck(of: key, failure: failure, at: time) }
    }

    /// The own missing list for partners.
    ///
    /// - Parameter version: what the caller has; nil for the whole list.
    package func sharedList(since version: ListVersion?) async throws -> SharedListState {
        try await readAtLength { db in
            let journal = MissingListJournal(db)
            let withheld = try SharedList(db).withheld()
            guard let version else { return SharedListState(own: .all(try journal.list()), withheld: withheld) }
            guard try journal.version() != version else { return SharedListState(own: .unchanged, withheld: withheld) }
            guard let changes = try journal.changes(since: version, upTo: nil) else {
                return SharedListState(own: .all(try journal.list()), withheld: withheld)
            }
            return SharedListState(own: .changes(changes), withheld: withheld)
        }
    }

    /// Claims the visits that are due for a partner, for one attempt.
    ///
    /// - Parameter lease: when the visits are due again if the attempt is interrupted.
    public func claimForwards(
        for partner: Int64, limit: Int, at time: Timestamp, leaseUntil lease: Timestamp
    ) async throws -> [WaitingForward] {
        guard try await read({ try PartnerOutbox($0).hasDue(for: partner, at: time) }) else { return [] }
        return try await write { try PartnerOutbox($0).claim(for: partner, limit: limit, at: time, leaseUntil: lease) }
    }

    /// Deletes the visits that a partner has answered. Those that it calls invalid wait.
    public func settleForwards(
        _ answers: [(forward: WaitingForward, result: VisitResult.Verdict)], of partner: Int64, at time: Timestamp
    ) async throws {
        try await write { try PartnerOutbox($0).settle(answers, of: partner, at: time) }
    }

    /// Makes visits wait for another attempt.
    public func postponeForwards(
        _ forwards: [WaitingForward], of partner: Int64, until due: Timestamp, failure: String
    ) async throws {
        try await write { try PartnerOutbox($0).postpone(forwards, of: partner, until: due, failure: failure) }
    }

    /// Whether each visit is by a bike that was missing then, and for which partners' stations may search.
    public func areWanted(_ visits: [Visit]) async throws -> [Bool] {
        try await read { try PartnerStations($0).areWanted(visits) }
    }

    /// Stores a partner's stations, and returns their identifiers by their pseudonyms.
    ///
    /// - Throws: `notFound` if the partner was suspended or removed meanwhile.
    public func preparePartnerStations(
        _ stations: [ForwardingStation], of partner: ActivePartner, at time: Timestamp, using entropy: Entropy
    ) async throws -> [StationID: StationID] {
        try await write { try PartnerStations($0).prepare(stations, of: partner, at: time, using: entropy) }
    }
}

/// What partners get of the missing list, from one snapshot.
package struct SharedListState: Sendable {
    /// This registry’s list, as far as the caller does not have it.
    package enum Own: Sendable {
        case unchanged
        case changes(MissingListChanges)
        case all(MissingListSnapshot)
    }

    package let own: Own
    /// The listed identities that partners do not get.
    package let withheld: Set<BeaconIdentity>
}
