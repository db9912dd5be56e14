import Beacons
import Foundation
import RegistryAPI
import RegistryRules

/// The identities of beacons; none is issued twice.
package struct Identities {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Takes an identity permanently: the given one, another near it, a free one of the region, or the name of
    /// a rotating beacon.
    ///
    /// - Throws: `identityTaken`, `identitiesExhausted`.
    func take(from source: IdentitySource, at time: Timestamp) throws -> BeaconIdentity {
        let identity: BeaconIdentity
        switch source {
        case .given(let given):
            guard try !isIssued(given) else { throw DomainError.identityTaken }
            identity = given
        case .claimed(let claimed, let entropy):
            identity = try allocate(near: claimed, using: entropy)
        case .allocated(let allocation, let entropy):
            identity = try allocate(allocation, using: entropy)
        case .rotating(let name, _):
            guard try !isIssued(name) else { throw DomainError.identityTaken }
            identity = name
        }
        try db.run("INSERT INTO identity (beacon, issued) VALUES (?, ?)", [identity.blob, time.milliseconds])
        if case .rotating(let name, let sealed) = source {
            try RotatingBeacons(db).add(name, sealed: sealed, at: time)
        }
        return identity
    }

    /// Marks an identity as no longer used by any bike; it is never issued again.
    func retire(_ beacon: Data, at time: Timestamp) throws {
        let sql = "UPDATE identity SET retired = ?, tested_until = NULL, heard_in_test = NULL WHERE beacon = ?"
        try db.run(sql, [time.milliseconds, beacon])
        try SearchStops(db).end(for: beacon)
        try RotatingBeacons(db).remove(beacon)
    }

    /// An unpredictable free identity with the same UUID and major, and which no other owner claims: otherwise that
    /// claim could no longer be accepted.
    private func allocate(near claimed: BeaconIdentity, using entropy: Entropy) throws -> BeaconIdentity {
        var entropy = entropy
        let wanted = try claimedMinors(in: claimed.uuid, major: claimed.major).union([claimed.minor])
        let next = try IdentityAllocation(region: claimed.uuid, majors: claimed.major...claimed.major).next(
            isIssued: { try wanted.contains($0.minor) || WellKnownIdentities.origin(of: $0) != nil || isIssued($0) },
            issuedMinors: { try issuedMinors(in: claimed.uuid, major: $0) + wanted },
            using: &entropy
        )
        guard let next else { throw DomainError.identitiesExhausted }
        return next
    }

    /// An unpredictable free identity of a region.
    ///
    /// - Throws: `identitiesExhausted`.
    private func allocate(_ allocation: IdentityAllocation, using entropy: Entropy) throws -> BeaconIdentity {
        var entropy = entropy
        let next = try allocation.next(
            isIssued: isIssued,
            issuedMinors: { try issuedMinors(in: allocation.region, major: $0) },
            using: &entropy
        )
        guard let next else { throw DomainError.identitiesExhausted }
        return next
    }

    /// Whether an identity was ever taken, even if its bike no longer uses it.
    private func isIssued(_ identity: BeaconIdentity) throws -> Bool {
        try db.exists("SELECT 1 FROM identity WHERE beacon = ?", [identity.blob])
    }

    /// The minors of the identities with a major that were ever taken.
    private func issuedMinors(in region: ProximityUUID, major: UInt16) throws -> [UInt16] {
        try minors("SELECT beacon FROM identity WHERE beacon BETWEEN ? AND ?", in: region, major: major)
    }

    /// The minors of pending claims.
    private func claimedMinors(in region: ProximityUUID, major: UInt16) throws -> Set<UInt16> {
        let sql = "SELECT claimed AS beacon FROM beacon_claim WHERE claimed BETWEEN ? AND ?"
        return Set(try minors(sql, in: region, major: major))
    }

    /// The minors of the identities with a major that a statement finds. Its parameters are the first and the last
    /// identity.
    private func minors(_ sql: String, in region: ProximityUUID, major: UInt16) throws -> [UInt16] {
        let range = [0, UInt16.max].map { BeaconIdentity(uuid: region, major: major, minor: $0).blob }
        return try db.rows(sql, [range[0], range[1]]).map { try $0.identity("beacon").minor }
    }
}
