import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension Stage {
    func invitation(_ role: MemberRole, _ label: String = "Anna") -> MemberInvitation {
        MemberInvitation(
            id: newID(), label: label, role: role, created: now,
            expires: now.advanced(by: MemberRules.invitationLifetime))
    }

    @discardableResult
    func invite(
        to bike: BikeID, by owner: OwnerID, _ role: MemberRole, secret: String = "secret", once: IdempotencyKey? = nil
    ) async throws -> MemberInvitation {
        try await store.inviteMember(
            NewMemberInvitation(invitation(role), bike: bike, digest: SecretDigest(of: secret)), by: act(of: owner),
            once: once)
    }

    @discardableResult
    func join(_ member: OwnerID, secret: String = "secret", once: IdempotencyKey? = nil) async throws -> Bike {
        try await store.join(SecretDigest(of: secret), by: act(of: member), once: once)
    }

    /// A new owner who is a member of the bike.
    func member(of bike: BikeID, of owner: OwnerID, _ role: MemberRole) async throws -> OwnerID {
        let member = try await self.owner()
        try await invite(to: bike, by: owner, role, secret: "\(member)")
        try await join(member, secret: "\(member)")
        return member
    }

    /// The member that an owner is on a bike.
    func membership(of member: OwnerID, on bike: BikeID) async throws -> Member {
        try #require(try await store.members(of: bike, by: member).first { $0.current })
    }

    /// Delivers all notices that are due, and returns those for an owner.
    func notices(to owner: OwnerID) async throws -> [OwnerNotice] {
        try await deliver().filter { $0.owner == owner }.compactMap(\.content.notice)
    }
}

extension StoreContract {
    static let members = [
        StoreContract("an invitation makes one owner a member, who sees the bike with the role and without notes") {
            store, stage in
            let (owner, friend, third) = (try await stage.owner(), try await stage.owner(), try await stage.owner())
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            var noted = bike
            noted.notes = "private"
            _ = try await store.changeBike(bike, to: noted, by: stage.act(of: owner))
            let own = try await stage.bike(of: friend, Samples.identity(2))
            #expect(try await store.bike(bike.id, of: friend) == nil)
            try await stage.invite(to: bike.id, by: owner, .see)
            let offer = try await store.membershipOffer(SecretDigest(of: "secret"), at: stage.now)
            #expect(offer.make == bike.make && offer.label == "Anna" && offer.role == .see)
            for known in [owner] {
                await #expect(throws: DomainError.membership(.alreadyMember)) { try await stage.join(known) }
            }
            let shared = try await stage.join(friend)
            #expect(shared.role == .see && shared.notes == nil && shared.id == bike.id)
            #expect(try await store.bike(bike.id, of: friend) == shared)
            #expect(try await store.bikes(of: friend, PageRequest(limit: 9)).items == [shared, own])
            #expect(try await store.bikes(of: friend, PageRequest(limit: 1)).items == [shared])
            #expect(try await store.bikes(of: friend, PageRequest(after: bike.id, limit: 9)).items == [own])
            #expect(try await store.bikes(of: owner, PageRequest(limit: 9)).items.map(\.role) == [nil])
            await #expect(throws: DomainError.membership(.invitationUnusable)) { try await stage.join(third) }
            #expect(try await store.memberInvitations(of: bike.id, by: owner, at: stage.now) == [])
            let member = try #require(try await store.members(of: bike.id, by: owner).first)
            #expect(member.label == "Anna" && member.role == .see && !member.current && member.invitedBy == nil)
            try await stage.invite(to: bike.id, by: owner, .report, secret: "again")
            await #expect(throws: DomainError.membership(.alreadyMember)) {
                try await stage.join(friend, secret: "again")
            }
            try await stage.join(third, secret: "again")
        },
        StoreContract("an invitation ends after a week, when cancelled, and with the role of whoever made it") {
            store, stage in
            let (owner, friend) = (try await stage.owner(), try await stage.owner())
            let bike = try await stage.bike(of: owner, Samples.identity(1)).id
            try await stage.invite(to: bike, by: owner, .see)
            stage.clock.advance(by: MemberRules.invitationLifetime)
            await #expect(throws: DomainError.membership(.invitationUnusable)) { try await stage.join(friend) }
            #expect(try await store.memberInvitations(of: bike, by: owner, at: stage.now) == [])
            let second = try await stage.invite(to: bike, by: owner, .see, secret: "2")
            try await store.cancelMemberInvitation(second.id, of: bike, by: stage.act(of: owner))
            await #expect(throws: DomainError.membership(.invitationUnusable)) {
                try await stage.join(friend, secret: "2")
            }
            let manager = try await stage.member(of: bike, of: owner, .manage)
            let made = try await stage.invite(to: bike, by: manager, .see, secret: "3")
            #expect(made.invitedBy == (try await stage.membership(of: manager, on: bike).id))
            let id = try await stage.membership(of: manager, on: bike).id
            _ = try await store.changeRole(of: id, on: bike, to: .report, by: stage.act(of: owner))
            await #expect(throws: DomainError.membership(.invitationUnusable)) {
                try await stage.join(friend, secret: "3")
            }
        },
        StoreContract("the owner cancels any invitation, and those of a member end with the membership") {
            store, stage in
            let (owner, friend) = (try await stage.owner(), try await stage.owner())
            let bike = try await stage.bike(of: owner, Samples.identity(1)).id
            let (removed, leaving) = (
                try await stage.member(of: bike, of: owner, .manage),
                try await stage.member(of: bike, of: owner, .manage)
            )
            let first = try await stage.invite(to: bike, by: removed, .see, secret: "1")
            for number in 2..<MemberRules.mostInvitations {
                try await stage.invite(to: bike, by: removed, .see, secret: "\(number)")
            }
            let last = try await stage.invite(to: bike, by: leaving, .report, secret: "last")
            await #expect(throws: DomainError.membership(.invitationsFull)) {
                try await stage.invite(to: bike, by: owner, .manage, secret: "own")
            }
            try await store.cancelMemberInvitation(first.id, of: bike, by: stage.act(of: owner))
            let own = try await stage.invite(to: bike, by: owner, .manage, secret: "own")
            await #expect(throws: DomainError.membership(.roleNeeded(.owner))) {
                try await store.cancelMemberInvitation(own.id, of: bike, by: stage.act(of: leaving))
            }
            let removedID = try await stage.membership(of: removed, on: bike).id
            try await store.removeMember(removedID, of: bike, by: stage.act(of: owner))
            let left = try await store.memberInvitations(of: bike, by: owner, at: stage.now)
            #expect(Set(left.map(\.id)) == [last.id, own.id])
            let leavingID = try await stage.membership(of: leaving, on: bike).id
            try await store.removeMember(leavingID, of: bike, by: stage.act(of: leaving))
            #expect(try await store.memberInvitations(of: bike, by: owner, at: stage.now) == [own])
            for secret in (1..<MemberRules.mostInvitations).map({ "\($0)" }) + ["last"] {
                await #expect(throws: DomainError.membership(.invitationUnusable)) {
                    try await stage.join(friend, secret: secret)
                }
            }
            #expect(try await stage.join(friend, secret: "own").role == .manage)
        },
        StoreContract("a repeated invitation gets a new secret, and a repeated joining finds the bike") {
            store, stage in
            let (owner, friend) = (try await stage.owner(), try await stage.owner())
            let bike = try await stage.bike(of: owner, Samples.identity(1)).id
            let once = stage.onceKey("a", of: owner)
            let first = try await stage.invite(to: bike, by: owner, .see, secret: "1", once: once)
            #expect(try await stage.invite(to: bike, by: owner, .see, secret: "2", once: once).id == first.id)
            await #expect(throws: DomainError.membership(.invitationUnusable)) {
                try await stage.join(friend, secret: "1")
            }
            let joining = stage.onceKey("b", of: friend)
            let joined = try await stage.join(friend, secret: "2", once: joining)
            #expect(try await stage.join(friend, secret: "2", once: joining) == joined)
            #expect(try await store.members(of: bike, by: owner).count == 1)
            await #expect(throws: DomainError.membership(.invitationUnusable)) {
                try await stage.invite(to: bike, by: owner, .see, secret: "3", once: once)
            }
        },
        StoreContract("members, open invitations and invitations a day are limited") { store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1)).id
            for number in 1...MemberRules.mostInvitations {
                try await stage.invite(to: bike, by: owner, .see, secret: "\(number)")
            }
            await #expect(throws: DomainError.membership(.invitationsFull)) {
                try await stage.invite(to: bike, by: owner, .see, secret: "more")
            }
            for number in 1...MemberRules.mostInvitations {
                try await stage.join(try await stage.owner(), secret: "\(number)")
            }
            await #expect(throws: DomainError.membership(.membersFull)) {
                try await stage.invite(to: bike, by: owner, .see, secret: "more")
            }
            let second = try await stage.bike(of: owner, Samples.identity(2)).id
            for _ in MemberRules.mostInvitations..<MemberRules.invitationsPerDay {
                let made = try await stage.invite(to: second, by: owner, .see, secret: "\(stage.newID() as BikeID)")
                try await store.cancelMemberInvitation(made.id, of: second, by: stage.act(of: owner))
            }
            await #expect(throws: DomainError.tooManyToday(.invitations, retryAfter: .days(1))) {
                try await stage.invite(to: second, by: owner, .see, secret: "more")
            }
        },
        StoreContract("a manager decides about members with smaller roles, the owner about all, and everybody leaves") {
            store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1)).id
            let (manager, other) = (
                try await stage.member(of: bike, of: owner, .manage),
                try await stage.member(of: bike, of: owner, .manage)
            )
            let friend = try await stage.member(of: bike, of: manager, .see)
            let ids = try await store.members(of: bike, by: manager)
            #expect(ids.count == 3 && ids.last?.invitedBy == ids.first?.id)
            #expect(try await store.members(of: bike, by: friend).map(\.current) == [true])
            let (otherID, friendID) = (ids[1].id, ids[2].id)
            let needsOwner = DomainError.membership(.roleNeeded(.owner))
            await #expect(throws: needsOwner) { try await stage.invite(to: bike, by: manager, .manage, secret: "m") }
            await #expect(throws: needsOwner) {
                _ = try await store.changeRole(of: friendID, on: bike, to: .manage, by: stage.act(of: manager))
            }
            await #expect(throws: needsOwner) {
                _ = try await store.changeRole(of: otherID, on: bike, to: .see, by: stage.act(of: manager))
            }
            await #expect(throws: needsOwner) {
                try await store.removeMember(otherID, of: bike, by: stage.act(of: manager))
            }
            for id in [otherID, ids[0].id] {
                await #expect(throws: DomainError.membership(.roleNeeded(.manage))) {
                    try await store.removeMember(id, of: bike, by: stage.act(of: friend))
                }
            }
            let raised = try await store.changeRole(of: friendID, on: bike, to: .report, by: stage.act(of: manager))
            #expect(raised.role == .report)
            #expect(try await store.bike(bike, of: friend)?.role == .report)
            try await store.removeMember(friendID, of: bike, by: stage.act(of: friend))
            #expect(try await store.bike(bike, of: friend) == nil)
            try await store.removeMember(otherID, of: bike, by: stage.act(of: owner))
            await #expect(throws: DomainError.notFound("bike")) {
                _ = try await store.members(of: bike, by: other)
            }
            await #expect(throws: DomainError.notFound("member")) {
                try await store.removeMember(otherID, of: bike, by: stage.act(of: owner))
            }
        },
    ]

    static let memberLives = [
        StoreContract("memberships end with a transfer, with the bike and with either account, and exports name them") {
            store, stage in
            let (owner, taker) = (try await stage.owner(), try await stage.owner())
            var bikes: [Bike] = []
            var friends: [OwnerID] = []
            for minor in 1...3 as ClosedRange<UInt16> {
                bikes.append(try await stage.bike(of: owner, Samples.identity(minor)))
                friends.append(try await stage.member(of: bikes[bikes.count - 1].id, of: owner, .manage))
                _ = try await stage.channel(of: friends[friends.count - 1])
            }
            try await stage.invite(to: bikes[0].id, by: owner, .see)
            let export = try await store.export(of: owner, at: stage.now)
            #expect(export.bikes.map(\.members.count) == [1, 1, 1] && export.memberships == [])
            #expect(export.bikes.map(\.invitations.count) == [1, 0, 0])
            let theirs = try await store.export(of: friends[0], at: stage.now)
            #expect(theirs.bikes == [] && theirs.memberships.map(\.bike.id) == [bikes[0].id])
            #expect(theirs.activity.map(\.action).contains("member.joined"))
            try await store.offerTransfer(
                of: bikes[0].id, code: SecretDigest(of: "code"), expires: stage.now.advanced(by: .seconds(60)),
                by: stage.act(of: owner))
            _ = try await store.acceptTransfer(code: SecretDigest(of: "code"), by: stage.act(of: taker), once: nil)
            #expect(try await store.bike(bikes[0].id, of: friends[0]) == nil)
            #expect(try await store.members(of: bikes[0].id, by: taker) == [])
            await #expect(throws: DomainError.membership(.invitationUnusable)) { try await stage.join(owner) }
            try await store.eraseBike(bikes[1], by: stage.act(of: owner))
            #expect(try await store.bikes(of: friends[1], PageRequest(limit: 9)).items == [])
            stage.clock.advance(by: .days(1))
            #expect(
                Set(try await stage.deliver().compactMap(\.content.notice?.event)).isSuperset(of: [.membershipEnded]))
            let account = try #require(try await store.owner(friends[2]))
            try await store.eraseOwner(account, by: stage.act(of: friends[2]))
            #expect(try await store.members(of: bikes[2].id, by: owner) == [])
            let last = try await stage.member(of: bikes[2].id, of: owner, .see)
            try await store.eraseOwner(try #require(try await store.owner(owner)), by: stage.act(of: owner))
            #expect(try await store.bikes(of: last, PageRequest(limit: 9)).items == [])
            _ = try await store.verifyAudit(nil, against: [])
        },
        StoreContract("members are alerted on their own channels, by their own quiet hours, until they are removed") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            let (friend, sleeper) = (
                try await stage.member(of: report.bike, of: owner, .see),
                try await stage.member(of: report.bike, of: owner, .see)
            )
            for member in [friend, sleeper] { _ = try await stage.channel(of: member) }
            try await stage.sleep(sleeper, for: .seconds(7200))
            try await stage.deliver()
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
            #expect(Set(try await stage.deliver().map(\.owner)) == [owner, friend])
            let id = try await stage.membership(of: sleeper, on: report.bike).id
            try await store.removeMember(id, of: report.bike, by: stage.act(of: owner))
            stage.clock.advance(by: .seconds(9000))
            let later = try await stage.deliver()
            #expect(later.filter { $0.owner == sleeper }.compactMap(\.content.sighting) == [])
            _ = try await stage.record(Samples.visit(2, from: stage.now), by: station)
            let next = try await stage.deliver().filter { $0.content.sighting != nil }
            #expect(Set(next.map(\.owner)) == [owner, friend])
        },
        StoreContract("what a member does with a search is announced to the owner, who did it and at once") {
            store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let friend = try await stage.member(of: bike.id, of: owner, .report)
            let other = try await stage.member(of: bike.id, of: owner, .see)
            for account in [owner, friend, other] { _ = try await stage.channel(of: account) }
            try await stage.sleep(owner, for: .seconds(7200))
            try await stage.deliver()
            let report = try await stage.openReport(on: bike.id, of: friend)
            #expect(report.openedBy == "Anna")
            #expect(try await store.report(ReportPath(report, of: owner))?.openedBy == "Anna")
            let opened = try await stage.deliver()
            #expect(opened.filter { $0.owner == owner }.compactMap(\.content.notice?.event) == [.reportOpened])
            #expect(opened.compactMap(\.content.notice?.member) == ["Anna"])
            #expect(!opened.contains { $0.owner == friend })
            let patch = MissingReportPatch(["note": "behind the station"])
            _ = try await store.changeReport(report.id, on: bike.id, patch, by: stage.act(of: friend))
            let changed = try await stage.notices(to: owner)
            #expect(changed.map(\.event) == [.reportChanged] && changed.map(\.member) == ["Anna"])
            // The owner's recovery code is nobody else's matter.
            for code in [nil, "code"] {
                await #expect(throws: DomainError.membership(.roleNeeded(.owner))) {
                    _ = try await store.changeReport(
                        report.id, on: bike.id, MissingReportPatch(["policeReference": .null]),
                        by: stage.act(of: friend, recoveryCode: code))
                }
            }
            _ = try await stage.close(report, of: friend)
            let closed = try await stage.deliver()
            let told = closed.filter { $0.owner == owner }.compactMap(\.content.notice)
            #expect(told.map(\.event) == [.reportClosed] && told.map(\.member) == ["Anna"])
            // It is day, so members are notified at once, but do not learn who did it.
            let calm = (opened + closed).filter { $0.owner == other }.compactMap(\.content.notice)
            #expect(calm.map(\.event) == [.reportOpened, .reportClosed])
            #expect(calm.allSatisfy { $0.isShared == true && $0.member == nil })
            let events = try await store.export(of: owner, at: stage.now).activity
            let actions = events.filter { $0.principal == "owner:\(friend)" }.map(\.action)
            #expect(Set(actions).isSuperset(of: ["report.opened", "report.changed", "report.closed"]))
        },
        StoreContract("a member who reads an alert silences the own channels, and never those of the owner") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            let late = try await stage.channel(of: owner, after: 15).channel
            let friend = try await stage.member(of: report.bike, of: owner, .see)
            _ = try await stage.channel(of: friend)
            let friends = try await stage.channel(of: friend, after: 15).channel
            try await stage.deliver()
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
            let alerts = try await stage.deliver()
            let read = try #require(alerts.first { $0.owner == friend })
            _ = try await store.acknowledgeAlert(read.id, at: stage.now)
            #expect(try await stage.sightings(of: report, by: owner).map(\.acknowledged) == [nil])
            stage.clock.advance(by: .seconds(900))
            let later = try await stage.deliver().map(\.channel.id)
            #expect(later.contains(late.id) && !later.contains(friends.id))
        },
        StoreContract("what a member does is counted for the member, and needs room with the owner") { _, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let friend = try await stage.member(of: bike.id, of: owner, .manage)
            for account in [owner, friend] { try await stage.allow(account, QuotaExceptions(openReports: 1)) }
            for _ in 1...4 {
                _ = try await stage.close(try await stage.openReport(on: bike.id, of: friend), of: friend)
            }
            await #expect(throws: DomainError.tooManyToday(.reports, retryAfter: .days(1))) {
                _ = try await stage.openReport(on: bike.id, of: friend)
            }
            _ = try await stage.openReport(on: bike.id, of: owner)
            try await stage.allow(owner, QuotaExceptions(photos: 1))
            try await stage.addPhoto(to: bike, of: friend)
            await #expect(throws: DomainError.quotaReached(.photos, most: 1)) {
                try await stage.addPhoto(to: bike, of: friend)
            }
        },
    ]
}

extension Stage {
    /// Sets quiet hours from now on.
    func sleep(_ owner: OwnerID, for time: Duration) async throws {
        let begin = Int(now.milliseconds / 60_000 % 1440)
        let end = (begin + Int(time / .seconds(60))) % 1440
        var patch = OwnerPatch()
        try patch.set("quietHours", QuietHours(from: TimeOfDay(minute: begin), to: TimeOfDay(minute: end)))
        let account = try await store.owner(owner) ?? Owner(id: owner, created: now)
        // While a bike is missing, quiet hours need a recovery code: this is called before.
        _ = try await store.changeOwner(account, to: patch.applied(to: account, at: now), by: act(of: owner))
    }
}
