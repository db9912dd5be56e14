import Evidence
public import RegistryAPI

extension RegistryOperations {
    /// The evidence pack of a report: a ZIP archive.
    ///
    /// - Throws: `signingKeyMissing`, `notFound`.
    public func evidencePack(of report: ReportID, on bike: BikeID, owner: OwnerID) async throws -> [UInt8] {
        let keyring = try requiredKeyring()
        let content = try await store.evidence(
            of: report, on: bike, owner: owner, limit: EvidencePack.maximumItems
        )
        return try EvidencePack.archive(
            content, trail: [SightingTable.file(content.sightings)], signedBy: keyring, at: clock.now
        )
    }
}
