import Crypto
import FoundationEssentials
package import RegistryAPI
import RegistryRules
import RegistrySQL

// The original app's collections.
extension RegistryOperations {
    /// The maximum number of bikes in one response.
    private static let appListLimit = 10_000

    /// Registers a bike, or changes the bike that has the draft's secret.
    package func putAppBike(_ draft: AppBikeDraft) async throws -> AppBike {
        var entropy = entropy
        let now = clock.now
        let secret = draft.id ?? Base64URL(entropy.bytes(32)).text
        let change = AppBikeChange(
            draft: draft, secret: SecretDigest(of: secret), owner: OwnerID(at: now, using: &entropy),
            bike: BikeID(at: now, using: &entropy), report: ReportID(at: now, using: &entropy),
            channel: ChannelID(at: now, using: &entropy), signing: SigningSecret(using: &entropy), time: now,
            newFor: newBeacons
        )
        if draft.id == nil {
            try await store.registerAppBike(change)
        } else {
            try await store.updateAppBike(change)
        }
        return AppBike(
            id: secret, make: draft.make, model: draft.model, beaconMinor: draft.beaconMinor, missing: draft.missing,
            colour: draft.colour ?? AppBikeDraft.unknownColour
        )
    }

    /// The missing bikes as the app lists them, at most ``appListLimit``.
    package func missingAppBikes() async throws -> [AppBike] {
        try await store.missingAppBikes(limit: Self.appListLimit)
    }

    /// Stores a sighting if its bike was missing then; the caller does not learn whether it was.
    package func recordAppSighting(_ sighting: AppSighting) async throws {
        guard let bike = BikeID(sighting.bikeId) else { throw DomainError.notFound("bike") }
        let now = clock.now
        let id = Self.visitID(of: sighting)
        let refusals = SightingRules.refusals(of: Visit(sighting, id: id, identity: nil), now: now)
        guard refusals.isEmpty else {
            throw DomainError.invalidFields(refusals.map { FieldError(pointer: "/date", detail: $0.detail) })
        }
        var past = sighting
        past.date = min(sighting.date, now)
        _ = try await store.recordAppSighting(past, of: bike, as: id, at: now, using: entropy)
    }

    /// The visit's identifier; it is the same for the same sighting, so that the app may send it again.
    ///
    /// It has the form of a UUIDv7 (RFC 9562, section 5.7): 48 bits of milliseconds, the version, 12 bits, the variant,
    /// and 62 bits. Bits of a hash take the place of the random ones.
    private static func visitID(of sighting: AppSighting) -> VisitID {
        let text = "\(sighting.bikeId) \(sighting.date) \(sighting.latitude) \(sighting.longitude)"
        let hash = Array(SHA256.hash(data: Data(text.utf8)))
        let first: UInt64 = hash[..<2].reduce(0) { $0 << 8 | UInt64($1) }
        let second: UInt64 = hash[2..<10].reduce(0) { $0 << 8 | UInt64($1) }
        let milliseconds = UInt64(clamping: sighting.date.milliseconds)
        return VisitID(
            high: milliseconds << 16 | 0x7000 | first & 0x0FFF,
            low: 0x8000_0000_0000_0000 | second >> 2
        )
    }
}
