import RegistryAPI
import RegistryRules

// Notices about bikes that have members.
extension Notices {
    /// Notifies a bike's owner on all channels about an act of the owner or of a member.
    func tell(
        _ weakening: SearchWeakening?, _ access: BikeAccess, bike: SightingAlert.BikeSummary, by act: OwnerAct
    ) throws {
        try tell(weakening, to: access.owner, bike: bike, member: access.member?.label, by: act)
    }

    /// Notifies a bike's owner on all channels of a member's act. The same act by the owner causes no notice.
    func tell(_ event: OwnerNotice.Event, byMember access: BikeAccess, by act: OwnerAct) throws {
        guard let label = access.member?.label else { return }
        let notice = OwnerNotice(event, bike: try Bikes(db).existing(access.key).summary, member: label)
        try queue(notice, toOwner: access.owner, at: act.time, using: act.entropy)
    }

    /// Notifies a bike's owner of something that concerns its search, and its members during their daytime.
    func queueForSearch(
        _ notice: OwnerNotice, ofBike bike: Int64, owner: Int64, at time: Timestamp, using entropy: Entropy
    ) throws {
        try queue(notice, toOwner: owner, at: time, using: entropy)
        try queueForMembers(notice, ofBike: bike, at: time, using: entropy)
    }

    /// Notifies a bike's members during their daytime.
    ///
    /// - Parameter caller: the owner or member who caused it, and so needs no notice.
    func queueForMembers(
        _ notice: OwnerNotice, ofBike bike: Int64, except caller: Int64? = nil, at time: Timestamp,
        using entropy: Entropy
    ) throws {
        for row in try db.rows("SELECT owner FROM bike_member WHERE bike = ?", [bike]) {
            let member: Int64 = try row["owner"]
            guard member != caller else { continue }
            try queue(notice.shared, toOwner: member, isUrgent: false, at: time, using: entropy)
        }
    }
}
