import Beacons
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    /// The quotas of an owner, and the rates of their notices.
    static let limits = [
        StoreContract(
            "quotas limit an owner's bikes, channels, tokens and open reports, unless an operator raises them"
        ) {
            store, stage in
            let owner = try await stage.owner()
            try await stage.allow(owner, QuotaExceptions(bikes: 2, channels: 1, tokens: 2, openReports: 1))
            let first = try await stage.bike(of: owner, Samples.identity(1))
            let second = try await stage.bike(of: owner, Samples.identity(2), once: stage.onceKey("a", of: owner))
            await #expect(throws: DomainError.quotaReached(.bikes, most: 2)) {
                _ = try await stage.bike(of: owner, Samples.identity(3))
            }
            // A repeated call returns the existing resource.
            #expect(
                try await stage.bike(of: owner, Samples.identity(2), once: stage.onceKey("a", of: owner)) == second)
            _ = try await stage.channel(of: owner)
            await #expect(throws: DomainError.quotaReached(.channels, most: 1)) {
                _ = try await stage.channel(of: owner)
            }
            _ = try await stage.token("phone", of: owner)
            await #expect(throws: DomainError.quotaReached(.tokens, most: 2)) {
                _ = try await stage.token("laptop", of: owner)
            }
            let report = try await stage.openReport(on: first.id, of: owner)
            await #expect(throws: DomainError.quotaReached(.openReports, most: 1)) {
                _ = try await stage.openReport(on: second.id, of: owner)
            }
            _ = try await stage.close(report, of: owner)
            _ = try await stage.openReport(on: second.id, of: owner)
            try await stage.allow(owner, QuotaExceptions())
            _ = try await stage.bike(of: owner, Samples.identity(3))
            #expect(try await store.review(of: owner).quotas.tokens == Quotas().tokens)
        },
        StoreContract("registering and erasing does not evade the limit: an identity is never reused") { store, stage in
            let owner = try await stage.owner()
            try await stage.allow(owner, QuotaExceptions(bikes: 2))
            let cycle = { (minor: UInt16) in
                let bike = try await stage.bike(of: owner, Samples.identity(minor))
                try await store.eraseBike(bike, by: stage.act(of: owner))
            }
            for minor in 1...4 as ClosedRange<UInt16> { try await cycle(minor) }
            await #expect(throws: DomainError.tooManyToday(.identities, retryAfter: DailyUse.window)) {
                try await cycle(5)
            }
            stage.clock.advance(by: DailyUse.window)
            try await cycle(5)
        },
        StoreContract("closing and reopening does not evade the limit: each report changes every station's list") {
            _, stage in
            let owner = try await stage.owner()
            try await stage.allow(owner, QuotaExceptions(openReports: 2))
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            for _ in 1...8 { _ = try await stage.close(try await stage.openReport(on: bike.id, of: owner), of: owner) }
            await #expect(throws: DomainError.tooManyToday(.reports, retryAfter: DailyUse.window)) {
                try await stage.openReport(on: bike.id, of: owner)
            }
            stage.clock.advance(by: DailyUse.window)
            _ = try await stage.openReport(on: bike.id, of: owner)
        },
        StoreContract("a recovery code lets the owner report again, after a thief has used up the reports of a day") {
            store, stage in
            let owner = try await stage.owner(codes: ["one"])
            try await stage.allow(owner, QuotaExceptions(openReports: 1))
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            for _ in 1...4 { _ = try await stage.close(try await stage.openReport(on: bike.id, of: owner), of: owner) }
            await #expect(throws: DomainError.tooManyToday(.reports, retryAfter: DailyUse.window)) {
                try await stage.openReport(on: bike.id, of: owner)
            }
            let token = NewToken(
                OwnerToken(id: stage.newID(), name: "new", scope: .manage, created: stage.now),
                digest: SecretDigest(of: "new"))
            _ = try await store.recover(
                code: SecretDigest(of: "one"), token: token, at: stage.now, using: stage.entropy)
            _ = try await stage.openReport(on: bike.id, of: owner)
        },
        StoreContract("a suspended owner can neither hand over nor take over a bike") { store, stage in
            let (giver, taker) = (try await stage.owner(), try await stage.owner())
            let bike = try await stage.bike(of: giver, Samples.identity(1))
            let (code, expires) = (SecretDigest(of: "code"), stage.now.advanced(by: .seconds(60)))
            try await store.offerTransfer(of: bike.id, code: code, expires: expires, by: stage.act(of: giver))
            for owner in [giver, taker] {
                _ = try await store.suspendOwner(owner, reason: nil, by: stage.operatorAct)
                await #expect(throws: DomainError.ownerSuspended) {
                    _ = try await store.acceptTransfer(code: code, by: stage.act(of: taker), once: nil)
                }
                _ = try await store.resumeOwner(owner, by: stage.operatorAct)
            }
            _ = try await store.suspendOwner(giver, reason: nil, by: stage.operatorAct)
            await #expect(throws: DomainError.ownerSuspended) {
                try await store.offerTransfer(of: bike.id, code: code, expires: expires, by: stage.act(of: giver))
            }
        },
        StoreContract("a bike that is handed over counts towards its new owner's quota") { store, stage in
            let (giver, taker) = (try await stage.owner(), try await stage.owner())
            try await stage.allow(taker, QuotaExceptions(bikes: 0))
            let bike = try await stage.bike(of: giver, Samples.identity(1))
            let code = SecretDigest(of: "code")
            let expires = stage.now.advanced(by: .seconds(60))
            try await store.offerTransfer(of: bike.id, code: code, expires: expires, by: stage.act(of: giver))
            await #expect(throws: DomainError.quotaReached(.bikes, most: 0)) {
                _ = try await store.acceptTransfer(code: code, by: stage.act(of: taker), once: nil)
            }
        },
        StoreContract("many notices of one kind are combined, and other kinds are not delayed") { store, stage in
            let owner = try await stage.owner()
            _ = try await stage.channel(of: owner)
            let report = try await stage.openReport(
                on: try await stage.bike(of: owner, Samples.identity(1)).id, of: owner)
            for number in 1...12 { _ = try await stage.token("t\(number)", of: owner) }
            #expect(try await stage.deliver().map(\.content.notice?.subject) == ["t1", "t2", "t3"])
            _ = try await stage.close(report, of: owner)
            #expect(try await stage.deliver().map(\.content.notice?.event) == [.reportClosed])
            let tell = { try await store.tellHeldNotices(limit: 9, at: stage.now, using: stage.entropy) }
            #expect(try await tell() == 0)
            stage.clock.advance(by: .seconds(3600))
            #expect(try await tell() == 1)
            let told = try await stage.deliver().compactMap(\.content.notice)
            #expect(told == [OwnerNotice(.tokenCreated, subject: "t12", count: 8)])
            #expect(try await tell() == 0)
        },
        StoreContract("closing a bike's report causes a notice at once, however many others were closed") { _, stage in
            let owner = try await stage.owner()
            _ = try await stage.channel(of: owner)
            let mine = try await stage.openReport(
                on: try await stage.bike(of: owner, Samples.identity(1)).id, of: owner)
            let decoy = try await stage.bike(of: owner, Samples.identity(2))
            for _ in 1...9 {
                _ = try await stage.close(try await stage.openReport(on: decoy.id, of: owner), of: owner)
            }
            #expect(try await stage.deliver().count == 3)
            _ = try await stage.close(mine, of: owner)
            #expect(try await stage.deliver().map(\.content.notice?.bike?.id) == [mine.bike])
        },
        StoreContract("a removed channel gets a notice of its removal, and its held-back notices") { store, stage in
            let owner = try await stage.owner()
            for _ in 1...4 {
                let decoy = try await stage.channel(of: owner).channel
                try await store.removeChannel(decoy, by: stage.act(of: owner))
            }
            let channel = try await stage.channel(of: owner).channel
            for number in 1...5 { _ = try await stage.token("t\(number)", of: owner) }
            try await stage.deliver()
            try await store.removeChannel(channel, by: stage.act(of: owner))
            let told = try await stage.deliver().filter { $0.channel.id == channel.id }.compactMap(\.content.notice)
            #expect(told.contains { $0.event == .channelRemoved })
            #expect(told.contains { $0.event == .tokenCreated && $0.subject == "t5" && $0.count == 1 })
        },
    ]

    /// The pending notices of a channel that is redirected or removed.
    static let oldAddresses = [
        StoreContract("held-back and waiting notices go to the previous address, never to a new one") { store, stage in
            let (owner, channel) = try await stage.ownerWithWaitingNotices()
            var moved = channel
            moved.address = "https://thief.example/hook"
            _ = try await store.changeChannel(
                channel, to: moved, ChannelSettings(), by: stage.act(of: owner), verification: nil)
            let told = try await stage.deliver()
            let elsewhere = told.filter { $0.channel.address == moved.address }.compactMap(\.content.notice)
            #expect(elsewhere.allSatisfy { $0.event == .channelChanged })
            let before = told.filter { $0.channel.address == channel.address }.compactMap(\.content.notice)
            #expect(before.count { $0.event == .tokenCreated } == NoticeRate.of(.tokenCreated).atOnce + 1)
            #expect(before.contains { $0.event == .tokenCreated && $0.subject == "t5" && $0.count == 1 })
            #expect(before.contains { $0.event == .channelChanged })
        },
        StoreContract("a channel whose credentials change sends waiting notices with the previous ones") {
            store, stage in
            let (owner, channel) = try await stage.ownerWithWaitingNotices()
            _ = try await store.changeChannel(
                channel, to: channel, ChannelSettings(accessToken: "wrong"), by: stage.act(of: owner),
                verification: nil)
            let told = try await stage.deliver().filter { $0.content.notice?.event == .tokenCreated }
            #expect(told.count == NoticeRate.of(.tokenCreated).atOnce + 1)
            #expect(told.allSatisfy { $0.channel.settings.accessToken == nil })
        },
        StoreContract("removing a channel drops none of its pending notices") { store, stage in
            let (owner, channel) = try await stage.ownerWithWaitingNotices()
            try await store.removeChannel(channel, by: stage.act(of: owner))
            let told = try await stage.deliver().compactMap(\.content.notice)
            #expect(told.count { $0.event == .tokenCreated } == NoticeRate.of(.tokenCreated).atOnce + 1)
            #expect(told.contains { $0.event == .channelRemoved })
            #expect(try await store.channels(of: owner, PageRequest(limit: 9)).items.isEmpty)
        },
    ]

    /// Finds reported by strangers.
    static let finds = [
        StoreContract("all finds stay in the history; more than five in six hours are combined, and none is urgent") {
            store, stage in
            let owner = try await stage.owner()
            _ = try await stage.channel(of: owner)
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            for number in 1...12 {
                try await store.addFind(Find(identity: bike.identity, message: "\(number)"), from: 1, at: stage.now)
            }
            _ = try await store.tellFinds(limit: 100, at: stage.now, using: stage.entropy)
            let told = try await stage.deliver()
            #expect(told.count == 5 && told.allSatisfy { !$0.isUrgent })
            let history = try await store.history(of: bike.id, owner: owner, PageRequest(limit: 100)).items
            #expect(history.compactMap(\.message) == (1...12).map(String.init))
            stage.clock.advance(by: .seconds(6 * 3600))
            _ = try await store.tellHeldNotices(limit: 9, at: stage.now, using: stage.entropy)
            #expect(try await stage.deliver().compactMap(\.content.notice?.count) == [6])
        },
        StoreContract("a find of a missing bike is urgent") { store, stage in
            let (_, _, _) = try await stage.missingBike()
            try await store.addFind(Find(identity: Samples.identity(1)), from: 1, at: stage.now)
            _ = try await store.tellFinds(limit: 9, at: stage.now, using: stage.entropy)
            #expect(try await stage.deliver().map(\.isUrgent) == [true])
        },
        StoreContract("a flood of finds displaces no other sender's finds, before, during or after it") {
            store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let tell = { (message: String, sender: Int64?) in
                let find = Find(identity: bike.identity, message: message)
                try await store.addFind(find, from: sender, at: stage.now)
                stage.clock.advance(by: .seconds(1))
            }
            try await tell("before", 2)
            for number in 1...560 { try await tell("\(number)", 1) }
            try await tell("amid", 3)
            for number in 561...1180 { try await tell("\(number)", 1) }
            try await tell("after", nil)
            while try await store.tellFinds(limit: 100, at: stage.now, using: stage.entropy) == 100 {}
            let history = try await store.history(of: bike.id, owner: owner, PageRequest(limit: 5000)).items
            let messages = history.compactMap(\.message)
            #expect(messages.count == FindRules.most)
            #expect(Set(["before", "amid", "after", "1"]).isSubset(of: messages) && !messages.contains("1180"))
            let told = AuditFilter(action: "find.told")
            let entries = try await store.auditEntries(told, PageRequest(limit: 2000)).items
            #expect(entries.count == FindRules.recordedPerDay)
        },
    ]
}

extension Stage {
    var operatorAct: OperatorAct {
        OperatorAct(id: OperatorID(high: 9, low: 9), time: now, entropy: entropy)
    }

    func allow(_ owner: OwnerID, _ exceptions: QuotaExceptions) async throws {
        _ = try await store.setQuotas(of: owner, exceptions, by: operatorAct)
    }

    /// An owner with a channel to which three notices are due and one is held back.
    func ownerWithWaitingNotices() async throws -> (owner: OwnerID, channel: Channel) {
        let owner = try await owner()
        let channel = try await channel(of: owner).channel
        for number in 1...NoticeRate.of(.tokenCreated).atOnce + 2 {
            _ = try await token("t\(number)", of: owner)
        }
        return (owner, channel)
    }
}
