import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension Stage {
    /// Lets staff see a photo, or no longer; returns the consent.
    @discardableResult
    fileprivate func letStaffSee(
        _ photo: StoredPhoto, _ isAllowed: Bool = true, of bike: BikeID, by owner: OwnerID
    ) async throws -> StaffPhotoConsent? {
        var entropy = entropy
        let consent = isAllowed ? StaffPhotoConsent(using: &entropy) : nil
        let shown = try await store.setConsent(consent, to: photo.photo.id, of: bike, by: act(of: owner))
        #expect(shown.forStaff == (isAllowed ? true : nil))
        return consent
    }

    /// The link that a station gets with its report of a visit.
    fileprivate func link(_ visit: Visit, by station: StationID) async throws -> StaffPhotoLink? {
        guard case .stored(let stored)? = try await record(visit, by: station).first else { return nil }
        return stored.photo
    }

    fileprivate func shown(_ link: StaffPhotoLink?) async throws -> StoredPhoto? {
        try await store.photo(try #require(link), at: now)
    }
}

extension StoreContract {
    static let staffPhotos = [
        StoreContract("a station gets a link to a photo only with the owner's consent, and it ends with the visit") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike(hasChannel: false)
            let bike = try #require(try await store.bike(report.bike, of: owner))
            let photos = [try await stage.addPhoto(to: bike, of: owner), try await stage.addPhoto(to: bike, of: owner)]
            var visit = Samples.visit(from: stage.now, lasting: .zero)
            #expect(try await stage.link(visit, by: station) == nil)
            try await stage.letStaffSee(photos[1], of: bike.id, by: owner)
            let link = try await stage.link(visit, by: station)
            #expect(try await stage.shown(link) == photos[1].forStaff)
            // The first in the owner's order that staff may see; the other's link goes on.
            try await stage.letStaffSee(photos[0], of: bike.id, by: owner)
            let first = try await stage.link(visit, by: station)
            #expect(try await stage.shown(first) == photos[0].forStaff)
            #expect(try await stage.shown(link) == photos[1].forStaff)
            stage.clock.advance(by: DisplayRules.presence)
            #expect(try await stage.shown(first) == nil)
            visit.lastSeen = stage.now
            #expect(try await stage.link(visit, by: station) == first)
            #expect(try await stage.shown(first) != nil)
            visit.ended = true
            _ = try await stage.record(visit, by: station)
            #expect(try await stage.shown(first) == nil)
        },
        StoreContract("a link to a photo belongs to one visit at one station, and cannot be made without the consent") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike(hasChannel: false)
            let bike = try #require(try await store.bike(report.bike, of: owner))
            let photo = try await stage.addPhoto(to: bike, of: owner)
            let consent = try #require(try await stage.letStaffSee(photo, of: bike.id, by: owner))
            let visit = Samples.visit(from: stage.now, lasting: .zero)
            let link = try #require(try await stage.link(visit, by: station))
            #expect(link == StaffPhotoLink(of: visit.id, at: station, consent))
            var entropy = stage.entropy
            let other = try await stage.station("other")
            for wrong in [
                StaffPhotoLink(of: visit.id, at: station, StaffPhotoConsent(using: &entropy)),
                StaffPhotoLink(of: visit.id, at: other, consent),
                StaffPhotoLink(of: VisitID(high: 1, low: 9), at: station, consent),
            ] {
                #expect(try await stage.shown(wrong) == nil)
            }
            _ = try await store.revokeStation(
                station, quarantineSince: nil, by: .operator(OperatorID(high: 9, low: 9)), at: stage.now)
            #expect(try await stage.shown(link) == nil)
        },
        StoreContract("a consent that is withdrawn ends its links for good, and is told while the bike is missing") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            let bike = try #require(try await store.bike(report.bike, of: owner))
            let photo = try await stage.addPhoto(to: bike, of: owner)
            let visit = Samples.visit(from: stage.now, lasting: .zero)
            try await stage.letStaffSee(photo, of: bike.id, by: owner)
            let link = try await stage.link(visit, by: station)
            try await stage.deliver()
            try await stage.letStaffSee(photo, false, of: bike.id, by: owner)
            #expect(try await stage.deliver().compactMap(\.content.notice?.event) == [.bikeChanged])
            #expect(try await stage.link(visit, by: station) == nil)
            try await stage.letStaffSee(photo, of: bike.id, by: owner)
            #expect(try await stage.shown(link) == nil)
            let second = try await stage.link(visit, by: station)
            #expect(try await stage.shown(second) != nil)
            _ = try await stage.close(report, of: owner)
            #expect(try await stage.shown(second) == nil)
        },
        StoreContract("nobody else gives the consent, and the same again changes nothing") { store, stage in
            let (owner, other) = (try await stage.owner(), try await stage.owner())
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let photo = try await stage.addPhoto(to: bike, of: owner)
            await #expect(throws: DomainError.notFound("bike")) {
                try await stage.letStaffSee(photo, of: bike.id, by: other)
            }
            try await stage.letStaffSee(photo, of: bike.id, by: owner)
            let before = try await store.auditEntries(AuditFilter(), PageRequest(limit: 1000)).items.count
            for _ in 1...DailyUse.photoConsents.limit(for: Quotas()) + 1 {
                try await stage.letStaffSee(photo, of: bike.id, by: owner)
            }
            #expect(try await store.auditEntries(AuditFilter(), PageRequest(limit: 1000)).items.count == before)
        },
    ]
}

extension StoredPhoto {
    /// The same, as it is once staff may see it.
    fileprivate var forStaff: StoredPhoto {
        var photo = photo
        photo.forStaff = true
        return StoredPhoto(photo, name: name)
    }
}
