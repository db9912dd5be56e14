import Logging
package import RegistryAPI
package import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// Invites a venue to enrol a station at a surveyed place.
    package func invite(
        _ draft: InvitationDraft, by operator: Principal, once: IdempotencyKey?
    ) async throws -> Invitation {
        var entropy = entropy
        let now = clock.now
        let code = OneTimeCode(using: &entropy)
        let expires = now.advanced(by: OneTimeCode.lifetime)
        let invitation = NewInvitation(
            id: InvitationID(at: now, using: &entropy), details: draft, code: code.digest, created: now,
            expires: expires, by: `operator`
        )
        let id = try await store.addInvitation(invitation, once: once)
        return Invitation(id: id, code: code.text, expires: expires)
    }

    /// Exchanges a code for a station and its token.
    ///
    /// - Parameter attempt: a random identifier of the attempt; repeating it replaces a token whose response was lost.
    package func enrol(_ request: EnrolmentRequest, attempt: String?) async throws -> StationEnrolled {
        var entropy = entropy
        let now = clock.now
        let token = AccessToken(for: .station, using: &entropy)
        let station = try await store.enrol(
            Enrolment(
                code: OneTimeCode(typed: request.code).digest, attempt: attempt.map { SecretDigest(of: $0) },
                station: StationID(at: now, using: &entropy), token: token.digest, time: now
            )
        )
        logger.info("station enrolled", metadata: ["station": "\(station.id)"])
        return StationEnrolled(station: station, token: token.text)
    }

    /// The stations with their states, in the order of their identifiers.
    package func stations(_ page: PageRequest<StationID>) async throws -> StoredPage<Station, StationID> {
        let stations = try await store.stations(page)
        let now = clock.now
        return StoredPage(items: stations.items.map { $0.withState(at: now) }, next: stations.next)
    }

    package func station(_ id: StationID) async throws -> VersionedStation {
        guard let found = try await store.station(id) else { throw DomainError.notFound("station") }
        return VersionedStation(station: found.station.withState(at: clock.now), version: found.version)
    }

    /// Renames or moves a station.
    ///
    /// - Parameter version: the state that the change is meant for; nil for any.
    package func changeStation(
        _ id: StationID, _ patch: StationPatch, version: Int64?, by operator: Principal
    ) async throws -> VersionedStation {
        let now = clock.now
        let changed = try await store.changeStation(id, patch, version: version, by: `operator`, at: now)
        return VersionedStation(station: changed.station.withState(at: now), version: changed.version)
    }

    /// Revokes a station's token.
    ///
    /// - Parameter quarantineSince: from when on its sightings are not trusted; nil if all are.
    package func revokeStation(
        _ id: StationID, quarantineSince: Timestamp?, by operator: Principal
    ) async throws -> Station {
        let now = clock.now
        let station = try await store.revokeStation(id, quarantineSince: quarantineSince, by: `operator`, at: now)
        logger.notice("station revoked", metadata: ["station": "\(id)"])
        return station.withState(at: now)
    }
}

extension Station {
    /// The station with its state, and the number of minutes since its last sign of life, or since its enrolment if
    /// there was none.
    fileprivate func withState(at now: Timestamp) -> Station {
        let seconds = (heartbeat?.received ?? enrolled).duration(to: now).components.seconds
        var station = self
        station.silentMinutes = Int(max(0, seconds / 60))
        guard revoked == nil else {
            station.state = .revoked
            return station
        }
        station.state = State(
            heartbeat: heartbeat?.received, isDeaf: heartbeat?.heartbeat.isDeaf ?? false,
            silentBefore: StationHealth.silentBefore(now))
        return station
    }
}
