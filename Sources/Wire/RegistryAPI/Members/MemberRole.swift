/// What a member may do with somebody else's bike; each role includes the previous ones.
public enum MemberRole: String, Codable, CaseIterable, Hashable, Sendable {
    /// Sees the bike, its photos, its reports and their sightings, and is alerted to sightings.
    case see
    /// Also reports the bike missing, changes and closes the report, and dismisses and acknowledges sightings.
    case report
    /// Also changes the bike's description and photos, and invites and removes members with the roles `see` and
    /// `report`.
    case manage
}
