import Beacons
import Foundation
import GRDB
import Registry
import RegistryAPI

extension Database {
    /// Takes an identity for ever: the given one, or the next one of the region.
    ///
    /// A given identity that is taken is a failure, not an error: the attempt is to be kept.
    func takeIdentity(
        from source: IdentitySource, by owner: Int64, _ limit: AttemptLimit?, at time: Timestamp
    ) throws -> Result<BeaconIdentity, DomainError> {
        let identity: BeaconIdentity
        switch source {
        case .given(let given):
            if let limit { try countAttempt(by: owner, limit, at: time) }
            guard try !isIssued(given) else { return .failure(.identityTaken) }
            identity = given
        case .allocated(let allocation, let entropy):
            identity = try allocate(allocation, using: entropy)
        }
        try run("INSERT INTO identity (beacon, issued) VALUES (?, ?)", [identity.blob, time.milliseconds])
        return .success(identity)
    }

    /// Keeps that no bike has an identity any more; it is never issued again.
    func retire(_ beacon: Data, at time: Timestamp) throws {
        try run("UPDATE identity SET retired = ? WHERE beacon = ?", [time.milliseconds, beacon])
    }

    private func countAttempt(by owner: Int64, _ limit: AttemptLimit, at time: Timestamp) throws {
        let begin = time.advanced(by: .zero - limit.window)
        let sql = "SELECT time FROM identity_attempt WHERE owner = ? AND time > ? ORDER BY time"
        let earlier = try rows(sql, [owner, begin.milliseconds]).map { try $0.timestamp("time") }
        if let wait = limit.wait(earlier: earlier, now: time) { throw DomainError.tooManyAttempts(retryAfter: wait) }
        try run("INSERT INTO identity_attempt (owner, time) VALUES (?, ?)", [owner, time.milliseconds])
    }

    private func allocate(_ allocation: IdentityAllocation, using entropy: Entropy) throws -> BeaconIdentity {
        var entropy = entropy
        let next = try allocation.next(
            latestMajor: latestMajor(in: allocation.region),
            isIssued: isIssued,
            issuedMinors: { try issuedMinors(in: allocation.region, major: $0) },
            using: &entropy
        )
        guard let next else { throw DomainError.identitiesExhausted }
        return next
    }

    private func isIssued(_ identity: BeaconIdentity) throws -> Bool {
        try exists("SELECT 1 FROM identity WHERE beacon = ?", [identity.blob])
    }

    private func latestMajor(in region: ProximityUUID) throws -> UInt16? {
        let range = [BeaconIdentity(uuid: region, major: 0, minor: 0), .init(uuid: region, major: .max, minor: .max)]
        let sql = "SELECT beacon FROM identity WHERE beacon BETWEEN ? AND ? ORDER BY beacon DESC LIMIT 1"
        return try row(sql, [range[0].blob, range[1].blob])?.identity("beacon").major
    }

    private func issuedMinors(in region: ProximityUUID, major: UInt16) throws -> [UInt16] {
        let range = [0, UInt16.max].map { BeaconIdentity(uuid: region, major: major, minor: $0).blob }
        return try rows("SELECT beacon FROM identity WHERE beacon BETWEEN ? AND ?", [range[0], range[1]])
            .map { try $0.identity("beacon").minor }
    }
}
