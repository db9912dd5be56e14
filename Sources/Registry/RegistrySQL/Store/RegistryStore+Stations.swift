import Foundation
package import RegistryAPI
package import RegistryRules

/// Stations, and the invitations for their enrolment.
extension RegistryStore {
    /// All stations, in the order of their enrolment.
    public func stations(_ page: PageRequest<StationID>) async throws -> StoredPage<Station, StationID> {
        try await read { try Stations($0).page(page) }
    }

    /// The station with the number of its changes; nil if it is unknown.
    public func station(_ id: StationID) async throws -> VersionedStation? {
        try await read { try Stations($0).find(id) }
    }

    /// Changes a station. A move takes effect at its time. The station's sightings since then, or all of them if the
    /// venue changes, are immediately judged again for all readers, and stored in steps (``judgeAnew(limit:at:)``).
    ///
    /// - Parameters:
    ///   - version: the state that the change is meant for; nil for any.
    ///   - operator: the operator who changes it.
    /// - Throws: `notFound`, `changedMeanwhile`, `invalidFields` for a move before the last one.
    public func changeStation(
        _ id: StationID, _ patch: StationPatch, version: Int64?, by operator: Principal, at time: Timestamp
    ) async throws -> VersionedStation {
        try await write { try Stations($0).change(id, patch, version: version, by: `operator`, at: time) }
    }

    /// Records a station's last sign of life, and the quarters of an hour that come with it.
    ///
    /// - Throws: `notFound`.
    @discardableResult
    public func recordHeartbeat(
        _ heartbeat: StationHeartbeat, of station: StationID, at time: Timestamp
    ) async throws -> CoverageReceipt {
        // Encoded here, so that the writing thread does not have to.
        var state = heartbeat
        state.coverage = nil
        let encoded = try JSONEncoder().encode(state)
        return try await write {
            try Stations($0).recordHeartbeat(heartbeat, encoded: encoded, of: station, at: time)
        }
    }

    /// What a station heard on a day.
    ///
    /// - Throws: `notFound`.
    public func coverage(of station: StationID, on day: CalendarDate) async throws -> StationCoverage {
        try await read { try Coverage($0).day(day, of: station) }
    }

    /// Adds an invitation and returns its identifier. A repeated call renews the code and the expiry of the first
    /// invitation, since its code cannot be shown again.
    ///
    /// - Throws: `invitationAccepted`, `idempotencyKeyReused`.
    public func addInvitation(_ invitation: NewInvitation, once: IdempotencyKey?) async throws -> InvitationID {
        try await write { try Enrolments($0).invite(invitation, once: once) }
    }

    /// The invitations that can still be accepted, in the order of their creation.
    public func pendingInvitations(
        _ page: PageRequest<InvitationID>, at time: Timestamp
    ) async throws -> StoredPage<PendingInvitation, InvitationID> {
        try await read { try Enrolments($0).pendingInvitations(page, at: time) }
    }

    /// Cancels an invitation that has not been accepted: its code no longer works.
    ///
    /// - Throws: `notFound`, `invitationAccepted`.
    public func cancelInvitation(_ id: InvitationID, by operator: Principal, at time: Timestamp) async throws {
        try await write { try Enrolments($0).cancelInvitation(id, by: `operator`, at: time) }
    }

    /// Exchanges an unused, unexpired code for a station with the invitation's name and place. The attempt that used a
    /// code may be repeated until the code expires: this replaces a token that was lost on the way.
    ///
    /// - Throws: `codeUnusable`.
    public func enrol(_ enrolment: Enrolment) async throws -> Station {
        try await write { try Enrolments($0).enrol(enrolment) }
    }

    /// Revokes a station's token, and quarantines its sightings since a time: they are kept, immediately disputed for
    /// all readers, and waiting alerts about them are not sent. The call may be repeated with an earlier time.
    ///
    /// - Parameter quarantine: sightings last heard at this time or later are not trusted;
    ///   nil leaves the quarantine unchanged.
    /// - Throws: `notFound`.
    public func revokeStation(
        _ id: StationID, quarantineSince quarantine: Timestamp?, by operator: Principal, at time: Timestamp
    ) async throws -> Station {
        try await write { try Enrolments($0).revokeStation(id, quarantineSince: quarantine, by: `operator`, at: time) }
    }

    /// Judges the next sightings of changed stations again (``JudgementStore``).
    public func judgeAnew(limit: Int, at time: Timestamp) async throws -> Bool {
        guard try await read({ try StationJudgements($0).areUnderWay() }) else { return false }
        return try await write { try StationJudgements($0).step(limit: limit, at: time) }
    }
}
