import Foundation
import RegistryAPI
import RegistryRules

/// A caller's access to a bike. Every operation on a bike begins with it, and states the role that it needs.
struct BikeAccess {
    /// The bike's key.
    let key: Int64
    let bike: BikeID
    /// The key of the bike's owner, whose quotas and channels count.
    let owner: Int64
    let ownerID: OwnerID
    /// The caller's key, which is the owner's unless the caller is a member.
    let caller: Int64
    let role: BikeRole
    /// The caller as a member; nil for the owner.
    let member: (key: Int64, id: MemberID, label: String)?

    /// The only condition for access: the caller owns the bike, or is its member. A bike without a beacon only keeps the
    /// reports of a previous owner.
    static let query = """
        SELECT bike.key, bike.owner, holder.id AS owner_id, caller.key AS caller, member.key AS member,
            member.id AS member_id, member.label, member.role
        FROM owner AS caller CROSS JOIN bike CROSS JOIN owner AS holder
        LEFT JOIN bike_member AS member ON member.bike = bike.key AND member.owner = caller.key
        WHERE caller.id = ? AND bike.id = ? AND bike.beacon IS NOT NULL AND holder.key = bike.owner
            AND (bike.owner = caller.key OR member.role IS NOT NULL)
        """

    /// Reads a row of ``query``.
    init(_ row: StoredRow, to bike: BikeID) throws {
        key = try row["key"]
        self.bike = bike
        owner = try row["owner"]
        ownerID = try row.id("owner_id")
        caller = try row["caller"]
        if owner == caller {
            (role, member) = (.owner, nil)
        } else {
            role = try row.bikeRole()
            member = (try row["member"], try row.id("member_id"), try row["label"])
        }
    }

    /// Refuses a caller whose role is smaller.
    ///
    /// - Throws: `roleNeeded`.
    func require(_ needed: BikeRole) throws {
        guard role >= needed else { throw DomainError.membership(.roleNeeded(needed)) }
    }

    /// An event of the audit about this bike, which belongs to its owner.
    func event(
        _ action: AuditAction, by act: OwnerAct, report: ReportID? = nil, station: StationID? = nil,
        details: [String: String] = [:]
    ) -> AuditEvent {
        var details = details
        if let member { details["by"] = "\(member.id)" }
        return AuditEvent(
            action, by: act.principal, at: act.time, owner: ownerID, bike: bike, report: report, station: station,
            details: details)
    }
}

extension Bikes {
    /// The access of a caller to a bike.
    ///
    /// - Throws: `notFound` if the caller does not see the bike, `roleNeeded` if the caller's role is too small.
    func access(to bike: BikeID, by caller: OwnerID, needing needed: BikeRole) throws -> BikeAccess {
        guard let row = try db.row(BikeAccess.query, [caller.blob, bike.blob]) else {
            throw DomainError.notFound("bike")
        }
        let access = try BikeAccess(row, to: bike)
        try access.require(needed)
        return access
    }
}

extension StoredRow {
    /// The role of a member, from the column role.
    func bikeRole() throws -> BikeRole {
        guard let role = BikeRole(rawValue: Int(clamping: try self["role"] as Int64)) else {
            throw CorruptRow(column: "role")
        }
        return role
    }

    /// The same for a role that only members have.
    func memberRole() throws -> MemberRole {
        guard let role = try bikeRole().member else { throw CorruptRow(column: "role") }
        return role
    }
}
