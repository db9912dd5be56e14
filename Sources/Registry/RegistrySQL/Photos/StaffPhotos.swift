import Foundation
package import RegistryAPI
package import RegistryRules

/// Photos that owners let the staff of a venue see while their missing bikes are there.
package struct StaffPhotos {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The consent to the photo that a bike shows to staff: the first one in the owner's order that has a consent.
    package static let consent = """
        (SELECT staff_consent FROM photo WHERE photo.bike = bike.key AND staff_consent IS NOT NULL
            ORDER BY position LIMIT 1)
        """

    /// The photos of a bike that is at a station now.
    package static let here = """
        SELECT photo.*
        FROM station JOIN sighting ON sighting.station = station.key JOIN report ON report.key = sighting.report
        JOIN bike ON bike.key = report.bike JOIN owner ON owner.key = bike.owner JOIN photo ON photo.bike = bike.key
        WHERE station.id = ?1 AND station.revoked IS NULL AND sighting.visit = ?2 AND sighting.ended = 0
            AND sighting.last_seen > ?3 AND \(DisplayReading.isShown(at: "?4")) AND photo.staff_consent IS NOT NULL
        """

    /// The photo that a link shows; nil unless its visit continues and the owner still agrees.
    package func find(_ link: StaffPhotoLink, at time: Timestamp) throws -> StoredPhoto? {
        let since = time.advanced(by: .zero - DisplayRules.presence)
        let rows = try db.rows(
            Self.here, [link.station.blob, link.visit.blob, since.milliseconds, time.milliseconds])
        for row in rows {
            if let consent = try row.staffConsent, link.isSealed(by: consent) { return try StoredPhoto(row) }
        }
        return nil
    }
}

extension StoredRow {
    /// The consent to show a photo to staff; nil if there is none.
    var staffConsent: StaffPhotoConsent? {
        get throws {
            guard let bytes: Data = try self["staff_consent"] else { return nil }
            guard let secret = SecretDigest(bytes: Array(bytes)) else { throw CorruptRow(column: "staff_consent") }
            return StaffPhotoConsent(secret)
        }
    }
}
