import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    static let channels = [
        StoreContract("a channel is listed for its owner until it is removed") { store, stage in
            let owner = try await stage.owner()
            let other = try await stage.owner()
            let channel = try await stage.channel(of: owner).channel
            #expect(try await store.channels(of: owner, PageRequest(limit: 9)).items == [channel])
            #expect(try await store.channels(of: other, PageRequest(limit: 9)).items == [])
            await #expect(throws: DomainError.notFound("channel")) {
                try await store.removeChannel(channel, by: stage.act(of: other))
            }
            try await store.removeChannel(channel, by: stage.act(of: owner))
            #expect(try await store.channels(of: owner, PageRequest(limit: 9)).items == [])
        },
        StoreContract("a channel's settings can be read back with it and with its alerts") { store, stage in
            let (owner, _, station) = try await stage.missingBike(hasChannel: false)
            let settings = ChannelSettings(
                environment: .sandbox, accessToken: "tk_1", keys: PushKeys(p256dh: "point", auth: "secret")
            )
            let channel = Channel(
                id: stage.newID(), kind: .apns, address: "00", coordinates: true, after: nil, environment: .sandbox,
                created: stage.now
            )
            let secret = try await stage.add(channel, settings, of: owner)
            #expect(try await store.channel(channel.id, of: owner) == channel)
            let linked = LinkedChannel(owner: owner, channel: channel, settings: settings, secret: secret)
            #expect(try await store.linkedChannel(channel.id) == linked)
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            let target = try #require(try await stage.claim().first).channel
            #expect(target.kind == .apns && target.coordinates && target.settings == settings)
        },
        StoreContract("a channel that no longer works is removed with its alerts, and the others get a notice") {
            store, stage in
            let (owner, _, station) = try await stage.missingBike()
            let other = try await stage.channel(of: owner).channel
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            let alert = try #require(try await stage.claim().first { $0.channel.id != other.id })
            try await store.settle(
                alert.id, attempt: 1, as: .gone(reason: "gone"), at: stage.now, using: stage.entropy
            )
            #expect(try await store.channels(of: owner, PageRequest(limit: 9)).items.map(\.id) == [other.id])
            let told = try await stage.claim()
            #expect(told.map(\.channel.id) == [other.id])
            #expect(told.first?.content.notice?.event == .channelGone)
        },
        StoreContract("a late result of an earlier attempt does not remove a channel") {
            store, stage in
            let (owner, _, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            let alert = try #require(try await stage.claim().first)
            stage.clock.advance(by: .seconds(61))
            _ = try await stage.claim()
            try await store.settle(alert.id, attempt: 1, as: .gone(reason: "gone"), at: stage.now, using: stage.entropy)
            #expect(try await store.channels(of: owner, PageRequest(limit: 9)).items.count == 1)
        },
        StoreContract("the store remembers which of Apple’s services knows a device") { store, stage in
            let (owner, _, station) = try await stage.missingBike(hasChannel: false)
            let channel = Channel(id: stage.newID(), kind: .apns, address: "00", created: stage.now)
            _ = try await stage.add(channel, ChannelSettings(), of: owner)
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            let alert = try #require(try await stage.claim().first)
            try await store.settle(alert.id, attempt: 1, as: .deliveredBy(.sandbox), at: stage.now)
            #expect(try await store.channel(channel.id, of: owner)?.environment == .sandbox)
            #expect(try await store.linkedChannel(channel.id)?.settings.environment == .sandbox)
        },
        StoreContract("an unverified address gets only the verification message; once verified, it gets alerts") {
            store, stage in
            let (owner, _, station) = try await stage.missingBike(hasChannel: false)
            let channel = Channel(id: stage.newID(), kind: .email, address: "me@example.org", created: stage.now)
            let question = stage.question()
            _ = try await stage.add(channel, ChannelSettings(), of: owner, question)
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            let asked = try await stage.claim()
            #expect(asked.map(\.id) == [question.id])
            #expect(asked.first?.content.notice == question.notice)
            let linked = try #require(try await store.linkedChannel(channel.id))
            try await store.verify(linked, at: stage.now)
            #expect(try await store.channel(channel.id, of: owner)?.verified == stage.now)
            try await store.settle(question.id, attempt: 1, as: .delivered, at: stage.now)
            stage.clock.advance(by: .seconds(3600))
            _ = try await stage.record(Samples.visit(2, from: stage.now), by: station)
            #expect(try await stage.claim().count == 1)
        },
        StoreContract("a new address gets a verification message, and waiting alerts still go to the old one") {
            store, stage in
            let owner = try await stage.owner()
            var channel = Channel(id: stage.newID(), kind: .email, address: "me@example.org", created: stage.now)
            channel.verified = stage.now
            _ = try await stage.add(channel, ChannelSettings(), of: owner)
            let webhook = try await stage.channel(of: owner).channel
            try await store.removeChannel(webhook, by: stage.act(of: owner))
            var moved = channel
            moved.address = "other@example.org"
            moved.verified = nil
            _ = try await store.changeChannel(
                channel, to: moved, ChannelSettings(), by: stage.act(of: owner), verification: stage.question()
            )
            let events = try await stage.claim().map {
                "\($0.channel.address) \($0.content.notice?.event.rawValue ?? "")"
            }
            #expect(
                Set(events) == [
                    "https://example.org/hook channel.removed", "me@example.org channel.removed",
                    "me@example.org channel.changed", "other@example.org channel.verification",
                ]
            )
        },
        StoreContract("unsubscribing removes the channel, and the others get a notice") { store, stage in
            let owner = try await stage.owner()
            let (channel, other) = (
                try await stage.channel(of: owner).channel, try await stage.channel(of: owner).channel
            )
            let linked = try #require(try await store.linkedChannel(channel.id))
            try await store.unsubscribe(linked, at: stage.now, using: stage.entropy)
            try await store.unsubscribe(linked, at: stage.now, using: stage.entropy)
            #expect(try await store.linkedChannel(channel.id) == nil)
            #expect(try await store.channels(of: owner, PageRequest(limit: 9)).items == [other])
            #expect(try await stage.claim().map(\.content.notice?.event) == [.channelRemoved])
        },
        StoreContract("five verification messages and five tests an hour are sent, counted separately") {
            store, stage in
            let owner = try await stage.owner()
            let channel = Channel(id: stage.newID(), kind: .email, address: "me@example.org", created: stage.now)
            _ = try await stage.add(channel, ChannelSettings(), of: owner, stage.question())
            for _ in 1..<5 {
                stage.clock.advance(by: .seconds(60))
                try await store.ask(stage.question(), of: channel.id, of: owner, at: stage.now)
            }
            let wait = DomainError.tooManyMessages(retryAfter: .seconds(3600 - 240))
            await #expect(throws: wait) {
                try await store.ask(stage.question(), of: channel.id, of: owner, at: stage.now)
            }
            for _ in 0..<5 { try await store.noteTest(of: owner, at: stage.now) }
            await #expect(throws: DomainError.tooManyMessages(retryAfter: .seconds(3600))) {
                try await store.noteTest(of: owner, at: stage.now)
            }
            stage.clock.advance(by: .seconds(3600))
            let another = Channel(id: stage.newID(), kind: .email, address: "other@example.org", created: stage.now)
            _ = try await stage.add(another, ChannelSettings(), of: owner, stage.question())
            try await store.noteTest(of: owner, at: stage.now)
        },
        StoreContract("a mailbox gets five verification messages a day at most, in any spelling, for any owner") {
            store, stage in
            let ask = { (owner: OwnerID, address: String) in
                let channel = Channel(id: stage.newID(), kind: .email, address: address, created: stage.now)
                _ = try await stage.add(channel, ChannelSettings(), of: owner, stage.question())
            }
            for address in ["Jo.Doe@Example.org", "jodoe@example.org", "jo.doe+1@example.org", "JODOE@example.org"] {
                try await ask(try await stage.owner(), address)
            }
            // Messages still count after the owner is erased and registers again.
            let erased = try await stage.owner()
            try await ask(erased, "j.o.doe@example.org")
            try await store.eraseOwner(try #require(try await store.owner(erased)), by: stage.act(of: erased))
            let owner = try await stage.owner()
            let refusal = DomainError.tooManyMessages(retryAfter: .seconds(3600))
            await #expect(throws: refusal) { try await ask(owner, "jodoe@example.org") }
            #expect(try await store.channels(of: owner, PageRequest(limit: 9)).items == [])
            try await ask(owner, "jodoe@example.net")
            stage.clock.advance(by: .seconds(86_399))
            try await store.deleteLeftovers(at: stage.now)
            await #expect(throws: refusal) { try await ask(owner, "jodoe@example.org") }
            stage.clock.advance(by: .seconds(1))
            try await store.deleteLeftovers(at: stage.now)
            try await ask(owner, "jodoe@example.org")
        },
        StoreContract("an owner can list a channel's messages, the latest first, with their states") {
            store, stage in
            let (owner, _, station) = try await stage.missingBike()
            let channel = try #require(try await store.channels(of: owner, PageRequest(limit: 1)).items.first)
            for number in 1...3 as ClosedRange<UInt64> {
                stage.clock.advance(by: .seconds(3600))
                _ = try await stage.record(Samples.visit(number, from: stage.now), by: station)
            }
            let alerts = try await stage.claim()
            let next = stage.now.advanced(by: .seconds(9))
            try await store.settle(alerts[0].id, attempt: 1, as: .delivered, at: stage.now)
            try await store.settle(alerts[1].id, attempt: 1, as: .retry(at: next, reason: "busy"), at: stage.now)
            try await store.settle(alerts[2].id, attempt: 1, as: .givenUp(reason: "no"), at: stage.now)
            let first = try await store.deliveries(to: channel.id, of: owner, PageRequest(limit: 2))
            #expect(first.items.map(\.id) == [alerts[2].id, alerts[1].id])
            #expect(first.items.map(\.lastError) == ["no", "busy"] && first.items.map(\.next) == [nil, next])
            let rest = try await store.deliveries(to: channel.id, of: owner, PageRequest(after: first.next, limit: 2))
            #expect(rest.items.map(\.delivered) == [stage.now] && rest.next == nil)
            #expect(rest.items.first?.event == "sighting.created" && rest.items.first?.attempts == 1)
            let other = try await stage.owner()
            #expect(try await store.deliveries(to: channel.id, of: other, PageRequest(limit: 9)).items.isEmpty)
        },
        StoreContract("a kind of channel without free slots does not block the alerts of other kinds") { store, stage in
            let (owner, _, station) = try await stage.missingBike()
            let channel = Channel(id: stage.newID(), kind: .apns, address: "00", created: stage.now)
            _ = try await stage.add(channel, ChannelSettings(), of: owner)
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            let lease = stage.now.advanced(by: .seconds(60))
            let claimed = try await store.claimAlerts(at: stage.now, leaseUntil: lease, limits: [.apns: 5])
            #expect(claimed.map(\.channel.kind) == [.apns])
            #expect(try await store.nextAlertDue(of: [.webhook]) == stage.now)
            #expect(try await store.nextAlertDue(of: [.apns]) == lease)
            #expect(try await store.nextAlertDue(of: []) == nil)
        },
        StoreContract("an owner who has used their share leaves the other slots free, and their alerts are not due") {
            store, stage in
            let (busy, other) = (try await stage.owner(), try await stage.owner())
            for (owner, count) in [(busy, 4), (other, 2)] {
                for _ in 0..<count {
                    let channel = Channel(
                        id: stage.newID(), kind: .webhook, address: "https://\(owner)", created: stage.now)
                    _ = try await stage.add(channel, ChannelSettings(), of: owner, stage.question())
                }
            }
            let lease = stage.now.advanced(by: .seconds(60))
            let claim = { (places: DeliveryPlaces) in
                try await store.claimAlerts(at: stage.now, leaseUntil: lease, places: [.webhook: [.fresh: places]])
                    .alerts
            }
            var places = DeliveryPlaces(4, ofOwner: 2)
            let first = try await claim(places)
            #expect(first.map(\.owner) == [busy, busy, other] && first.allSatisfy { $0.standing == .fresh })
            for alert in first { places.take(alert.owner, server: alert.server) }
            places.most = 8
            #expect(try await store.nextAlertDue(for: [.webhook: [.fresh: places]]) == stage.now)
            let second = try await claim(places)
            #expect(second.map(\.owner) == [other])
            for alert in second { places.take(alert.owner, server: alert.server) }
            #expect(try await store.nextAlertDue(for: [.webhook: [.fresh: places]]) == nil)
            #expect(try await stage.claim().map(\.owner) == [busy, busy])
        },
        StoreContract("receivers that failed or were slow have separate slots until they respond promptly again") {
            store, stage in
            let owner = try await stage.owner()
            _ = try await stage.channel(of: owner)
            /// Delivers the next notice to a receiver that responds after this time; returns its standing before that.
            let tell = { (time: Duration, settlement: AlertSettlement) in
                _ = try await stage.token("t\(stage.now)", of: owner)
                stage.clock.advance(by: .seconds(3601))
                let alert = try #require(try await stage.claim(limit: 1).first)
                stage.clock.advance(by: time)
                try await store.settle(alert.id, attempt: alert.attempt, as: settlement, at: stage.now)
                return alert.standing
            }
            let (prompt, slow) = (Duration.seconds(1), Duration.seconds(6))
            #expect(try await tell(prompt, .delivered) == .fresh)
            #expect(try await tell(prompt, .givenUp(reason: "refused")) == .proven)
            #expect(try await tell(prompt, .delivered) == .failing)
            #expect(try await tell(slow, .delivered) == .proven)
            #expect(try await tell(prompt, .delivered) == .failing)
            #expect(try await tell(prompt, .delivered) == .proven)
        },
        StoreContract("channels take turns, however many alerts one has and however long they are due") {
            store, stage in
            let (busy, other) = (try await stage.owner(), try await stage.owner())
            for owner in [busy, other] {
                _ = try await stage.channel(of: owner)
                _ = try await stage.token("first of \(owner)", of: owner)
            }
            try await stage.deliver()
            stage.clock.advance(by: .seconds(3601))
            for number in 1...3 { _ = try await stage.token("t\(number)", of: busy) }
            stage.clock.advance(by: .seconds(1))
            _ = try await stage.token("t4", of: other)
            for owner in [busy, other, busy, busy] {
                stage.clock.advance(by: .seconds(1))
                let alert = try #require(try await stage.claim(limit: 1).first)
                #expect(alert.owner == owner)
                try await store.settle(alert.id, attempt: 1, as: .delivered, at: stage.now)
            }
        },
    ]
}

extension Stage {
    fileprivate func add(
        _ channel: Channel, _ settings: ChannelSettings, of owner: OwnerID, _ question: ChannelVerification? = nil
    ) async throws -> SigningSecret {
        var entropy = entropy
        return try await store.addChannel(
            channel, settings, secret: SigningSecret(using: &entropy), of: owner, once: nil, verification: question
        ).secret
    }

    fileprivate func question() -> ChannelVerification {
        ChannelVerification(id: newID(), notice: OwnerNotice(.channelVerification, subject: "https://example.org/link"))
    }
}
