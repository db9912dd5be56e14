import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    /// Acts that leave permanent rows, each as often as an owner may do it in a day.
    static let dailyUses = [
        StoreContract("changes to bikes, photos' order and beacons have a daily allowance") { store, stage in
            let owner = try await stage.owner()
            try await stage.allow(owner, QuotaExceptions(bikes: 2))
            var bike = try await stage.bike(of: owner, Samples.identity(1))
            let other = try await stage.bike(of: owner, Samples.identity(2))
            try await stage.expectAllowance(.bikeChanges, of: owner) { number in
                var changed = bike
                changed.notes = "\(number)"
                bike = try await store.changeBike(bike, to: changed, by: stage.act(of: owner))
            }
            let photos = [
                try await stage.addPhoto(to: bike, of: owner), try await stage.addPhoto(to: bike, of: owner),
            ].map(\.photo.id)
            try await stage.expectAllowance(.photoOrders, of: owner) { number in
                let order = number % 2 == 0 ? Array(photos.reversed()) : photos
                _ = try await store.orderPhotos(order, of: bike.id, by: stage.act(of: owner))
            }
            try await stage.expectAllowance(.photoConsents, of: owner) { number in
                var entropy = stage.entropy
                let consent = number % 2 == 0 ? StaffPhotoConsent(using: &entropy) : nil
                _ = try await store.setConsent(consent, to: photos[0], of: bike.id, by: stage.act(of: owner))
            }
            try await stage.expectAllowance(.exchanges, of: owner) { _ in
                let now = try #require(try await store.bike(bike.id, of: owner))
                _ = try await store.exchangeBeacons(of: now, with: other.id, by: stage.act(of: owner))
            }
            try await stage.expectAllowance(.transferOffers, of: owner) { number in
                try await store.offerTransfer(
                    of: bike.id, code: SecretDigest(of: "\(number)"), expires: stage.now.advanced(by: .seconds(60)),
                    by: stage.act(of: owner))
            }
        },
        StoreContract("changes to reports, roles, channels and the account have a daily allowance") { store, stage in
            let owner = try await stage.owner()
            try await stage.allow(owner, QuotaExceptions(channels: 1, openReports: 1))
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            var account = try #require(try await store.owner(owner))
            try await stage.expectAllowance(.accountChanges, of: owner) { number in
                var changed = account
                changed.language = number % 2 == 0 ? .de : .en
                account = try await store.changeOwner(account, to: changed, by: stage.act(of: owner))
            }
            let member = try await stage.member(of: bike.id, of: owner, .see)
            let id = try await stage.membership(of: member, on: bike.id).id
            try await stage.expectAllowance(.roleChanges, of: owner) { number in
                let role = number % 2 == 0 ? MemberRole.report : .see
                _ = try await store.changeRole(of: id, on: bike.id, to: role, by: stage.act(of: owner))
            }
            var channel = try await stage.channel(of: owner).channel
            try await stage.expectAllowance(.channelChanges, of: owner) { number in
                var changed = channel
                changed.after = number % 2 == 0 ? 60 : nil
                channel = try await store.changeChannel(
                    channel, to: changed, ChannelSettings(), by: stage.act(of: owner), verification: nil)
            }
            let report = try await stage.openReport(on: bike.id, of: owner)
            try await stage.expectAllowance(.reportChanges, of: owner) { number in
                var patch = MissingReportPatch()
                try patch.set("note", "\(number)")
                _ = try await store.changeReport(report.id, on: bike.id, patch, by: stage.act(of: owner))
            }
        },
        StoreContract("tokens, passkeys, sign-ins and recovery codes have a daily allowance") { store, stage in
            let owner = try await stage.owner(codes: ["0"])
            try await stage.allow(owner, QuotaExceptions(tokens: 3))
            let kept = try await stage.token("kept", of: owner)
            stage.clock.advance(by: DailyUse.window)
            try await stage.expectAllowance(.tokens, of: owner) { number in
                let token = try await stage.token("\(number)", of: owner)
                // Ending something is never refused.
                try await store.revokeToken(token.id, by: stage.act(of: owner))
            }
            let passkey = try await stage.passkey(of: owner)
            stage.clock.advance(by: DailyUse.window)
            try await stage.expectAllowance(.tokenUses, of: owner) { number in
                _ = try await stage.signIn("t\(number)", by: .token(SecretDigest(of: "kept")))
            }
            try await stage.expectAllowance(.passkeyUses, of: owner) { number in
                _ = try await stage.signIn("p\(number)", by: .passkey(passkey, counter: 0))
            }
            stage.clock.advance(by: DailyUse.window)
            try await stage.expectAllowance(.passkeys, of: owner) { _ in
                try await store.removePasskey(try await stage.passkey(of: owner), by: stage.act(of: owner))
            }
            var code = 0
            try await stage.expectAllowance(.recoveryCodes, of: owner) { _ in
                try await store.replaceRecoveryCodes(
                    with: [SecretDigest(of: "\(code + 1)")], by: stage.act(of: owner, recoveryCode: "\(code)"))
                code += 1
            }
            try await store.revokeToken(kept.id, by: stage.act(of: owner))
        },
        StoreContract("messages to finders have a daily allowance; a member's acts use up nothing of the owner's") {
            store, stage in
            let (owner, bike) = try await stage.stickered()
            let friend = try await stage.member(of: bike.id, of: owner, .manage)
            let begin = { (number: Int) in
                try await stage.begin("\(number)", about: .code, from: .number(number))
                return try #require(try await stage.conversation("\(number)")?.id)
            }
            var id = try await begin(0)
            for number in 0..<DailyUse.messages.limit(for: Quotas()) {
                if number % MessageRules.unanswered == 0 { id = try await begin(number + 1) }
                try await stage.answer("\(number)", in: id, of: bike.id, by: friend)
            }
            id = try await begin(1000)
            await #expect(throws: DomainError.tooManyToday(.messages, retryAfter: DailyUse.window)) {
                try await stage.answer("more", in: id, of: bike.id, by: friend)
            }
            try await stage.end(id, of: bike.id, by: friend)
            try await stage.answer("hello", in: try await begin(1001), of: bike.id, by: owner)
        },
    ]
}

extension Stage {
    /// Checks that an act is possible as often as its allowance says, and again when the first is a day old.
    fileprivate func expectAllowance(
        _ use: DailyUse, of owner: OwnerID, location: SourceLocation = #_sourceLocation,
        _ act: (Int) async throws -> Void
    ) async throws {
        let most = use.limit(for: try await store.review(of: owner).quotas)
        for number in 0..<most { try await act(number) }
        await #expect(
            throws: DomainError.tooManyToday(use, retryAfter: DailyUse.window), sourceLocation: location
        ) {
            try await act(most)
        }
        clock.advance(by: DailyUse.window)
        try await act(most)
    }
}
