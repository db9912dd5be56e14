import Evidence
import Logging
import OperatingSystem
package import RegistryAPI
package import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// The evidence pack of a report: a ZIP archive.
    ///
    /// - Throws: `signingKeyMissing`, `notFound`.
    package func evidencePack(of report: ReportPath) async throws -> [UInt8] {
        let keyring = try requiredKeyring()
        let limit = EvidencePack.maximumItems
        let now = clock.now
        try await store.recordGrowth(of: report, limit: limit, at: now)
        let content = try await store.evidence(of: report, limit: limit, at: now)
        if content.damagedDays > 0 {
            logger.error(
                "damaged coverage is left out of a pack",
                metadata: ["report": "\(report.id)", "days": "\(content.damagedDays)"])
        }
        return try await longWork.run {
            let trail = Trail(content.sightings, of: report.id)
            let forms = [
                ArchiveFile("sightings.csv", trail.csv()), ArchiveFile("sightings.geojson", try trail.geoJSON()),
                ArchiveFile("sightings.gpx", trail.gpx()),
            ]
            return try EvidencePack.archive(content, trail: forms, signedBy: keyring, at: now)
        }
    }
}

extension RegistryOperations {
    /// The length and end of the audit, signed now.
    ///
    /// - Throws: `signingKeyMissing`.
    package func auditCheckpoint() async throws -> SignedCheckpoint {
        try await store.signedEnd(by: try requiredKeyring(), at: clock.now).1
    }

    /// The public keys that verify packs and checkpoints; empty if no key was ever created.
    package var publishedKeys: PublishedKeys { PublishedKeys(keys: keyring?.keys ?? []) }

    /// The keyring.
    ///
    /// - Throws: `signingKeyMissing` if the operator has created no key.
    func requiredKeyring() throws(DomainError) -> Keyring {
        guard let keyring else { throw .signingKeyMissing }
        return keyring
    }
}
