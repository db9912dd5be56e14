import Foundation
package import Registry
package import RegistryAPI

extension SQLRegistryStore {
    public func stations(_ page: PageRequest<StationID>) async throws -> StoredPage<Station, StationID> {
        try await read { try Stations($0).page(page) }
    }

    public func station(_ id: StationID) async throws -> VersionedStation? {
        try await read { try Stations($0).find(id) }
    }

    public func changeStation(
        _ id: StationID, _ patch: StationPatch, version: Int64?, by operator: Principal, at time: Timestamp
    ) async throws -> VersionedStation {
        try await write { try Stations($0).change(id, patch, version: version, by: `operator`, at: time) }
    }

    public func recordHeartbeat(
        _ heartbeat: StationHeartbeat, of station: StationID, at time: Timestamp
    ) async throws -> CoverageReceipt {
        var state = heartbeat
        state.coverage = nil
        let encoded = try JSONEncoder().encode(state)
        return try await write {
            try Stations($0).recordHeartbeat(
                encoded, isDeaf: heartbeat.isDeaf, heartbeat.coverage ?? [], of: station, at: time)
        }
    }

    public func coverage(of station: StationID, on day: CalendarDate) async throws -> StationCoverage {
        try await read { try Coverage($0).day(day, of: station) }
    }

    public func addInvitation(_ invitation: NewInvitation, once: IdempotencyKey?) async throws -> InvitationID {
        try await write { try Enrolments($0).invite(invitation, once: once) }
    }

    public func pendingInvitations(
        _ page: PageRequest<InvitationID>, at time: Timestamp
    ) async throws -> StoredPage<PendingInvitation, InvitationID> {
        try await read { try Enrolments($0).pendingInvitations(page, at: time) }
    }

    public func cancelInvitation(_ id: InvitationID, by operator: Principal, at time: Timestamp) async throws {
        try await write { try Enrolments($0).cancelInvitation(id, by: `operator`, at: time) }
    }

    public func enrol(_ enrolment: Enrolment) async throws -> Station {
        try await write { try Enrolments($0).enrol(enrolment) }
    }

    public func revokeStation(
        _ id: StationID, quarantineSince quarantine: Timestamp?, by operator: Principal, at time: Timestamp
    ) async throws -> Station {
        try await write { try Enrolments($0).revokeStation(id, quarantineSince: quarantine, by: `operator`, at: time) }
    }

    public func judgeAnew(limit: Int, at time: Timestamp) async throws -> JudgementStep? {
        guard try await read({ try StationJudgements($0).areUnderWay() }) else { return nil }
        return try await write { try StationJudgements($0).step(limit: limit, at: time) }
    }
}
