import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension Stage {
    /// Adds a share whose secret is its name.
    @discardableResult
    func share(
        _ name: String = "share", on bike: BikeID, of owner: OwnerID, lasting time: Duration = ShareRules.usual,
        token: TokenID? = nil, once: IdempotencyKey? = nil
    ) async throws -> Share {
        let share = NewShare(
            id: newID(), digest: SecretDigest(of: name), label: name, created: now, ends: now.advanced(by: time),
            token: token)
        return try await store.addShare(share, on: bike, by: act(of: owner), once: once)
    }

    /// The number of sightings that a share shows.
    func shared(_ name: String = "share") async throws -> Int {
        try await store.sharedSightings(SecretDigest(of: name), at: now, PageRequest(limit: 100)).items.count
    }

    func open(_ name: String = "share") async throws -> OpenedShare {
        try await store.openShare(SecretDigest(of: name), at: now)
    }

    fileprivate func shares(on bike: BikeID, of owner: OwnerID) async throws -> [Share] {
        try await store.shares(on: bike, of: owner, PageRequest(limit: 100)).items
    }

    fileprivate func expect(
        _ error: DomainError, of name: String = "share", location: SourceLocation = #_sourceLocation
    ) async throws {
        await #expect(throws: error, sourceLocation: location) { _ = try await shared(name) }
        await #expect(throws: error, sourceLocation: location) {
            _ = try await store.sharedChanges(SecretDigest(of: name), at: now, after: 0, limit: 9)
        }
        await #expect(throws: error, sourceLocation: location) {
            _ = try await store.sharedPhoto(newID(), SecretDigest(of: name), at: now)
        }
    }
}

extension StoreContract {
    static let shares = [
        StoreContract("a share shows one open search until it ends, and is deleted a week later") { store, stage in
            let (owner, report, station) = try await stage.missingBike(hasChannel: false)
            let photo = try await stage.addPhoto(
                to: try #require(try await store.bike(report.bike, of: owner)), of: owner)
            let other = try await stage.bike(of: owner, Samples.identity(2))
            let otherPhoto = try await stage.addPhoto(to: other, of: owner)
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            let share = try await stage.share(on: report.bike, of: owner)
            #expect(share.report == report.id && share.views == 0)
            let opened = try await stage.open()
            #expect(opened.owner == owner && opened.report == report.id && opened.id == share.id)
            #expect(opened.search.bike.make == "Brompton" && opened.search.photos == [SharedPhoto(photo.photo)])
            #expect(try await stage.shared() == 1)
            let secret = SecretDigest(of: "share")
            #expect(try await store.sharedChanges(secret, at: stage.now, after: 0, limit: 9).count == 1)
            #expect(try await store.sharedPhoto(photo.photo.id, secret, at: stage.now) == photo)
            await #expect(throws: DomainError.notFound("photo")) {
                _ = try await store.sharedPhoto(otherPhoto.photo.id, secret, at: stage.now)
            }
            // It authenticates nobody.
            #expect(try await store.credential(token: secret) == nil)
            try await stage.expect(.shareUnknown, of: "other")
            stage.clock.advance(by: ShareRules.usual)
            try await stage.expect(.shareEnded)
            try await store.deleteLeftovers(at: stage.now)
            #expect(try await stage.shares(on: report.bike, of: owner).count == 1)
            stage.clock.advance(by: ShareRules.kept)
            try await store.deleteLeftovers(at: stage.now)
            #expect(try await stage.shares(on: report.bike, of: owner).isEmpty)
            try await stage.expect(.shareUnknown)
        },
        StoreContract("a share of a closed search says how it ended and shows no place; no other search is shown") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike(hasChannel: false)
            _ = try await stage.addPhoto(to: try #require(try await store.bike(report.bike, of: owner)), of: owner)
            try await stage.share(on: report.bike, of: owner)
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            stage.clock.advance(by: .seconds(600))
            _ = try await stage.close(report, of: owner)
            let search = try await stage.open().search
            #expect(search.closed == stage.now && search.outcome == .recovered && search.photos.isEmpty)
            try await stage.expect(.searchOver)
            await #expect(throws: DomainError.bikeNotMissing) { try await stage.share("b", on: report.bike, of: owner) }
            _ = try await stage.openReport(on: report.bike, of: owner)
            try await stage.expect(.searchOver)
            try await stage.share("b", on: report.bike, of: owner)
            #expect(try await stage.shared("b") == 0)
        },
        StoreContract("making and revoking a share is announced and recorded, and only its owner can do it") {
            store, stage in
            let (owner, report, _) = try await stage.missingBike()
            let other = try await stage.owner()
            try await stage.deliver()
            let share = try await stage.share("Police", on: report.bike, of: owner)
            let made = try await stage.deliver().compactMap(\.content.notice)
            #expect(made.map(\.event) == [.shareCreated] && made.first?.subject == "Police")
            for act in [
                { _ = try await stage.share("b", on: report.bike, of: other) },
                { _ = try await stage.shares(on: report.bike, of: other) },
                { try await store.revokeShare(share.id, on: report.bike, by: stage.act(of: other)) },
            ] {
                await #expect(throws: DomainError.notFound("bike")) { try await act() }
            }
            let second = try await stage.bike(of: owner, Samples.identity(2))
            await #expect(throws: DomainError.notFound("share")) {
                try await store.revokeShare(share.id, on: second.id, by: stage.act(of: owner))
            }
            try await store.revokeShare(share.id, on: report.bike, by: stage.act(of: owner))
            #expect(try await stage.deliver().compactMap(\.content.notice).map(\.event) == [.shareRevoked])
            try await stage.expect(.shareUnknown, of: "Police")
            let export = try await store.export(of: owner, at: stage.now)
            let actions = export.activity.map(\.action)
            #expect(actions.contains("share.created") && actions.contains("share.revoked"))
        },
        StoreContract("a share ends with the token that made it, and with the owner’s suspension and erasure") {
            store, stage in
            let (owner, report, _) = try await stage.missingBike(hasChannel: false)
            let token = try await stage.token("t", of: owner).id
            try await stage.share("a", on: report.bike, of: owner, token: token)
            let kept = try await stage.share("b", on: report.bike, of: owner)
            try await store.revokeToken(token, by: stage.act(of: owner))
            try await stage.expect(.shareUnknown, of: "a")
            await #expect(throws: DomainError.unauthenticated) {
                try await stage.share("c", on: report.bike, of: owner, token: token)
            }
            #expect(try await store.export(of: owner, at: stage.now).bikes.first?.reports.first?.shares == [kept])
            _ = try await store.suspendOwner(owner, reason: nil, by: stage.operatorAct)
            await #expect(throws: DomainError.shareEnded) { _ = try await stage.open("b") }
            _ = try await store.resumeOwner(owner, by: stage.operatorAct)
            #expect(try await stage.shared("b") == 0)
            let account = try #require(try await store.owner(owner))
            _ = try await stage.close(report, of: owner)
            try await store.eraseOwner(account, by: stage.act(of: owner))
            await #expect(throws: DomainError.shareUnknown) { _ = try await stage.open("b") }
        },
        StoreContract("a search has at most ten links that work, and an owner makes so many a day") { _, stage in
            let (owner, report, _) = try await stage.missingBike(hasChannel: false)
            try await stage.allow(owner, QuotaExceptions(openReports: 3))
            for number in 1...ShareRules.most {
                try await stage.share("\(number)", on: report.bike, of: owner, lasting: .seconds(3600))
            }
            await #expect(throws: DomainError.sharesFull) { try await stage.share("b", on: report.bike, of: owner) }
            stage.clock.advance(by: .seconds(3600))
            for number in 11...12 { try await stage.share("\(number)", on: report.bike, of: owner) }
            await #expect(throws: DomainError.tooManyToday(.shares, retryAfter: DailyUse.window - .seconds(3600))) {
                try await stage.share("13", on: report.bike, of: owner)
            }
        },
        StoreContract("a repeated call renews the secret until somebody has opened the share") { store, stage in
            let (owner, report, _) = try await stage.missingBike(hasChannel: false)
            let once = stage.onceKey("k", of: owner)
            let share = try await stage.share("a", on: report.bike, of: owner, once: once)
            #expect(try await stage.share("b", on: report.bike, of: owner, once: once).id == share.id)
            try await stage.expect(.shareUnknown, of: "a")
            #expect(try await stage.shared("b") == 0)
            try await store.noteViews(3, of: share.id, at: stage.now)
            await #expect(throws: DomainError.shareInUse(share.id)) {
                try await stage.share("c", on: report.bike, of: owner, once: once)
            }
            // An earlier view that was written late does not set the time back.
            try await store.noteViews(1, of: share.id, at: stage.now.advanced(by: .seconds(-60)))
            let listed = try await stage.shares(on: report.bike, of: owner)
            #expect(listed.map(\.views) == [4] && listed.first?.lastViewed == stage.now)
        },
    ]
}
