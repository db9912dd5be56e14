import Beacons
import Evidence
import MissingList
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport

extension RegistryStore {
    func journal() async throws -> [Revocations.Entry] {
        try await read { try Revocations($0).entries(after: 0).entries }
    }

    func replay(_ entry: Revocations.Entry) async throws {
        try await write { try Revocations($0).revoke(entry) }
    }

    /// Makes all partners active, as before a suspension.
    func makeActive(_ name: Revocations.Entry) async throws {
        try await write { try $0.run("UPDATE partner SET suspended = NULL, active = ?", [name.digest.blob]) }
    }

    /// Makes a partner have an earlier token, and be a partner, as an earlier backup has it.
    func restore(_ partner: ActivePartner, token: String) async throws {
        let digest = SecretDigest(of: token)
        try await write { db in
            let sql = "UPDATE partner SET token = ?, secret = 'secret', removed = NULL WHERE key = ?"
            try db.run(sql, [digest.blob, partner.key])
        }
    }

    /// Gives a partner another address, as an earlier program let it do.
    func move(_ partner: ActivePartner, to url: String) async throws {
        try await write { try $0.run("UPDATE partner SET url = ? WHERE key = ?", [url, partner.key]) }
    }

    /// Makes the sightings of all partners trusted, as before the first quarantine.
    func trustPartners() async throws {
        try await write { db in
            try db.run("UPDATE partner SET quarantines = 0", [])
            try db.run("UPDATE station SET quarantined_since = NULL WHERE partner IS NOT NULL", [])
        }
    }
}

extension Stage {
    var operatorOfPartners: Principal { .operator(OperatorID(high: 9, low: 9)) }

    func partnerInvitation(code: String, name: String = "Zürich") async throws -> NewPartnerInvitation {
        let invitation = NewPartnerInvitation(
            id: newID(), name: name, code: SecretDigest(of: code), created: now,
            expires: now.advanced(by: .days(1)), pseudonyms: Array(repeating: 3, count: 32),
            by: operatorOfPartners)
        try await store.addPartnerInvitation(invitation)
        return invitation
    }

    func partnerTerms(
        token: String, key: UInt8 = 7, url: String = "https://registry.example.net"
    ) -> PartnerTerms {
        let key = PublicKey(bytes: Array(repeating: key, count: 32))
        return PartnerTerms(
            url: url, token: SecretDigest(of: token), secret: "secret", publicKeys: key.map { [$0.pem] } ?? [])
    }

    func join(
        _ code: String, token: String, key: UInt8 = 7, url: String = "https://registry.example.net"
    ) async throws {
        let terms = partnerTerms(token: token, key: key, url: url)
        try await store.joinPartner(code: SecretDigest(of: code), terms, at: now)
    }

    /// Ends a partner's token, and makes a code for the next one.
    func renew(_ partner: PartnerID, code: String) async throws {
        try await store.askPartnerToRenew(
            PartnerRenewal(
                partner: partner, code: SecretDigest(of: code), created: now, expires: now.advanced(by: .days(1)),
                by: operatorOfPartners))
    }

    func remove(_ partner: PartnerID) async throws {
        try await store.removePartner(partner, quarantineSince: nil, by: operatorOfPartners, at: now)
    }

    func partner() async throws -> ActivePartner {
        let invitation = try await partnerInvitation(code: "code of a partner")
        try await join("code of a partner", token: "token")
        return try await store.activePartner(invitation.id)
    }

    /// Stores a partner's list, whatever it was before.
    func list(_ identities: [BeaconIdentity], of partner: ActivePartner) async throws -> Bool {
        let before = try await store.partnerList(of: partner.key)
        let list = MissingIdentities(
            version: ListVersion(number: (before?.version.number ?? 0) + 1, mark: 1), identities: identities)
        return try await store.replacePartnerList(
            before?.version, with: list, HashChanges(from: (before ?? .empty).hashes, to: list.hashes),
            of: partner.key, at: now)
    }

    func forward(_ visit: Visit, of station: StationID, to partner: ActivePartner) async throws -> [RecordedVisit] {
        var request = RecordRequest([visit], by: station, at: now, using: entropy)
        request.forwards = [PartnerForward(partner: partner.key, visit: visit)]
        return try await store.record(request)
    }

    /// Forwards many visits of one station, without recording them.
    func forward(_ visits: [Visit], of station: StationID, to partner: ActivePartner) async throws {
        var request = RecordRequest(Array(visits.prefix(1)), by: station, at: now, using: entropy)
        request.forwards = visits.map { PartnerForward(partner: partner.key, visit: $0) }
        _ = try await store.record(request)
    }

    func claimForwards(of partner: ActivePartner) async throws -> [WaitingForward] {
        try await store.claimForwards(
            for: partner.key, limit: 10, at: now, leaseUntil: now.advanced(by: .seconds(30)))
    }

    /// Stations of a partner, as they come with its visits.
    func foreignStations(
        _ count: Int, of partner: ActivePartner, at place: Place = Samples.place
    ) async throws -> [StationID] {
        let stations = (0..<count).map {
            ForwardingStation(
                id: StationID(high: 77, low: UInt64($0)), name: "Bistro \($0)", mobile: false, place: place)
        }
        let known = try await store.preparePartnerStations(stations, of: partner, at: now, using: entropy)
        return stations.compactMap { known[$0.id] }
    }
}
