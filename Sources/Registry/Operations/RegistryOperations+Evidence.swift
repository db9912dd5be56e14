import Evidence
import Logging
import OperatingSystem
import RegistryAPI
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
