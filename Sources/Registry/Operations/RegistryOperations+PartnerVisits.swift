import Evidence
package import RegistryAPI
import RegistryRules
import RegistrySQL

// What a partner's stations heard.
extension RegistryOperations {
    /// Records the visits that a partner forwards, each separately.
    ///
    /// A signature of a key that is not pinned refuses the whole batch: its visits wait at the partner until an
    /// operator has pinned the key, or stopped the partner.
    ///
    /// - Throws: `tooManyPartnerVisits`, `invalidFields`; `notFound` if the partner was suspended meanwhile.
    package func receive(_ batch: ForwardedBatch, from id: PartnerID) async throws -> VisitBatchResult {
        let now = clock.now
        let partner = try await callingPartner(id)
        try await store.admit(batch.visits.count, ofPartner: partner.key, at: now)
        let verified = try verifiedVisits(of: batch, from: partner)
        // A visit that is not recorded below is ignored.
        var results = verified.map { VisitResult(id: $0.forwarded.visit.id, result: .ignored) }
        let wanted = try await store.areWanted(verified.map(\.forwarded.visit))
        let accepted = zip(verified, wanted).filter(\.1).map(\.0)
        guard !accepted.isEmpty else { return VisitBatchResult(results: results) }
        let stations = try await store.preparePartnerStations(
            accepted.map(\.forwarded.station), of: partner, at: now, using: entropy)
        var arrived: [(indices: [Int], batch: ArrivedBatch)] = []
        for (pseudonym, visits) in Dictionary(grouping: accepted, by: \.forwarded.station.id) {
            guard let station = stations[pseudonym] else { continue }
            let batch = try await datedBatch(
                of: VisitBatchReading(visits.map(\.forwarded.visit)), by: station, signed: visits.map(\.signed))
            arrived.append((visits.map(\.index), batch))
        }
        for start in stride(from: 0, to: arrived.count, by: PartnerRules.mostStationsTogether) {
            let part = arrived[start...].prefix(PartnerRules.mostStationsTogether)
            let recorded = try await store.record(part.map { $0.batch.request })
            for ((indices, batch), outcome) in zip(part, recorded) {
                let answers = try result(of: batch, try outcome.get(), at: indices).results
                for (index, answer) in zip(indices, answers) { results[index] = answer }
            }
        }
        return VisitBatchResult(results: results)
    }

    /// A visit of a batch whose signature is that of a pinned key.
    private struct VerifiedVisit {
        /// The place of the visit in the batch.
        let index: Int
        let forwarded: ForwardedVisit
        let signed: SignedReport
    }

    /// The visits of a batch, in their order.
    ///
    /// - Throws: `invalidFields` if one of them is not signed by the partner, or not meant for this registry.
    private func verifiedVisits(of batch: ForwardedBatch, from partner: ActivePartner) throws -> [VerifiedVisit] {
        let own = Set(try requiredKeyring().keys.map(\.fingerprint))
        let pinned = partner.publicKeys.compactMap { PublicKey(pem: $0) }
        return try batch.visits.enumerated().map { index, signed in
            let (forwarded, key) = try Self.read(signed, at: index, pinned: pinned, own: own)
            let report = SignedReport(signed, key: "\(key.fingerprint)", visit: forwarded.visit)
            return VerifiedVisit(index: index, forwarded: forwarded, signed: report)
        }
    }

    /// Reads a signed statement; also returns the pinned key that has signed it.
    ///
    /// - Parameter own: the fingerprints of this registry's keys, one of which the statement must name.
    private static func read(
        _ signed: SignedVisit, at index: Int, pinned: [PublicKey], own: Set<String>
    ) throws -> (ForwardedVisit, PublicKey) {
        guard signed.statement.utf8.count <= SignedVisit.longest else {
            throw DomainError.invalidField("/visits/\(index)/statement", "is too long")
        }
        guard let signature = Hexadecimal.bytes(signed.signature),
            let key = pinned.first(where: { $0.isSignature(signature, of: Array(signed.statement.utf8)) })
        else {
            throw DomainError.invalidField(
                "/visits/\(index)/signature", "is not of a key that this registry has pinned for you")
        }
        guard let forwarded = try? ForwardedVisit(statement: signed.statement) else {
            throw DomainError.invalidField("/visits/\(index)/statement", "cannot be read")
        }
        guard own.contains(forwarded.to) else {
            throw DomainError.invalidField("/visits/\(index)/statement", "is for another registry")
        }
        return (forwarded, key)
    }
}
